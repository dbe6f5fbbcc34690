using System.Buffers;
using System.Buffers.Binary;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A loop over a span that is sliced.</summary>
internal readonly struct DoubleFloor(double[] values) : IAmqpCodec<double[]>
{
    private readonly byte[] _bytes = new byte[values.Length * sizeof(double)];
    private readonly double[] _read = new double[values.Length];

    public ReadOnlySequence<byte> Written => new(_bytes);

    public long Write()
    {
        Span<byte> rest = _bytes;
        foreach (double value in values)
        {
            BinaryPrimitives.WriteDoubleBigEndian(rest, value);
            rest = rest[sizeof(double)..];
        }

        return _bytes.Length - rest.Length;
    }

    public double[] Read()
    {
        ReadOnlySpan<byte> rest = _bytes;
        double[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = BinaryPrimitives.ReadDoubleBigEndian(rest);
            rest = rest[sizeof(double)..];
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
