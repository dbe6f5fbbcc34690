using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Growth;

/// <summary>Writes and reads each object of an array as a message of its own, one behind the other.</summary>
internal abstract class MessageCodec : ICodec<object[]>
{
    private readonly ArrayBufferWriter<byte> _output = new(1024);

    // The sizes of the messages that were written last: whoever receives messages knows where one ends.
    private int[] _sizes = [];

    public ReadOnlySpan<byte> Write(object[] value)
    {
        _output.ResetWrittenCount();
        if (_sizes.Length != value.Length)
        {
            _sizes = new int[value.Length];
        }

        for (int i = 0; i < value.Length; i++)
        {
            int before = _output.WrittenCount;
            Write(value[i], _output);
            _sizes[i] = _output.WrittenCount - before;
        }

        return _output.WrittenSpan;
    }

    public object[] Read(ReadOnlySpan<byte> payload)
    {
        object[] messages = new object[_sizes.Length];
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i] = ReadMessage(payload[.._sizes[i]]);
            payload = payload[_sizes[i]..];
        }

        return messages;
    }

    protected abstract void Write(object message, IBufferWriter<byte> output);

    protected abstract object ReadMessage(ReadOnlySpan<byte> payload);
}

/// <summary>Wire, without a session.</summary>
internal sealed class WireMessageCodec(Serializer serializer) : MessageCodec
{
    protected override void Write(object message, IBufferWriter<byte> output) => serializer.Serialize(message, output);

    protected override object ReadMessage(ReadOnlySpan<byte> payload) => serializer.Deserialize<object>(payload)!;
}

/// <summary>
/// By hand: a byte for the type, from a table on writing and into one on reading, as a switch over this many types is not written by hand.
/// </summary>
internal sealed class SlotMessageCodec : MessageCodec
{
    private readonly Dictionary<Type, byte> _numbers = [];
    private readonly Func<Slot>[] _makers;

    public SlotMessageCodec(int types)
    {
        _makers = [.. SlotSamples.Types(types).Select((type, number) =>
        {
            _numbers.Add(type, (byte)number);
            return typeof(SlotMessageCodec).GetMethod(nameof(Make))!.MakeGenericMethod(type).CreateDelegate<Func<Slot>>();
        })];
    }

    public static Slot Make<T>()
        where T : Slot, new() => new T();

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override void Write(object message, IBufferWriter<byte> output)
    {
        var slot = (Slot)message;
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(byte) + sizeof(int) + SpanWriter.Room(slot.Text));
        writer.Byte(_numbers[slot.GetType()]);
        writer.Int32(slot.Number);
        writer.Text(slot.Text);
        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    protected override object ReadMessage(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        Slot slot = _makers[reader.Byte()]();
        slot.Number = reader.Int32();
        slot.Text = reader.Text();
        return slot;
    }
}
