using System.Text.Json.Serialization;

namespace Actors;

// Each exists once: code may compare by reference, and reading one makes no object.

/// <summary>A message that is answered by an <see cref="Echo"/>.</summary>
internal sealed record Ping : Message
{
    [JsonConstructor]
    private Ping()
    {
    }

    public static Ping Instance { get; } = new();
}

/// <summary>A message that is answered by a <see cref="Report"/>.</summary>
internal sealed record Count : Message
{
    [JsonConstructor]
    private Count()
    {
    }

    public static Count Instance { get; } = new();
}

/// <summary>A message that ends an actor.</summary>
internal sealed record Stop : Message
{
    [JsonConstructor]
    private Stop()
    {
    }

    public static Stop Instance { get; } = new();
}
