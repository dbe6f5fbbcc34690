using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// A byte for the class of each message, and its members. Each message is handed over by itself, as a connection needs it.
/// </summary>
internal readonly struct ConversationFloor : IFloor<Conversation>
{
    /// <summary>How many messages there are.</summary>
    public const int Count = 1000;

    private const int FixedBytes = 32;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(Conversation value, IBufferWriter<byte> output)
    {
        foreach (object message in value.Messages)
        {
            WriteMessage(message, output);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Conversation Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        var messages = new object[Count];
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i] = ReadMessage(ref reader);
        }

        return new Conversation(messages);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteMessage(object message, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(FixedBytes);
        switch (message)
        {
            case Ping ping:
                writer.Byte(0);
                writer.Int64(ping.Sequence);
                break;
            case Ack ack:
                writer.Byte(1);
                writer.Guid(ack.Message);
                writer.Bool(ack.IsAccepted);
                break;
            case Reading reading:
                writer.Byte(2);
                writer.Int32(reading.Sensor);
                writer.Double(reading.Value);
                writer.Date(reading.At);
                break;
            case Notice notice:
                writer.Byte(3);
                writer.Reserve(SpanWriter.Room(notice.Topic) + SpanWriter.Room(notice.Text));
                writer.Text(notice.Topic);
                writer.Text(notice.Text);
                break;
            case Move move:
                writer.Byte(4);
                writer.Int32(move.From);
                writer.Int32(move.To);
                writer.Byte((byte)move.Color);
                break;
            case Poco poco:
                writer.Byte(5);
                PocoItem.Write(poco, ref writer);
                break;
            default:
                throw new ArgumentException($"{message.GetType()} is not known.");
        }

        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object ReadMessage(ref SpanReader reader) => reader.Byte() switch
    {
        0 => new Ping { Sequence = reader.Int64() },
        1 => new Ack { Message = reader.Guid(), IsAccepted = reader.Bool() },
        2 => new Reading { Sensor = reader.Int32(), Value = reader.Double(), At = reader.Date() },
        3 => new Notice { Topic = reader.Text(), Text = reader.Text() },
        4 => new Move { From = reader.Int32(), To = reader.Int32(), Color = (Color)reader.Byte() },
        5 => PocoItem.Read(ref reader),
        var other => throw new ArgumentException($"There is no message {other}."),
    };
}
