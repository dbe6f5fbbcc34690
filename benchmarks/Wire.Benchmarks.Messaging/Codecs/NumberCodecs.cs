using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using Wire.Amqp;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The reader and the writer of Wire.Amqp.</summary>
internal readonly struct NumberCodec<T>(T[] values) : IAmqpCodec<T[]>
    where T : unmanaged, IBinaryNumber<T>
{
    private readonly byte[] _bytes = new byte[values.Length * Unsafe.SizeOf<T>()];
    private readonly T[] _read = new T[values.Length];

    public ReadOnlySequence<byte> Written => new(_bytes);

    public long Write()
    {
        var writer = new AmqpWriter(_bytes);
        foreach (T value in values)
        {
            writer.Write(value);
        }

        return writer.Written;
    }

    public T[] Read()
    {
        var reader = new AmqpReader(_bytes);
        T[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = reader.Read<T>();
        }

        return read;
    }
}

/// <summary>Wire.Amqp's numbers in network byte order without its reader and writer: over spans that the program slices.</summary>
internal readonly struct NetworkOrderCodec<T>(T[] values) : IAmqpCodec<T[]>
    where T : unmanaged, IBinaryNumber<T>
{
    private readonly byte[] _bytes = new byte[values.Length * Unsafe.SizeOf<T>()];
    private readonly T[] _read = new T[values.Length];

    public ReadOnlySequence<byte> Written => new(_bytes);

    public long Write()
    {
        Span<byte> rest = _bytes;
        foreach (T value in values)
        {
            NetworkOrder.Write(rest, value);
            rest = rest[Unsafe.SizeOf<T>()..];
        }

        return _bytes.Length - rest.Length;
    }

    public T[] Read()
    {
        ReadOnlySpan<byte> rest = _bytes;
        T[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = NetworkOrder.Read<T>(rest);
            rest = rest[Unsafe.SizeOf<T>()..];
        }

        return read;
    }
}

/// <summary>The reader of Wire.Amqp over segments.</summary>
internal readonly struct SequenceCodec<T>(T[] values) : IAmqpCodec<T[]>
    where T : unmanaged, IBinaryNumber<T>
{
    private readonly Segmented _segmented = new(values.Length * Unsafe.SizeOf<T>());
    private readonly T[] _read = new T[values.Length];

    public ReadOnlySequence<byte> Written => _segmented.Sequence;

    public long Write()
    {
        var writer = new AmqpWriter(_segmented.Bytes);
        foreach (T value in values)
        {
            writer.Write(value);
        }

        return writer.Written;
    }

    public T[] Read()
    {
        var reader = new AmqpReader(_segmented.Sequence);
        T[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            read[i] = reader.Read<T>();
        }

        return read;
    }
}

/// <summary>Wire.Amqp's extension of the platform's reader of sequences.</summary>
internal readonly struct SequenceReaderCodec<T>(T[] values) : IAmqpCodec<T[]>
    where T : unmanaged, IBinaryNumber<T>
{
    private readonly Segmented _segmented = new(values.Length * Unsafe.SizeOf<T>());
    private readonly T[] _read = new T[values.Length];

    public ReadOnlySequence<byte> Written => _segmented.Sequence;

    public long Write()
    {
        Span<byte> rest = _segmented.Bytes;
        foreach (T value in values)
        {
            NetworkOrder.Write(rest, value);
            rest = rest[Unsafe.SizeOf<T>()..];
        }

        return _segmented.Bytes.Length - rest.Length;
    }

    public T[] Read()
    {
        var reader = new SequenceReader<byte>(_segmented.Sequence);
        T[] read = _read;
        for (int i = 0; i < read.Length; i++)
        {
            if (!NetworkOrder.TryRead(ref reader, out read[i]))
            {
                throw new InvalidOperationException("The sequence ends too early.");
            }
        }

        return read;
    }
}
