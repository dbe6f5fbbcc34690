using Wire;

namespace Versions;

/// <summary>A type whose name in payloads is its own.</summary>
public sealed class Thing
{
    public int X { get; init; }
}

/// <summary>What became of it in the next release. Its name in payloads is given, and has no assembly.</summary>
[WireName("Versions.Thing")]
public sealed class NamedThing
{
    public int X { get; init; }
}
