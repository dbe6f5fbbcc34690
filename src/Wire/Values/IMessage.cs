namespace Wire.Values;

/// <summary>A whole payload that is to be written with a session. Implemented by structs, so that each has its own code.</summary>
internal interface IMessage
{
    /// <summary>The type of the root, for error messages; null for null.</summary>
    Type? RootType { get; }

    /// <summary>Writes it, from the header to the end.</summary>
    void Write(ref WireWriter writer);
}
