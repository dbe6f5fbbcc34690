using System.Text.Json.Serialization;

namespace Actors;

/// <summary>
/// The base of all messages. The attributes are what System.Text.Json needs: each class once more. Wire needs none of them.
/// </summary>
[JsonDerivedType(typeof(Trade), "trade")]
[JsonDerivedType(typeof(Ping), "ping")]
[JsonDerivedType(typeof(Count), "count")]
[JsonDerivedType(typeof(Stop), "stop")]
[JsonDerivedType(typeof(Echo), "echo")]
[JsonDerivedType(typeof(Introduction), "introduction")]
[JsonDerivedType(typeof(Order), "order")]
[JsonDerivedType(typeof(Parcel), "parcel")]
[JsonDerivedType(typeof(Failure), "failure")]
[JsonDerivedType(typeof(Report), "report")]
internal abstract record Message;

/// <summary>The message of the measurements.</summary>
internal sealed record Trade(long Number, string Symbol, double Price) : Message;

/// <summary>An answer that holds the message it answers.</summary>
/// <param name="Original">The message.</param>
/// <param name="WasInstance">Whether it arrived as the one instance of its class.</param>
internal sealed record Echo(Message Original, bool WasInstance) : Message;

/// <summary>A reference to an actor, of whichever node.</summary>
internal sealed record Introduction(ActorRef Who) : Message;

/// <summary>A message that the clerk cannot do.</summary>
internal sealed record Order(string Article, int Pieces) : Message;

/// <summary>A message that may hold anything, as far as its writer is concerned.</summary>
internal sealed record Parcel(object Content) : Message;

/// <summary>The answer to a message whose actor has thrown.</summary>
internal sealed record Failure(Exception Reason) : Message;

/// <summary>What a node has used up to now, and its dead letters.</summary>
internal sealed record Report(TimeSpan Processor, long Allocated, int DeadLetters, string? LastDeadLetter) : Message;

// Of each of these there is one object on a node: code may compare by reference, and reading one makes none. The constructors are for the
// generator of System.Text.Json, which cannot call private ones.

/// <summary>A message that is answered by an <see cref="Echo"/>.</summary>
internal sealed record Ping : Message
{
    [JsonConstructor]
    internal Ping()
    {
    }

    public static Ping Instance { get; } = new();
}

/// <summary>A message that is answered by a <see cref="Report"/>.</summary>
internal sealed record Count : Message
{
    [JsonConstructor]
    internal Count()
    {
    }

    public static Count Instance { get; } = new();
}

/// <summary>A message that ends an actor.</summary>
internal sealed record Stop : Message
{
    [JsonConstructor]
    internal Stop()
    {
    }

    public static Stop Instance { get; } = new();
}

/// <summary>Not a message, and named by no rule of the filter: a payload that has one is refused.</summary>
internal sealed record Stowaway(string Name);

/// <summary>An exception of the program's own, with a member of its own.</summary>
internal sealed class OutOfStockException(string article, int left) : Exception($"Of {article} there are {left} left.")
{
    public int Left { get; } = left;
}
