using Google.FlatBuffers;
using Table = Google.FlatBuffers.Table;

namespace Wire.Benchmarks.Looking;

/// <summary>A table of FlatBuffers, as its compiler writes the struct that reads one.</summary>
internal readonly struct FlatTable(int at, ByteBuffer buffer)
{
    private const int FirstSlot = 4;

    private readonly Table _table = new(at, buffer);

    public static FlatTable Root(ByteBuffer buffer) => new(buffer.GetInt(buffer.Position) + buffer.Position, buffer);

    public int Int32(int member) => At(member) is > 0 and int at ? _table.bb.GetInt(_table.bb_pos + at) : 0;

    public double Double(int member) => At(member) is > 0 and int at ? _table.bb.GetDouble(_table.bb_pos + at) : 0;

    /// <summary>Gets the UTF-8 of a text.</summary>
    public ArraySegment<byte> Text(int member) => _table.__vector_as_arraysegment(FirstSlot + (2 * member)) ?? default;

    public int Count(int member) => At(member) is > 0 and int at ? _table.__vector_len(at) : 0;

    public FlatTable Element(int member, int index) =>
        new(_table.__indirect(_table.__vector(At(member)) + (index * sizeof(int))), _table.bb);

    /// <summary>Finds a pair by its key: pairs are in the order of their keys.</summary>
    public int Find(int member, byte[] key)
    {
        int begin = 0, count = Count(member);
        int vector = _table.__vector(At(member));
        while (count > 0)
        {
            int half = count / 2;
            int pair = _table.__indirect(vector + ((begin + half) * sizeof(int)));
            int order = Table.CompareStrings(Table.__offset(FirstSlot, _table.bb.Length - pair, _table.bb), key, _table.bb);
            if (order == 0)
            {
                return new FlatTable(pair, _table.bb).Int32(1);
            }

            if (order > 0)
            {
                count = half;
            }
            else
            {
                begin += half + 1;
                count -= half + 1;
            }
        }

        throw new KeyNotFoundException();
    }

    private int At(int member) => _table.__offset(FirstSlot + (2 * member));
}

/// <summary>The messages as buffers of FlatBuffers, built as its compiler's code builds them; members in the order of names.</summary>
internal static class FlatMessages
{
    public static ByteBuffer Of(Poco poco)
    {
        var builder = new FlatBufferBuilder(256);
        StringOffset text = builder.CreateString(poco.StringProp);
        Span<byte> guid = stackalloc byte[16];
        poco.GuidProp.TryWriteBytes(guid);
        builder.StartTable(5);
        builder.AddLong(0, poco.DateProp.ToBinary(), 0);
        builder.AddLong(1, BitConverter.ToInt64(guid), 0);
        builder.AddLong(2, BitConverter.ToInt64(guid[8..]), 0);
        builder.AddInt(3, poco.IntProp, 0);
        builder.AddOffset(4, text.Value, 0);
        builder.Finish(builder.EndTable());
        return new ByteBuffer(builder.SizedByteArray());
    }

    public static ByteBuffer Of(Sale sale)
    {
        var builder = new FlatBufferBuilder(4096);
        int lines = Vector(builder, [.. sale.Lines.Select(line => Of(builder, line))]);
        int stock = Vector(
            builder, [.. sale.Stock.OrderBy(pair => pair.Key, StringComparer.Ordinal).Select(pair => Of(builder, pair.Key, pair.Value))]);
        StringOffset customer = builder.CreateString(sale.Customer);
        builder.StartTable(5);
        builder.AddOffset(0, customer.Value, 0);
        builder.AddInt(1, sale.Id, 0);
        builder.AddOffset(2, lines, 0);
        builder.AddOffset(3, stock, 0);
        builder.AddDouble(4, sale.Total, 0);
        builder.Finish(builder.EndTable());
        return new ByteBuffer(builder.SizedByteArray());
    }

    private static int Of(FlatBufferBuilder builder, SaleLine line)
    {
        StringOffset name = builder.CreateString(line.Name);
        builder.StartTable(4);
        builder.AddOffset(0, name.Value, 0);
        builder.AddDouble(1, line.Price, 0);
        builder.AddInt(2, line.Product, 0);
        builder.AddInt(3, line.Quantity, 0);
        return builder.EndTable();
    }

    private static int Of(FlatBufferBuilder builder, string key, int value)
    {
        StringOffset text = builder.CreateString(key);
        builder.StartTable(2);
        builder.AddOffset(0, text.Value, 0);
        builder.AddInt(1, value, 0);
        return builder.EndTable();
    }

    private static int Vector(FlatBufferBuilder builder, int[] tables)
    {
        builder.StartVector(sizeof(int), tables.Length, sizeof(int));
        for (int i = tables.Length - 1; i >= 0; i--)
        {
            builder.AddOffset(tables[i]);
        }

        return builder.EndVector().Value;
    }
}
