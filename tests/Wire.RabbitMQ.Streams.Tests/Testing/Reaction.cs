namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>What a <see cref="StrictStreamServer"/> does with a command instead of what it should.</summary>
internal sealed class Reaction
{
    private Reaction()
    {
    }

    /// <summary>It says nothing to it, and has not done it either.</summary>
    public static Reaction Silence { get; } = new();

    /// <summary>It ends the connection without a word.</summary>
    public static Reaction Cut { get; } = new();

    /// <summary>What it answers; null where that is not it.</summary>
    public StreamResponseCode? Code { get; private init; }

    /// <summary>What it sends; null where that is not it.</summary>
    public byte[]? Bytes { get; private init; }

    /// <summary>What it waits for before it does what it should; null where that is not it.</summary>
    public Task? Time { get; private init; }

    /// <summary>It answers with a code, and has not done it.</summary>
    public static Reaction Refuse(StreamResponseCode code) => new() { Code = code };

    /// <summary>It sends these bytes, and has not done it.</summary>
    public static Reaction Send(params byte[] bytes) => new() { Bytes = bytes };

    /// <summary>It reads nothing more on this connection until then; afterwards it does what it should.</summary>
    public static Reaction After(Task time) => new() { Time = time };
}
