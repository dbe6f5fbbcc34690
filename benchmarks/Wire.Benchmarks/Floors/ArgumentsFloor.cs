using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Floors;

/// <summary>A byte for the kind of each value, of the kinds that occur.</summary>
internal readonly struct ArgumentsFloor : IFloor<object?[]>
{
    private enum Kind : byte
    {
        Null,
        Int32,
        Int64,
        String,
        True,
        False,
        Double,
        Guid,
        Date,
        Color,
        Int32s,
        Objects,
        Poco,
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(object?[] value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        WriteItems(value, ref writer);
        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static object?[] Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        return ReadItems(ref reader);
    }

    private static void WriteItems(object?[] items, ref SpanWriter writer)
    {
        writer.Reserve(sizeof(int));
        writer.Int32(items.Length);
        foreach (object? item in items)
        {
            writer.Reserve(1 + 16);
            WriteItem(item, ref writer);
        }
    }

    private static void WriteItem(object? item, ref SpanWriter writer)
    {
        switch (item)
        {
            case null:
                writer.Byte((byte)Kind.Null);
                break;
            case int number:
                writer.Byte((byte)Kind.Int32);
                writer.Int32(number);
                break;
            case long number:
                writer.Byte((byte)Kind.Int64);
                writer.Int64(number);
                break;
            case string text:
                writer.Byte((byte)Kind.String);
                writer.Reserve(SpanWriter.Room(text));
                writer.Text(text);
                break;
            case bool isTrue:
                writer.Byte((byte)(isTrue ? Kind.True : Kind.False));
                break;
            case double number:
                writer.Byte((byte)Kind.Double);
                writer.Double(number);
                break;
            case Guid guid:
                writer.Byte((byte)Kind.Guid);
                writer.Guid(guid);
                break;
            case DateTime date:
                writer.Byte((byte)Kind.Date);
                writer.Date(date);
                break;
            case Color color:
                writer.Byte((byte)Kind.Color);
                writer.Byte((byte)color);
                break;
            case int[] numbers:
                writer.Byte((byte)Kind.Int32s);
                writer.Reserve(sizeof(int) + (numbers.Length * sizeof(int)));
                writer.Int32(numbers.Length);
                writer.Block(MemoryMarshal.AsBytes(numbers.AsSpan()));
                break;
            case object?[] items:
                writer.Byte((byte)Kind.Objects);
                WriteItems(items, ref writer);
                break;
            case Poco poco:
                writer.Byte((byte)Kind.Poco);
                PocoItem.Write(poco, ref writer);
                break;
            default:
                throw new ArgumentException($"{item.GetType()} is not known.");
        }
    }

    private static object?[] ReadItems(ref SpanReader reader)
    {
        var items = new object?[reader.Count(1)];
        for (int i = 0; i < items.Length; i++)
        {
            items[i] = ReadItem(ref reader);
        }

        return items;
    }

    private static object? ReadItem(ref SpanReader reader) => (Kind)reader.Byte() switch
    {
        Kind.Null => null,
        Kind.Int32 => (object)reader.Int32(),
        Kind.Int64 => reader.Int64(),
        Kind.String => reader.Text(),
        Kind.True => true,
        Kind.False => false,
        Kind.Double => reader.Double(),
        Kind.Guid => reader.Guid(),
        Kind.Date => reader.Date(),
        Kind.Color => (Color)reader.Byte(),
        Kind.Int32s => MemoryMarshal.Cast<byte, int>(reader.Block(reader.Count(sizeof(int)) * sizeof(int))).ToArray(),
        Kind.Objects => ReadItems(ref reader),
        Kind.Poco => PocoItem.Read(ref reader),
        var other => throw new ArgumentException($"There is no kind {other}."),
    };
}
