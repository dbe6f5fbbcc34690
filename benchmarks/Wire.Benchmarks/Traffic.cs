using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks;

/// <summary>
/// Many different messages, each written and read by itself: one operation is all of them, and figures are those of one message. What a
/// row remembers of the last message helps it no more than it helps a queue or an actor system.
/// </summary>
/// <param name="count">The number of messages.</param>
/// <param name="make">Makes them, the same each time.</param>
internal sealed class Traffic(string name, int count, Func<object[]> make) : Scenario(name, units: count)
{
    /// <summary>The number of messages in each traffic of the suite.</summary>
    public const int Messages = 1024;

    /// <summary>The name of the traffic of eight classes.</summary>
    public const string MixedTypes = "Mixed types";

    /// <summary>The name of the traffic of one class, <see cref="Remark"/>.</summary>
    public const string VariedText = "Varied text";

    private object[]? _value;

    /// <summary>The options of Wire's rows.</summary>
    public SerializerOptions Options { get; init; } = SerializerOptions.Default;

    /// <summary>The rows; the first one is the floor.</summary>
    public required Func<Traffic, IEnumerable<Row>> All { get; init; }

    // Made on first use.
    private object[] Value => _value ??= make();

    public override IEnumerable<Row> Rows() => [.. All(this), .. Peer.All.SelectMany(peer => peer.Rows(this))];

    /// <summary>A row on the messages of the model.</summary>
    public Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, ICodec<object> => new TrafficRow<TCodec>(name, typing, codec, () => Value);

    /// <summary>A row on messages of the library's own classes, converted before anything is timed.</summary>
    public Row Row<TCodec>(string name, Typing typing, TCodec codec, Func<object, object> toOwn, Func<object, object> fromOwn)
        where TCodec : struct, ICodec<object> =>
        new TrafficRow<TCodec>(name, typing, codec, () => [.. Value.Select(toOwn)], fromOwn);
}

/// <summary>A row that writes and reads each message of a traffic by itself.</summary>
internal sealed class TrafficRow<TCodec>(
    string name, Typing typing, TCodec codec, Func<object[]> make, Func<object, object>? fromOwn = null) : Row(name, typing)
    where TCodec : struct, ICodec<object>
{
    private readonly object?[] _results = new object?[Traffic.Messages];
    private object[]? _messages;
    private byte[][] _payloads = [];

    public override void Prepare()
    {
        if (_messages is not null)
        {
            return;
        }

        _messages = make();

        // The first messages of a session carry the manifests; the second round is like all that follow.
        for (int round = 0; round < 2; round++)
        {
            _payloads = [.. _messages.Select(message => codec.Write(message).ToArray())];
            Read(1);
            Check();
        }

        Payload = [.. _payloads.SelectMany(payload => payload)];
        RoundTrip(1);
        Check();
    }

    public override void Write(int times)
    {
        object[] messages = _messages!;
        long bytes = 0;
        for (int i = 0; i < times; i++)
        {
            foreach (object message in messages)
            {
                bytes += codec.Write(message).Length;
            }
        }

        if (bytes != (long)times * Payload.Length)
        {
            throw new InvalidOperationException($"{Name}: {bytes} bytes, not {times} times {Payload.Length}.");
        }
    }

    public override void Read(int times)
    {
        byte[][] payloads = _payloads;
        for (int i = 0; i < times; i++)
        {
            for (int message = 0; message < payloads.Length; message++)
            {
                _results[message] = codec.Read(payloads[message]);
            }
        }
    }

    public override void RoundTrip(int times)
    {
        object[] messages = _messages!;
        for (int i = 0; i < times; i++)
        {
            for (int message = 0; message < messages.Length; message++)
            {
                _results[message] = codec.Read(codec.Write(messages[message]));
            }
        }
    }

    public override void Check()
    {
        if (_results[^1] is null)
        {
            return;
        }

        for (int message = 0; message < _results.Length; message++)
        {
            object read = _results[message]!;
            object written = _messages![message];
            if (ReferenceEquals(read, written)
                || !(fromOwn is null ? Deep.Same(read, written) : Deep.Same(fromOwn(read), fromOwn(written))))
            {
                throw new InvalidOperationException($"{Name}: what was read is not what was written.");
            }
        }

        Array.Clear(_results);
    }
}
