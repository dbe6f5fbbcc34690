using System.Collections.Immutable;

namespace Wire.Soak;

public abstract record Message(long Id);

public sealed record Placed(long Id, string Customer, decimal Total, ImmutableArray<Line> Lines) : Message(Id);

public sealed record Shipped(long Id, DateTime At, Guid Parcel, Dictionary<string, object?> Notes) : Message(Id);

public sealed record Failed(long Id, Exception Reason) : Message(Id);

public sealed record Measured(long Id, double[] Values, HashSet<int> Channels, (string Unit, TimeSpan Every) How) : Message(Id);

public sealed record Wrapped(long Id, object? Body, Message[] Parts) : Message(Id);

/// <summary>Written as its text, through a surrogate that throws when the text says so.</summary>
public sealed record Token(string Text);

public readonly record struct Line(string Product, int Count, decimal? Price);

/// <summary>A ring: every node refers to the next and to an object that all share.</summary>
public sealed class Node
{
    public int Number;
    public Node? Next;
    public object? Shared;
}

/// <summary>Its name is found in its payloads and replaced by names that nobody has.</summary>
[WireName(MadeUp.TypeName)]
public sealed class Named
{
    public int Member00000000;
}

/// <summary>What the filter does not allow.</summary>
public sealed class Stranger
{
    public int Number;
}

public sealed record TokenText(string Text);

/// <summary>Thrown by the program's own code while a message is written or read.</summary>
public sealed class InjectedException : Exception;
