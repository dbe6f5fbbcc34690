using Bench;
using Bond;

namespace Wire.Benchmarks;

/// <summary>The class of 40 members in the types that Bond has.</summary>
[Schema]
public sealed class BondOrder
{
    [Id(0)]
    public int Number { get; set; }

    [Id(1)]
    public int CustomerNumber { get; set; }

    [Id(2)]
    public int LineCount { get; set; }

    [Id(3)]
    public int Priority { get; set; }

    [Id(4)]
    public int Warehouse { get; set; }

    [Id(5)]
    public int Revision { get; set; }

    [Id(6)]
    public int Retries { get; set; }

    [Id(7)]
    public int Flags { get; set; }

    [Id(8)]
    public long Sequence { get; set; }

    [Id(9)]
    public long Offset { get; set; }

    [Id(10)]
    public long TotalCents { get; set; }

    [Id(11)]
    public long Version { get; set; }

    [Id(12)]
    public double Weight { get; set; }

    [Id(13)]
    public double Volume { get; set; }

    [Id(14)]
    public double Distance { get; set; }

    [Id(15)]
    public float Discount { get; set; }

    [Id(16)]
    public float Score { get; set; }

    [Id(17)]
    public bool IsPaid { get; set; }

    [Id(18)]
    public bool IsShipped { get; set; }

    [Id(19)]
    public short Channel { get; set; }

    [Id(20)]
    public short Region { get; set; }

    [Id(21)]
    public byte Stage { get; set; }

    [Id(22)]
    public uint Checksum { get; set; }

    [Id(23)]
    public ulong PriceLow { get; set; }

    [Id(24)]
    public ulong PriceHigh { get; set; }

    [Id(25)]
    public string Customer { get; set; } = "";

    [Id(26)]
    public string Street { get; set; } = "";

    [Id(27)]
    public string City { get; set; } = "";

    [Id(28), Type(typeof(Bond.Tag.nullable<string>))]
    public string? Comment { get; set; }

    [Id(29)]
    public ulong IdLow { get; set; }

    [Id(30)]
    public ulong IdHigh { get; set; }

    [Id(31)]
    public ulong CorrelationLow { get; set; }

    [Id(32)]
    public ulong CorrelationHigh { get; set; }

    [Id(33)]
    public long Created { get; set; }

    [Id(34)]
    public long Changed { get; set; }

    [Id(35)]
    public long Timeout { get; set; }

    [Id(36)]
    public long Due { get; set; }

    [Id(37)]
    public int DueOffset { get; set; }

    [Id(38), Type(typeof(Bond.Tag.nullable<int>))]
    public int? Coupon { get; set; }

    [Id(39), Type(typeof(Bond.Tag.nullable<double>))]
    public double? Rating { get; set; }

    [Id(40), Type(typeof(Bond.Tag.nullable<long>))]
    public long? Cancelled { get; set; }

    [Id(41)]
    public OrderStatus Status { get; set; }

    [Id(42)]
    public List<int> Lines { get; set; } = [];

    [Id(43), Type(typeof(Bond.Tag.blob))]
    public ArraySegment<byte> Document { get; set; }

    public static BondOrder To(Order value) => new()
    {
        Number = value.Number,
        CustomerNumber = value.CustomerNumber,
        LineCount = value.LineCount,
        Priority = value.Priority,
        Warehouse = value.Warehouse,
        Revision = value.Revision,
        Retries = value.Retries,
        Flags = value.Flags,
        Sequence = value.Sequence,
        Offset = value.Offset,
        TotalCents = value.TotalCents,
        Version = value.Version,
        Weight = value.Weight,
        Volume = value.Volume,
        Distance = value.Distance,
        Discount = value.Discount,
        Score = value.Score,
        IsPaid = value.IsPaid,
        IsShipped = value.IsShipped,
        Channel = value.Channel,
        Region = value.Region,
        Stage = value.Stage,
        Checksum = value.Checksum,
        PriceLow = Bits.Low(value.Price),
        PriceHigh = Bits.High(value.Price),
        Customer = value.Customer,
        Street = value.Street,
        City = value.City,
        Comment = value.Comment,
        IdLow = Bits.Low(value.Id),
        IdHigh = Bits.High(value.Id),
        CorrelationLow = Bits.Low(value.Correlation),
        CorrelationHigh = Bits.High(value.Correlation),
        Created = value.Created.Ticks,
        Changed = value.Changed.Ticks,
        Timeout = value.Timeout.Ticks,
        Due = value.Due.Ticks,
        DueOffset = value.Due.TotalOffsetMinutes,
        Coupon = value.Coupon,
        Rating = value.Rating,
        Cancelled = value.Cancelled?.Ticks,
        Status = value.Status,
        Lines = value.Lines,
        Document = value.Document,
    };

    public static Order From(BondOrder value) => new()
    {
        Number = value.Number,
        CustomerNumber = value.CustomerNumber,
        LineCount = value.LineCount,
        Priority = value.Priority,
        Warehouse = value.Warehouse,
        Revision = value.Revision,
        Retries = value.Retries,
        Flags = value.Flags,
        Sequence = value.Sequence,
        Offset = value.Offset,
        TotalCents = value.TotalCents,
        Version = value.Version,
        Weight = value.Weight,
        Volume = value.Volume,
        Distance = value.Distance,
        Discount = value.Discount,
        Score = value.Score,
        IsPaid = value.IsPaid,
        IsShipped = value.IsShipped,
        Channel = value.Channel,
        Region = value.Region,
        Stage = value.Stage,
        Checksum = value.Checksum,
        Price = Bits.Decimal(value.PriceLow, value.PriceHigh),
        Customer = value.Customer,
        Street = value.Street,
        City = value.City,
        Comment = value.Comment,
        Id = Bits.Guid(value.IdLow, value.IdHigh),
        Correlation = Bits.Guid(value.CorrelationLow, value.CorrelationHigh),
        Created = Bits.Utc(value.Created),
        Changed = Bits.Utc(value.Changed),
        Timeout = TimeSpan.FromTicks(value.Timeout),
        Due = new DateTimeOffset(value.Due, TimeSpan.FromMinutes(value.DueOffset)),
        Coupon = value.Coupon,
        Rating = value.Rating,
        Cancelled = value.Cancelled is { } ticks ? Bits.Utc(ticks) : null,
        Status = value.Status,
        Lines = value.Lines,
        Document = [.. value.Document],
    };
}
