using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Floors;

/// <summary>A switch on a byte for the class of each message, and its members.</summary>
internal readonly struct MixedFloor(ArrayBufferWriter<byte> output) : ICodec<object>
{
    // More than the members of fixed size of any class.
    private const int FixedBytes = 64;
    private const int LineBytes = 16;

    public ReadOnlySpan<byte> Write(object value)
    {
        output.ResetWrittenCount();
        Write(value, output);
        return output.WrittenSpan;
    }

    public object Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        return Read(ref reader);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write(object message, IBufferWriter<byte> output)
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
            case Poco poco:
                writer.Byte(4);
                PocoItem.Write(poco, ref writer);
                break;
            case Transfer transfer:
                writer.Byte(5);
                writer.Guid(transfer.Id);
                Write(transfer.From, ref writer);
                Write(transfer.To, ref writer);
                writer.Decimal(transfer.Amount);
                break;
            case Samples samples:
                writer.Byte(6);
                ReadOnlySpan<byte> values = MemoryMarshal.AsBytes(CollectionsMarshal.AsSpan(samples.Values));
                writer.Reserve(FixedBytes + values.Length);
                writer.Int32(samples.Sensor);
                writer.Int32(samples.Values.Count);
                writer.Block(values);
                break;
            case Basket basket:
                writer.Byte(7);
                writer.Reserve(FixedBytes + SpanWriter.Room(basket.Customer) + (basket.Lines.Count * LineBytes));
                writer.Guid(basket.Id);
                writer.Text(basket.Customer);
                writer.Int32(basket.Lines.Count);
                foreach (Line line in CollectionsMarshal.AsSpan(basket.Lines))
                {
                    writer.Int32(line.Product);
                    writer.Int32(line.Quantity);
                    writer.Double(line.Price);
                }

                break;
            default:
                throw new ArgumentException($"{message.GetType()} is not known.");
        }

        writer.Finish();
    }

    private static void Write(Account account, ref SpanWriter writer)
    {
        writer.Int32(account.Bank);
        writer.Int64(account.Number);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object Read(ref SpanReader reader) => reader.Byte() switch
    {
        0 => new Ping { Sequence = reader.Int64() },
        1 => new Ack { Message = reader.Guid(), IsAccepted = reader.Bool() },
        2 => new Reading { Sensor = reader.Int32(), Value = reader.Double(), At = reader.Date() },
        3 => new Notice { Topic = reader.Text(), Text = reader.Text() },
        4 => PocoItem.Read(ref reader),
        5 => new Transfer
        {
            Id = reader.Guid(),
            From = ReadAccount(ref reader),
            To = ReadAccount(ref reader),
            Amount = reader.Decimal(),
        },
        6 => new Samples { Sensor = reader.Int32(), Values = ReadValues(ref reader) },
        7 => new Basket { Id = reader.Guid(), Customer = reader.Text(), Lines = ReadLines(ref reader) },
        var other => throw new ArgumentException($"There is no message {other}."),
    };

    private static Account ReadAccount(ref SpanReader reader) => new() { Bank = reader.Int32(), Number = reader.Int64() };

    private static List<int> ReadValues(ref SpanReader reader)
    {
        int count = reader.Count(sizeof(int));
        var values = new List<int>(count);
        CollectionsMarshal.SetCount(values, count);
        MemoryMarshal.Cast<byte, int>(reader.Block(count * sizeof(int))).CopyTo(CollectionsMarshal.AsSpan(values));
        return values;
    }

    private static List<Line> ReadLines(ref SpanReader reader)
    {
        int count = reader.Count(LineBytes);
        var lines = new List<Line>(count);
        for (int i = 0; i < count; i++)
        {
            lines.Add(new Line { Product = reader.Int32(), Quantity = reader.Int32(), Price = reader.Double() });
        }

        return lines;
    }
}

/// <summary>The four members of one class, with texts in UTF-8.</summary>
internal readonly struct RemarkFloor(ArrayBufferWriter<byte> output) : ICodec<object>
{
    public ReadOnlySpan<byte> Write(object value)
    {
        output.ResetWrittenCount();
        Write((Remark)value, output);
        return output.WrittenSpan;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public object Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        return new Remark { Id = reader.Int64(), Author = reader.Text(), Text = reader.Text(), At = reader.Date() };
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write(Remark value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        writer.Reserve(sizeof(long) + SpanWriter.Room(value.Author) + SpanWriter.Room(value.Text) + sizeof(long));
        writer.Int64(value.Id);
        writer.Text(value.Author);
        writer.Text(value.Text);
        writer.Date(value.At);
        writer.Finish();
    }
}
