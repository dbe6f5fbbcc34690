using Bench;

namespace Wire.Benchmarks;

/// <summary>One row of the tables. Each operation runs a number of times, so that the call into the row costs nothing.</summary>
internal abstract class Scenario
{
    /// <summary>What one message looks like.</summary>
    public byte[] Payload { get; protected init; } = [];

    /// <summary>Writes the message.</summary>
    public abstract void Write(int times);

    /// <summary>Reads the payload.</summary>
    public abstract void Read(int times);

    /// <summary>Writes the message and reads what was written.</summary>
    public abstract void RoundTrip(int times);
}

/// <summary>A row that does its work with a codec; it is checked when it is made.</summary>
internal sealed class Scenario<TCodec> : Scenario
    where TCodec : struct, ICodec
{
    private readonly TCodec _codec;
    private readonly Poco _value = Poco.Create(seed: 1);

    // Where results go, so that none of the work is dead.
    private Poco? _result;
    private int _bytes;

    public Scenario(TCodec codec)
    {
        _codec = codec;

        // The first message of a session carries the manifest; the second is like all that follow.
        Check(_codec.Read(_codec.Write(_value)));
        Payload = _codec.Write(_value).ToArray();
        Check(_codec.Read(Payload));
        Check(_codec.Read(_codec.Write(_value)));
        if (!_codec.Write(_value).SequenceEqual(Payload))
        {
            throw new InvalidOperationException($"{typeof(TCodec)}: the same message gives other bytes.");
        }
    }

    public override void Write(int times)
    {
        Poco value = _value;
        int bytes = 0;
        for (int i = 0; i < times; i++)
        {
            bytes += _codec.Write(value).Length;
        }

        _bytes = bytes;
        if (_bytes != times * Payload.Length)
        {
            throw new InvalidOperationException($"{typeof(TCodec)}: {_bytes} bytes, not {times} times {Payload.Length}.");
        }
    }

    public override void Read(int times)
    {
        byte[] payload = Payload;
        for (int i = 0; i < times; i++)
        {
            _result = _codec.Read(payload);
        }

        Check(_result!);
    }

    public override void RoundTrip(int times)
    {
        Poco value = _value;
        for (int i = 0; i < times; i++)
        {
            _result = _codec.Read(_codec.Write(value));
        }

        Check(_result!);
    }

    private void Check(Poco read)
    {
        if (ReferenceEquals(read, _value) || !read.HasSameMembers(_value))
        {
            throw new InvalidOperationException($"{typeof(TCodec)}: what was read is not what was written.");
        }
    }
}
