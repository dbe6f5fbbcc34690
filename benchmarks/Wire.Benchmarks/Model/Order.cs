using System.Runtime.Serialization;

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
[DataContract]
public sealed partial class Order
{
    /// <summary>1 to 8: int.</summary>
    [DataMember(Order = 0)]
    public int Number { get; set; }

    [DataMember(Order = 1)]
    public int CustomerNumber { get; set; }

    [DataMember(Order = 2)]
    public int LineCount { get; set; }

    [DataMember(Order = 3)]
    public int Priority { get; set; }

    [DataMember(Order = 4)]
    public int Warehouse { get; set; }

    [DataMember(Order = 5)]
    public int Revision { get; set; }

    [DataMember(Order = 6)]
    public int Retries { get; set; }

    [DataMember(Order = 7)]
    public int Flags { get; set; }

    /// <summary>9 to 12: long.</summary>
    [DataMember(Order = 8)]
    public long Sequence { get; set; }

    [DataMember(Order = 9)]
    public long Offset { get; set; }

    [DataMember(Order = 10)]
    public long TotalCents { get; set; }

    [DataMember(Order = 11)]
    public long Version { get; set; }

    /// <summary>13 to 15: double.</summary>
    [DataMember(Order = 12)]
    public double Weight { get; set; }

    [DataMember(Order = 13)]
    public double Volume { get; set; }

    [DataMember(Order = 14)]
    public double Distance { get; set; }

    /// <summary>16, 17: float.</summary>
    [DataMember(Order = 15)]
    public float Discount { get; set; }

    [DataMember(Order = 16)]
    public float Score { get; set; }

    /// <summary>18, 19: bool.</summary>
    [DataMember(Order = 17)]
    public bool IsPaid { get; set; }

    [DataMember(Order = 18)]
    public bool IsShipped { get; set; }

    /// <summary>20, 21: short.</summary>
    [DataMember(Order = 19)]
    public short Channel { get; set; }

    [DataMember(Order = 20)]
    public short Region { get; set; }

    /// <summary>22 to 24: byte, uint, decimal.</summary>
    [DataMember(Order = 21)]
    public byte Stage { get; set; }

    [DataMember(Order = 22)]
    public uint Checksum { get; set; }

    [DataMember(Order = 23)]
    public decimal Price { get; set; }

    /// <summary>25 to 28: string.</summary>
    [DataMember(Order = 24)]
    public string Customer { get; set; } = "";

    [DataMember(Order = 25)]
    public string Street { get; set; } = "";

    [DataMember(Order = 26)]
    public string City { get; set; } = "";

    [DataMember(Order = 27)]
    public string? Comment { get; set; }

    /// <summary>29, 30: Guid.</summary>
    [DataMember(Order = 28)]
    public Guid Id { get; set; }

    [DataMember(Order = 29)]
    public Guid Correlation { get; set; }

    /// <summary>31 to 34: times.</summary>
    [DataMember(Order = 30)]
    public DateTime Created { get; set; }

    [DataMember(Order = 31)]
    public DateTime Changed { get; set; }

    [DataMember(Order = 32)]
    public TimeSpan Timeout { get; set; }

    [DataMember(Order = 33)]
    public DateTimeOffset Due { get; set; }

    /// <summary>35 to 37: nullable, of which one is null.</summary>
    [DataMember(Order = 34)]
    public int? Coupon { get; set; }

    [DataMember(Order = 35)]
    public double? Rating { get; set; }

    [DataMember(Order = 36)]
    public DateTime? Cancelled { get; set; }

    /// <summary>38: an enum.</summary>
    [DataMember(Order = 37)]
    public OrderStatus Status { get; set; }

    /// <summary>39: a list of 100.</summary>
    [DataMember(Order = 38)]
    public List<int> Lines { get; set; } = null!;

    /// <summary>40: 4 KB of bytes.</summary>
    [DataMember(Order = 39)]
    public byte[] Document { get; set; } = [];
}
