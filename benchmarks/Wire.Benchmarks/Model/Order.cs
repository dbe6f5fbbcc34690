namespace Bench;

/// <summary>How far an order has come.</summary>
public enum OrderStatus
{
    /// <summary>Just arrived.</summary>
    Received,

    /// <summary>Paid for.</summary>
    Paid,

    /// <summary>On its way.</summary>
    Shipped,
}

/// <summary>A class of 40 members, as business programs have them.</summary>
public sealed partial class Order
{
    /// <summary>1 to 8: int.</summary>
    public int Number { get; set; }

    public int CustomerNumber { get; set; }

    public int LineCount { get; set; }

    public int Priority { get; set; }

    public int Warehouse { get; set; }

    public int Revision { get; set; }

    public int Retries { get; set; }

    public int Flags { get; set; }

    /// <summary>9 to 12: long.</summary>
    public long Sequence { get; set; }

    public long Offset { get; set; }

    public long TotalCents { get; set; }

    public long Version { get; set; }

    /// <summary>13 to 15: double.</summary>
    public double Weight { get; set; }

    public double Volume { get; set; }

    public double Distance { get; set; }

    /// <summary>16, 17: float.</summary>
    public float Discount { get; set; }

    public float Score { get; set; }

    /// <summary>18, 19: bool.</summary>
    public bool IsPaid { get; set; }

    public bool IsShipped { get; set; }

    /// <summary>20, 21: short.</summary>
    public short Channel { get; set; }

    public short Region { get; set; }

    /// <summary>22 to 24: byte, uint, decimal.</summary>
    public byte Stage { get; set; }

    public uint Checksum { get; set; }

    public decimal Price { get; set; }

    /// <summary>25 to 28: string.</summary>
    public string Customer { get; set; } = "";

    public string Street { get; set; } = "";

    public string City { get; set; } = "";

    public string? Comment { get; set; }

    /// <summary>29, 30: Guid.</summary>
    public Guid Id { get; set; }

    public Guid Correlation { get; set; }

    /// <summary>31 to 34: times.</summary>
    public DateTime Created { get; set; }

    public DateTime Changed { get; set; }

    public TimeSpan Timeout { get; set; }

    public DateTimeOffset Due { get; set; }

    /// <summary>35 to 37: nullable, of which one is null.</summary>
    public int? Coupon { get; set; }

    public double? Rating { get; set; }

    public DateTime? Cancelled { get; set; }

    /// <summary>38: an enum.</summary>
    public OrderStatus Status { get; set; }

    /// <summary>39: a list of 100.</summary>
    public List<int> Lines { get; set; } = null!;

    /// <summary>40: 4 KB of bytes.</summary>
    public byte[] Document { get; set; } = [];
}
