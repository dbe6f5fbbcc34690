using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>
/// One way to write and read the data of an AMQP scenario. It has memory of its own, which it writes to and reads from, as what reads
/// may want memory, a sequence of segments or frames. Implemented by structs, so that each row gets loops of its own.
/// </summary>
internal interface IAmqpCodec<TRead>
{
    /// <summary>What was written last.</summary>
    ReadOnlySequence<byte> Written { get; }

    /// <summary>Writes the data, over what was written before.</summary>
    /// <returns>How many bytes.</returns>
    long Write();

    /// <summary>Reads what was written last, and goes through all of it.</summary>
    TRead Read();
}

/// <summary>A row that does its work with a codec that has its data by itself.</summary>
/// <param name="name">The row's name.</param>
/// <param name="typing">What the bytes say about types.</param>
/// <param name="codec">How it is done.</param>
/// <param name="isRight">Whether what was read is what was to be written.</param>
/// <param name="expected">The bytes that have to be written; null where they may differ from those of other rows.</param>
internal sealed class AmqpRow<TRead, TCodec>(
    string name, Typing typing, TCodec codec, Func<TRead, bool> isRight, Func<byte[]>? expected = null) : Row(name, typing)
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

/// <summary>Data of which something is added up when it is read, and which all rows write to the same bytes.</summary>
/// <param name="name">What the scenario is called.</param>
/// <param name="checksum">The sum.</param>
/// <typeparam name="TFloor">The code written by hand.</typeparam>
internal abstract class ChecksumScenario<TFloor>(string name, long checksum) : Scenario(name, batch: 10)
    where TFloor : struct, IAmqpCodec<long>
{
    private readonly Lazy<byte[]> _expected = new(static () =>
    {
        var codec = new TFloor();
        codec.Write();
        return codec.Written.ToArray();
    });

    protected Row Floor() => Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new TFloor());

    protected Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<long> =>
        new AmqpRow<long, TCodec>(name, typing, codec, sum => sum == checksum, () => _expected.Value);
}
