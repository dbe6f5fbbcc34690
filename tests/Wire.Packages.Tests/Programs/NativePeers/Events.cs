using System.Text.Json.Serialization;
using MemoryPack;
using PolyType;

namespace Shop;

// An interface with twenty implementations, each named to each serializer that asks for it.

[MemoryPackable]
[MemoryPackUnion(0, typeof(Placed))]
[MemoryPackUnion(1, typeof(Paid))]
[MemoryPackUnion(2, typeof(Shipped))]
[MemoryPackUnion(3, typeof(Cancelled))]
[MemoryPackUnion(4, typeof(Returned))]
[MemoryPackUnion(5, typeof(Renamed))]
[MemoryPackUnion(6, typeof(Moved))]
[MemoryPackUnion(7, typeof(Priced))]
[MemoryPackUnion(8, typeof(Counted))]
[MemoryPackUnion(9, typeof(Rated))]
[MemoryPackUnion(10, typeof(Noted))]
[MemoryPackUnion(11, typeof(Tagged))]
[MemoryPackUnion(12, typeof(Timed))]
[MemoryPackUnion(13, typeof(Due))]
[MemoryPackUnion(14, typeof(Opened))]
[MemoryPackUnion(15, typeof(Closed))]
[MemoryPackUnion(16, typeof(Linked))]
[MemoryPackUnion(17, typeof(Split))]
[MemoryPackUnion(18, typeof(Staged))]
[MemoryPackUnion(19, typeof(Emptied))]
[DerivedTypeShape(typeof(Placed), Tag = 0)]
[DerivedTypeShape(typeof(Paid), Tag = 1)]
[DerivedTypeShape(typeof(Shipped), Tag = 2)]
[DerivedTypeShape(typeof(Cancelled), Tag = 3)]
[DerivedTypeShape(typeof(Returned), Tag = 4)]
[DerivedTypeShape(typeof(Renamed), Tag = 5)]
[DerivedTypeShape(typeof(Moved), Tag = 6)]
[DerivedTypeShape(typeof(Priced), Tag = 7)]
[DerivedTypeShape(typeof(Counted), Tag = 8)]
[DerivedTypeShape(typeof(Rated), Tag = 9)]
[DerivedTypeShape(typeof(Noted), Tag = 10)]
[DerivedTypeShape(typeof(Tagged), Tag = 11)]
[DerivedTypeShape(typeof(Timed), Tag = 12)]
[DerivedTypeShape(typeof(Due), Tag = 13)]
[DerivedTypeShape(typeof(Opened), Tag = 14)]
[DerivedTypeShape(typeof(Closed), Tag = 15)]
[DerivedTypeShape(typeof(Linked), Tag = 16)]
[DerivedTypeShape(typeof(Split), Tag = 17)]
[DerivedTypeShape(typeof(Staged), Tag = 18)]
[DerivedTypeShape(typeof(Emptied), Tag = 19)]
[JsonDerivedType(typeof(Placed), 0)]
[JsonDerivedType(typeof(Paid), 1)]
[JsonDerivedType(typeof(Shipped), 2)]
[JsonDerivedType(typeof(Cancelled), 3)]
[JsonDerivedType(typeof(Returned), 4)]
[JsonDerivedType(typeof(Renamed), 5)]
[JsonDerivedType(typeof(Moved), 6)]
[JsonDerivedType(typeof(Priced), 7)]
[JsonDerivedType(typeof(Counted), 8)]
[JsonDerivedType(typeof(Rated), 9)]
[JsonDerivedType(typeof(Noted), 10)]
[JsonDerivedType(typeof(Tagged), 11)]
[JsonDerivedType(typeof(Timed), 12)]
[JsonDerivedType(typeof(Due), 13)]
[JsonDerivedType(typeof(Opened), 14)]
[JsonDerivedType(typeof(Closed), 15)]
[JsonDerivedType(typeof(Linked), 16)]
[JsonDerivedType(typeof(Split), 17)]
[JsonDerivedType(typeof(Staged), 18)]
[JsonDerivedType(typeof(Emptied), 19)]
public partial interface IEvent;

[MemoryPackable]
public sealed partial record Placed(int Id, string Customer) : IEvent;

[MemoryPackable]
public sealed partial record Paid(int Id, decimal Amount) : IEvent;

[MemoryPackable]
public sealed partial record Shipped(int Id, int[] Parcels) : IEvent
{
    public bool Equals(Shipped? other) => other is not null && other.Id == Id && other.Parcels.AsSpan().SequenceEqual(Parcels);

    public override int GetHashCode() => Id;
}

[MemoryPackable]
public sealed partial record Cancelled(int Id, string? Reason) : IEvent;

[MemoryPackable]
public sealed partial record Returned(int Id, bool Damaged) : IEvent;

[MemoryPackable]
public sealed partial record Renamed(int Id, string Old, string New) : IEvent;

[MemoryPackable]
public sealed partial record Moved(int Id, double X, double Y) : IEvent;

[MemoryPackable]
public sealed partial record Priced(int Id, Money Price) : IEvent;

[MemoryPackable]
public sealed partial record Counted(int Id, long Count) : IEvent;

[MemoryPackable]
public sealed partial record Rated(int Id, byte Stars) : IEvent;

[MemoryPackable]
public sealed partial record Noted(int Id, string Text) : IEvent;

[MemoryPackable]
public sealed partial record Tagged(int Id, Guid Tag) : IEvent;

[MemoryPackable]
public sealed partial record Timed(int Id, TimeSpan Took) : IEvent;

[MemoryPackable]
public sealed partial record Due(int Id, DateOnly On) : IEvent;

[MemoryPackable]
public sealed partial record Opened(int Id, DateTimeOffset At) : IEvent;

[MemoryPackable]
public sealed partial record Closed(int Id, DateTime At) : IEvent;

[MemoryPackable]
public sealed partial record Linked(int Id, int? Other) : IEvent;

[MemoryPackable]
public sealed partial record Split(int Id, float Share) : IEvent;

[MemoryPackable]
public sealed partial record Staged(int Id, Stage Stage) : IEvent;

[MemoryPackable]
public sealed partial record Emptied : IEvent;

public static class Events
{
    public static List<IEvent> Twenty() =>
    [
        new Placed(1, "Ada"),
        new Paid(2, 1.50m),
        new Shipped(3, [1, 2]),
        new Cancelled(4, null),
        new Returned(5, true),
        new Renamed(6, "a", "b"),
        new Moved(7, 1.5, -2),
        new Priced(8, new Money(2, "EUR")),
        new Counted(9, long.MaxValue),
        new Rated(10, 5),
        new Noted(11, "äöü"),
        new Tagged(12, new Guid("00112233445566778899aabbccddeeff")),
        new Timed(13, TimeSpan.FromTicks(1)),
        new Due(14, new DateOnly(2026, 1, 2)),
        new Opened(15, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2))),
        new Closed(16, new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc)),
        new Linked(17, 4),
        new Split(18, 0.25f),
        new Staged(19, Stage.Shipped),
        new Emptied(),
    ];
}
