using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Numbers of 64 bits in network byte order: a thousand in a row, and figures of one.</summary>
internal abstract class NumberScenario<T>(string name) : Scenario(name)
    where T : unmanaged
{
    public override int Units => 1000;

    protected T[] Values { get; } = MakeValues();

    protected Row Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<T[]> =>
        new AmqpRow<T[], TCodec>(name, typing, codec, IsRight, () => Swapped(Values));

    // By their bits: not all of them are numbers that are equal to themselves.
    private bool IsRight(T[] read) => MemoryMarshal.AsBytes<T>(read).SequenceEqual(MemoryMarshal.AsBytes<T>(Values));

    private static T[] MakeValues()
    {
        var values = new T[1000];
        new Random(1).NextBytes(MemoryMarshal.AsBytes(values.AsSpan()));
        return values;
    }

    private static byte[] Swapped(T[] values)
    {
        byte[] bytes = MemoryMarshal.AsBytes<T>(values).ToArray();
        for (int at = 0; BitConverter.IsLittleEndian && at < bytes.Length; at += sizeof(ulong))
        {
            Array.Reverse(bytes, at, sizeof(ulong));
        }

        return bytes;
    }
}

/// <summary>Doubles, in one piece of memory.</summary>
internal sealed class DoubleScenario() : NumberScenario<double>("AMQP double")
{
    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new DoubleFloor(Values)),
        Row("Wire.Amqp", Typing.Static, new NumberCodec<double>(Values)),
        Row("Wire.Amqp, NetworkOrder", Typing.Static, new NetworkOrderCodec<double>(Values)),
    ];
}

/// <summary>Unsigned integers of 64 bits, in one piece of memory.</summary>
internal sealed class UInt64Scenario() : NumberScenario<ulong>("AMQP uint64")
{
    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new UInt64Floor(Values)),
        Row("Wire.Amqp", Typing.Static, new NumberCodec<ulong>(Values)),
        Row("Wire.Amqp, NetworkOrder", Typing.Static, new NetworkOrderCodec<ulong>(Values)),
    ];
}

/// <summary>The same, read from segments of 500 bytes, so that every other segment ends within a number. Written as in one piece.</summary>
internal sealed class SegmentsScenario() : NumberScenario<ulong>("AMQP uint64 over segments")
{
    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, SequenceReader.TryReadBigEndian (floor)", Typing.Floor, new SequenceFloor(Values)),
        Row("Wire.Amqp", Typing.Static, new SequenceCodec<ulong>(Values)),
        Row("Wire.Amqp, NetworkOrder.TryRead of a SequenceReader", Typing.Static, new SequenceReaderCodec<ulong>(Values)),
    ];
}
