using System.Text;
using System.Text.Json;
using Google.FlatBuffers;
using Wire.Benchmarks.Reports;
using Table = Wire.Benchmarks.Measuring.Table;

namespace Wire.Benchmarks.Looking;

/// <summary>
/// Members of messages of which no object is made: by views, beside code by hand for the same bytes, FlatBuffers, <see
/// cref="JsonDocument"/> and reading all of it. What each reads is compared before it is measured.
/// </summary>
internal static class Views
{
    private const int Size = 100;
    private const int Line = 50;

    private static readonly string Key = $"key {Line:000}";
    private static readonly byte[] Utf8Key = Encoding.UTF8.GetBytes(Key);
    private static readonly Serializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Poco>().Allow<Sale>().Allow<SaleLine>() });

    private static readonly PayloadViews<Poco> Pocos = Serializer.Views<Poco>();
    private static readonly PayloadViews<Sale> Sales = Serializer.Views<Sale>();
    private static readonly PayloadViewMember<Poco, string> StringProp = new("StringProp");
    private static readonly PayloadViewMember<Sale, string> Customer = new("Customer");
    private static readonly PayloadViewMember<Sale, int> Id = new("Id");
    private static readonly PayloadViewMember<Sale, List<SaleLine>> Lines = new("Lines");
    private static readonly PayloadViewMember<Sale, Dictionary<string, int>> Stock = new("Stock");
    private static readonly PayloadViewMember<Sale, double> Total = new("Total");
    private static readonly PayloadViewMember<SaleLine, string> Name = new("Name");
    private static readonly PayloadViewMember<SaleLine, double> Price = new("Price");
    private static readonly PayloadViewMember<SaleLine, int> Product = new("Product");
    private static readonly PayloadViewMember<SaleLine, int> Quantity = new("Quantity");

    private delegate double Look();

    public static void Run()
    {
        List<string[]> lines = [["Message", "by", "ns", "x", "B"]];
        foreach (Interleaved scenario in Scenarios())
        {
            lines.AddRange(scenario.Measure());
        }

        string table = $"{Machine.Describe()}\n\n{Table.Format(lines)}\n"
            + $"One look in {Interleaved.Method} (`./bench.sh --documents`).";
        Console.WriteLine(table);
        Page.Views.Write("views", table);
    }

    private static IEnumerable<Interleaved> Scenarios()
    {
        var poco = Poco.Create(1);
        byte[] payload = Serializer.Serialize(poco);
        byte[] beginning = payload[..^(1 + 8 + 16 + sizeof(int) + poco.StringProp!.Length)];
        byte[] json = JsonSerializer.SerializeToUtf8Bytes(poco);
        ByteBuffer flat = FlatMessages.Of(poco);
        yield return Scenario(
            "POCO, the text behind all else",
            100,
            () => OfPoco(payload, beginning),
            () => Pocos.Open(payload).GetText(StringProp).Length,
            () => FlatTable.Root(flat).Text(4).Count,
            () => InJson(json, root => root.GetProperty("StringProp").GetString()!.Length),
            () => Serializer.Deserialize<Poco>(payload)!.StringProp!.Length);

        var sale = Sale.Create(Size);
        byte[] order = Serializer.Serialize(sale);
        int begin = order.AsSpan().IndexOf(Encoding.Latin1.GetBytes(sale.Customer)) - 1;
        byte[] type = order[..begin];
        byte[] orderJson = JsonSerializer.SerializeToUtf8Bytes(sale);
        ByteBuffer flatOrder = FlatMessages.Of(sale);
        yield return Scenario(
            $"a sale, three members of line {Line} of {Size}",
            20,
            () => OfLine(order, type),
            () => OfLine(Sales.Open(order).GetView(Lines).AsList<SaleLine>()[Line]),
            () => OfLine(FlatTable.Root(flatOrder).Element(2, Line)),
            () => InJson(orderJson, root => OfLine(root.GetProperty("Lines")[Line])),
            () => OfLine(Serializer.Deserialize<Sale>(order)!.Lines[Line]));
        yield return Scenario(
            $"a sale, the number of a key, of {Size}",
            20,
            () => OfKey(order, type),
            () => OfKey(Sales.Open(order).GetView(Stock).AsDictionary<string, int>()),
            () => FlatTable.Root(flatOrder).Find(3, Utf8Key),
            () => InJson(orderJson, root => root.GetProperty("Stock").GetProperty(Key).GetInt32()),
            () => Serializer.Deserialize<Sale>(order)!.Stock[Key]);
        yield return Scenario(
            "a sale, all members of all lines",
            1,
            () => OfAll(order, type),
            () => OfAll(Sales.Open(order)),
            () => OfAll(FlatTable.Root(flatOrder)),
            () => InJson(orderJson, OfAll),
            () => OfAll(Serializer.Deserialize<Sale>(order)!));
    }

    private static Interleaved Scenario(string name, int batch, Look byHand, Look byView, Look byFlat, Look byJson, Look byObject)
    {
        (string Name, Look Look)[] looks =
        [
            ("by hand, at offsets", byHand), ("PayloadView", byView), ("FlatBuffers", byFlat), ("JsonDocument", byJson),
            ("Deserialize", byObject),
        ];
        foreach ((string way, Look look) in looks)
        {
            double found = look(), expected = byObject();
            if (found != expected)
            {
                throw new InvalidOperationException($"{name}: {way} reads {found}, and the object has {expected}.");
            }
        }

        return new Interleaved(name, batch, 1, Array.ConvertAll(looks, each => (each.Name, Repeat(each.Look))));
    }

    private static Action<int> Repeat(Look look) => times =>
    {
        double sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += look();
        }

        _sum = sum;
    };

    private static double _sum;

    private static double InJson(byte[] json, Func<JsonElement, double> look)
    {
        using var document = JsonDocument.Parse(json);
        return look(document.RootElement);
    }

    private static double OfPoco(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> beginning)
    {
        int at = OffsetReader.Begin(payload, beginning) + 8 + 16 + sizeof(int);
        return OffsetReader.Text(payload, ref at).Length;
    }

    private static double OfLine(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> beginning)
    {
        int at = OffsetReader.Begin(payload, beginning);
        int count = OffsetReader.Lines(payload, ref at);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(Line, count);
        for (int i = 0; i < Line; i++)
        {
            OffsetReader.PassLine(payload, ref at);
        }

        OffsetReader.EnterLine(payload, ref at);
        int name = OffsetReader.Text(payload, ref at).Length;
        double price = OffsetReader.Double(payload, ref at);
        at += sizeof(int);
        return name + price + OffsetReader.Int32(payload, ref at);
    }

    private static double OfLine(PayloadView<SaleLine> line) => line.GetText(Name).Length + line.Get(Price) + line.Get(Quantity);

    private static double OfLine(FlatTable line) => line.Text(0).Count + line.Double(1) + line.Int32(3);

    private static double OfLine(JsonElement line) => line.GetProperty("Name").GetString()!.Length + line.GetProperty("Price").GetDouble()
        + line.GetProperty("Quantity").GetInt32();

    private static double OfLine(SaleLine line) => line.Name.Length + line.Price + line.Quantity;

    private static double OfKey(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> beginning)
    {
        int at = OffsetReader.Begin(payload, beginning);
        int lines = OffsetReader.Lines(payload, ref at);
        for (int i = 0; i < lines; i++)
        {
            OffsetReader.PassLine(payload, ref at);
        }

        int count = OffsetReader.Stock(payload, ref at);
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> key = OffsetReader.Text(payload, ref at);
            int value = OffsetReader.Int32(payload, ref at);
            if (key.SequenceEqual(Utf8Key))
            {
                return value;
            }
        }

        throw new KeyNotFoundException();
    }

    private static double OfKey(PayloadDictionaryView<string, int> stock) =>
        stock.TryGetValue(Key, out PayloadView<int> value) ? value.ToObject() : throw new KeyNotFoundException();

    private static double OfAll(ReadOnlySpan<byte> payload, ReadOnlySpan<byte> beginning)
    {
        int at = OffsetReader.Begin(payload, beginning);
        double sum = OffsetReader.Text(payload, ref at).Length + OffsetReader.Int32(payload, ref at);
        OffsetReader.Tag(payload, ref at);
        int lines = OffsetReader.Count(payload, ref at);
        for (int i = 0; i < lines; i++)
        {
            OffsetReader.EnterLine(payload, ref at);
            sum += OffsetReader.Text(payload, ref at).Length + OffsetReader.Double(payload, ref at) + OffsetReader.Int32(payload, ref at)
                + OffsetReader.Int32(payload, ref at);
        }

        int pairs = OffsetReader.Stock(payload, ref at);
        for (int i = 0; i < pairs; i++)
        {
            sum += OffsetReader.Text(payload, ref at).Length + OffsetReader.Int32(payload, ref at);
        }

        return sum + OffsetReader.Double(payload, ref at);
    }

    private static double OfAll(PayloadView<Sale> sale)
    {
        double sum = sale.GetText(Customer).Length + sale.Get(Id) + sale.Get(Total);
        foreach (PayloadView<SaleLine> line in sale.GetView(Lines).AsList<SaleLine>())
        {
            sum += OfLine(line) + line.Get(Product);
        }

        foreach (PayloadDictionaryView<string, int>.Pair pair in sale.GetView(Stock).AsDictionary<string, int>())
        {
            sum += pair.Key.AsText().Length + pair.Value.ToObject();
        }

        return sum;
    }

    private static double OfAll(FlatTable sale)
    {
        double sum = sale.Text(0).Count + sale.Int32(1) + sale.Double(4);
        for (int i = 0; i < sale.Count(2); i++)
        {
            FlatTable line = sale.Element(2, i);
            sum += OfLine(line) + line.Int32(2);
        }

        for (int i = 0; i < sale.Count(3); i++)
        {
            FlatTable pair = sale.Element(3, i);
            sum += pair.Text(0).Count + pair.Int32(1);
        }

        return sum;
    }

    private static double OfAll(JsonElement sale)
    {
        double sum = sale.GetProperty("Customer").GetString()!.Length + sale.GetProperty("Id").GetInt32()
            + sale.GetProperty("Total").GetDouble();
        foreach (JsonElement line in sale.GetProperty("Lines").EnumerateArray())
        {
            sum += OfLine(line) + line.GetProperty("Product").GetInt32();
        }

        foreach (JsonProperty pair in sale.GetProperty("Stock").EnumerateObject())
        {
            sum += pair.Name.Length + pair.Value.GetInt32();
        }

        return sum;
    }

    private static double OfAll(Sale sale) => sale.Customer.Length + sale.Id + sale.Total
        + sale.Lines.Sum(line => OfLine(line) + line.Product) + sale.Stock.Sum(pair => pair.Key.Length + pair.Value);
}
