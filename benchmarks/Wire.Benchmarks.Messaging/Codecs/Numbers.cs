using System.Buffers;
using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Wire.Amqp;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Numbers of 64 bits in network byte order: a thousand in a row, and figures of one.</summary>
internal abstract class NumberScenario(string name) : Scenario(name, units: 1000)
{
    protected ulong[] Values { get; } = MakeValues();

    protected Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<ulong[]> =>
        new AmqpRow<ulong[], TCodec>(name, typing, codec, IsRight, () => Swapped(Values));

    private bool IsRight(ulong[] read) => read.AsSpan().SequenceEqual(Values);

    private static ulong[] MakeValues()
    {
        ulong[] values = new ulong[1000];
        new Random(1).NextBytes(MemoryMarshal.AsBytes(values.AsSpan()));
        return values;
    }

    private static byte[] Swapped(ulong[] values)
    {
        byte[] bytes = MemoryMarshal.AsBytes<ulong>(values).ToArray();
        for (int at = 0; BitConverter.IsLittleEndian && at < bytes.Length; at += sizeof(ulong))
        {
            Array.Reverse(bytes, at, sizeof(ulong));
        }

        return bytes;
    }
}

/// <summary>Unsigned integers of 64 bits, in one piece of memory.</summary>
internal sealed class UInt64Scenario() : NumberScenario("AMQP uint64")
{
    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new UInt64Floor(Values)),
        Row("Wire.Amqp", Typing.Static, new NumberCodec(Values)),
    ];
}

/// <summary>The same, read from segments of 500 bytes, so that every other segment ends within a number. Written as in one piece.</summary>
internal sealed class SegmentsScenario() : NumberScenario("AMQP uint64 over segments")
{
    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, SequenceReader.TryReadBigEndian (floor)", Typing.Floor, new SequenceFloor(Values)),
        Row("Wire.Amqp", Typing.Static, new SequenceCodec(Values)),
    ];
}

/// <summary>The reader and the writer of Wire.Amqp.</summary>
internal readonly struct NumberCodec(ulong[] values) : IAmqpCodec<ulong[]>
{
    private readonly byte[] _bytes = new byte[values.Length * sizeof(ulong)];
    private readonly ulong[] _read = new ulong[values.Length];

    public ReadOnlySequence<byte> Written => new(_bytes);

    public long Write()
    {
        var writer = new AmqpWriter(_bytes);
        foreach (ulong value in values)
        {
            writer.Write(value);
        }

        return writer.Written;
    }

    public ulong[] Read()
    {
        var reader = new AmqpReader(_bytes);
        ulong[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = reader.Read<ulong>();
        }

        return read;
    }
}

/// <summary>The reader of Wire.Amqp over segments.</summary>
internal readonly struct SequenceCodec(ulong[] values) : IAmqpCodec<ulong[]>
{
    private readonly Segmented _segmented = new(values.Length * sizeof(ulong));
    private readonly ulong[] _read = new ulong[values.Length];

    public ReadOnlySequence<byte> Written => _segmented.Sequence;

    public long Write()
    {
        var writer = new AmqpWriter(_segmented.Bytes);
        foreach (ulong value in values)
        {
            writer.Write(value);
        }

        return writer.Written;
    }

    public ulong[] Read()
    {
        var reader = new AmqpReader(_segmented.Sequence);
        ulong[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = reader.Read<ulong>();
        }

        return read;
    }
}

/// <summary>A loop over a span that is sliced.</summary>
internal readonly struct UInt64Floor(ulong[] values) : IAmqpCodec<ulong[]>
{
    private readonly byte[] _bytes = new byte[values.Length * sizeof(ulong)];
    private readonly ulong[] _read = new ulong[values.Length];

    public ReadOnlySequence<byte> Written => new(_bytes);

    public long Write()
    {
        Span<byte> rest = _bytes;
        foreach (ulong value in values)
        {
            BinaryPrimitives.WriteUInt64BigEndian(rest, value);
            rest = rest[sizeof(ulong)..];
        }

        return _bytes.Length - rest.Length;
    }

    public ulong[] Read()
    {
        ReadOnlySpan<byte> rest = _bytes;
        ulong[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = BinaryPrimitives.ReadUInt64BigEndian(rest);
            rest = rest[sizeof(ulong)..];
        }

        return read;
    }
}

/// <summary>What the platform has for sequences.</summary>
internal readonly struct SequenceFloor(ulong[] values) : IAmqpCodec<ulong[]>
{
    private readonly Segmented _segmented = new(values.Length * sizeof(ulong));
    private readonly ulong[] _read = new ulong[values.Length];

    public ReadOnlySequence<byte> Written => _segmented.Sequence;

    public long Write()
    {
        Span<byte> rest = _segmented.Bytes;
        foreach (ulong value in values)
        {
            BinaryPrimitives.WriteUInt64BigEndian(rest, value);
            rest = rest[sizeof(ulong)..];
        }

        return _segmented.Bytes.Length - rest.Length;
    }

    public ulong[] Read()
    {
        var reader = new SequenceReader<byte>(_segmented.Sequence);
        ulong[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            if (!reader.TryReadBigEndian(out long value))
            {
                throw new InvalidOperationException("The sequence ends too early.");
            }

            read[i] = (ulong)value;
        }

        return read;
    }
}

/// <summary>One array that is written as a whole and read as a sequence of segments.</summary>
internal sealed class Segmented
{
    private const int SegmentSize = 500;

    public Segmented(int size)
    {
        Bytes = new byte[size];
        var first = new Segment(Bytes.AsMemory(0, Math.Min(SegmentSize, size)), null);
        Segment last = first;
        for (int at = SegmentSize; at < size; at += SegmentSize)
        {
            last = new Segment(Bytes.AsMemory(at, Math.Min(SegmentSize, size - at)), last);
        }

        Sequence = new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    public byte[] Bytes { get; }

    public ReadOnlySequence<byte> Sequence { get; }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }
}
