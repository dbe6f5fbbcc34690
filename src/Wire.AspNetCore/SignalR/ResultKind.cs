namespace Wire.AspNetCore.SignalR;

/// <summary>The kind of an answer to a call.</summary>
internal enum ResultKind : byte
{
    /// <summary>A text that says what failed.</summary>
    Error = 1,

    /// <summary>No value.</summary>
    None = 2,

    /// <summary>A value, which may be null.</summary>
    Value = 3,
}
