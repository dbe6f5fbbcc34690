using Bench;
using Bond;

namespace Wire.Benchmarks;

/// <summary>The model in the types that Bond has. Not timed: making one of these of a value of the model, and back.</summary>
[Schema]
public sealed class BondPoco
{
    [Id(0)]
    public string Text { get; set; } = "";

    [Id(1)]
    public int Number { get; set; }

    [Id(2)]
    public ulong GuidLow { get; set; }

    [Id(3)]
    public ulong GuidHigh { get; set; }

    [Id(4)]
    public long Ticks { get; set; }

    public static BondPoco To(Poco value) => new()
    {
        Text = value.StringProp!,
        Number = value.IntProp,
        GuidLow = Bits.Low(value.GuidProp),
        GuidHigh = Bits.High(value.GuidProp),
        Ticks = value.DateProp.Ticks,
    };

    public static Poco From(BondPoco value) => new()
    {
        StringProp = value.Text,
        IntProp = value.Number,
        GuidProp = Bits.Guid(value.GuidLow, value.GuidHigh),
        DateProp = Bits.Utc(value.Ticks),
    };
}

[Schema]
public sealed class BondInt
{
    [Id(0)]
    public int Number { get; set; }

    public static BondInt To(OneInt value) => new() { Number = value.Number };

    public static OneInt From(BondInt value) => new() { Number = value.Number };
}

[Schema]
public sealed class BondList
{
    [Id(0)]
    public List<BondPoco> Items { get; set; } = [];

    public static BondList To(List<Poco> value) => new() { Items = [.. value.Select(BondPoco.To)] };

    public static List<Poco> From(BondList value) => [.. value.Items.Select(BondPoco.From)];
}

[Schema]
public sealed class BondMap
{
    [Id(0)]
    public Dictionary<string, BondPoco> Items { get; set; } = [];

    public static BondMap To(Dictionary<string, Poco> value) => new() { Items = value.ToDictionary(pair => pair.Key, pair => BondPoco.To(pair.Value)) };

    public static Dictionary<string, Poco> From(BondMap value) => value.Items.ToDictionary(pair => pair.Key, pair => BondPoco.From(pair.Value));
}
