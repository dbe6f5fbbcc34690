using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A row that does its work with a codec that has its data by itself.</summary>
/// <param name="name">The row's name.</param>
/// <param name="typing">What the bytes say about types.</param>
/// <param name="codec">How it is done.</param>
/// <param name="isRight">Whether what was read is what was to be written.</param>
/// <param name="expected">The bytes that have to be written; null where they may differ from those of other rows.</param>
internal sealed class AmqpRow<TRead, TCodec>(string name, Typing typing, TCodec codec, Func<TRead, bool> isRight, Func<byte[]>? expected = null) : Row(name, typing)
    where TCodec : struct, IAmqpCodec<TRead>
{
    private TRead? _result;
    private bool _hasRead;

    public override void Prepare()
    {
        if (Payload.Length > 0)
        {
            return;
        }

        for (int i = 0; i < 2; i++)
        {
            RoundTrip(1);
            Check();
        }

        Payload = codec.Written.ToArray();
        if (expected is not null && !Payload.AsSpan().SequenceEqual(expected()))
        {
            throw new InvalidOperationException($"{Name}: the bytes are not those that are written by hand.");
        }
    }

    public override void Write(int times)
    {
        long bytes = 0;
        for (int i = 0; i < times; i++)
        {
            bytes += WriteOne();
        }

        if (bytes != (long)times * Payload.Length)
        {
            throw new InvalidOperationException($"{Name}: {bytes} bytes, not {times} times {Payload.Length}.");
        }
    }

    public override void Read(int times)
    {
        for (int i = 0; i < times; i++)
        {
            _result = ReadOne();
        }

        _hasRead = true;
    }

    public override void RoundTrip(int times)
    {
        for (int i = 0; i < times; i++)
        {
            WriteOne();
            _result = ReadOne();
        }

        _hasRead = true;
    }

    public override void Check()
    {
        if (_hasRead && !isRight(_result!))
        {
            throw new InvalidOperationException($"{Name}: what was read is not what was written.");
        }
    }

    // Methods of their own, in all rows: within the loops above, what counts would compete with them for registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private long WriteOne() => codec.Write();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TRead ReadOne() => codec.Read();
}
