namespace Wire.AspNetCore.SignalR;

/// <summary>Stands for an argument that the server cannot write: a value without bytes, which no client can read.</summary>
internal sealed class UnwritableValue
{
    private UnwritableValue()
    {
    }

    /// <summary>Gets the one instance.</summary>
    public static UnwritableValue Instance { get; } = new();
}
