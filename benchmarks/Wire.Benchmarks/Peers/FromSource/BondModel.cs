using Bond;
using Bond.Tag;

namespace Wire.Benchmarks.InBond;

// What the model looks like to Bond: the members that bench.proto has, so that these are mapped to each other by name. What is not set in
// a message, or not the one of its oneof, is null here.

[Schema]
internal sealed class Poco
{
    [Id(1)]
    public string Text { get; set; } = "";

    [Id(2)]
    public int Number { get; set; }

    [Id(3)]
    public ulong GuidLow { get; set; }

    [Id(4)]
    public ulong GuidHigh { get; set; }

    [Id(5)]
    public long Ticks { get; set; }
}

[Schema]
internal sealed class OneInt
{
    [Id(1)]
    public int Number { get; set; }
}

[Schema]
internal sealed class PocoList
{
    [Id(1)]
    public List<Poco> Items { get; set; } = [];
}

[Schema]
internal sealed class PocoMap
{
    [Id(1)]
    public Dictionary<string, Poco> Items { get; set; } = [];
}

[Schema]
internal sealed class Ints
{
    [Id(1)]
    public List<int> Items { get; set; } = [];
}

[Schema]
internal sealed class Order
{
    [Id(1)]
    public int Number { get; set; }

    [Id(2)]
    public int CustomerNumber { get; set; }

    [Id(3)]
    public int LineCount { get; set; }

    [Id(4)]
    public int Priority { get; set; }

    [Id(5)]
    public int Warehouse { get; set; }

    [Id(6)]
    public int Revision { get; set; }

    [Id(7)]
    public int Retries { get; set; }

    [Id(8)]
    public int Flags { get; set; }

    [Id(9)]
    public long Sequence { get; set; }

    [Id(10)]
    public long Offset { get; set; }

    [Id(11)]
    public long TotalCents { get; set; }

    [Id(12)]
    public long Version { get; set; }

    [Id(13)]
    public double Weight { get; set; }

    [Id(14)]
    public double Volume { get; set; }

    [Id(15)]
    public double Distance { get; set; }

    [Id(16)]
    public float Discount { get; set; }

    [Id(17)]
    public float Score { get; set; }

    [Id(18)]
    public bool IsPaid { get; set; }

    [Id(19)]
    public bool IsShipped { get; set; }

    [Id(20)]
    public int Channel { get; set; }

    [Id(21)]
    public int Region { get; set; }

    [Id(22)]
    public uint Stage { get; set; }

    [Id(23)]
    public uint Checksum { get; set; }

    [Id(24)]
    public ulong PriceLow { get; set; }

    [Id(25)]
    public ulong PriceHigh { get; set; }

    [Id(26)]
    public string Customer { get; set; } = "";

    [Id(27)]
    public string Street { get; set; } = "";

    [Id(28)]
    public string City { get; set; } = "";

    [Id(29), Type(typeof(nullable<string>))]
    public string? Comment { get; set; }

    [Id(30)]
    public ulong IdLow { get; set; }

    [Id(31)]
    public ulong IdHigh { get; set; }

    [Id(32)]
    public ulong CorrelationLow { get; set; }

    [Id(33)]
    public ulong CorrelationHigh { get; set; }

    [Id(34)]
    public long Created { get; set; }

    [Id(35)]
    public long Changed { get; set; }

    [Id(36)]
    public long Timeout { get; set; }

    [Id(37)]
    public long Due { get; set; }

    [Id(38)]
    public int DueOffset { get; set; }

    [Id(39), Type(typeof(nullable<int>))]
    public int? Coupon { get; set; }

    [Id(40), Type(typeof(nullable<double>))]
    public double? Rating { get; set; }

    [Id(41), Type(typeof(nullable<long>))]
    public long? Cancelled { get; set; }

    [Id(42)]
    public int Status { get; set; }

    [Id(43)]
    public List<int> Lines { get; set; } = [];

    [Id(44)]
    public ArraySegment<byte> Document { get; set; }
}

[Schema]
internal sealed class Dot
{
    [Id(1)]
    public double X { get; set; }

    [Id(2)]
    public double Y { get; set; }
}

[Schema]
internal sealed class Circle
{
    [Id(1)]
    public double X { get; set; }

    [Id(2)]
    public double Y { get; set; }

    [Id(3)]
    public double Radius { get; set; }
}

[Schema]
internal sealed class Box
{
    [Id(1)]
    public int Width { get; set; }

    [Id(2)]
    public int Height { get; set; }
}

[Schema]
internal sealed class Label
{
    [Id(1)]
    public string Text { get; set; } = "";
}

[Schema]
internal sealed class Switch
{
    [Id(1)]
    public bool IsOn { get; set; }

    [Id(2)]
    public long Since { get; set; }
}

[Schema]
internal sealed class Figure
{
    [Id(1)]
    public int Id { get; set; }

    [Id(2), Type(typeof(nullable<Dot>))]
    public Dot? Dot { get; set; }

    [Id(3), Type(typeof(nullable<Circle>))]
    public Circle? Circle { get; set; }

    [Id(4), Type(typeof(nullable<Box>))]
    public Box? Box { get; set; }

    [Id(5), Type(typeof(nullable<Label>))]
    public Label? Label { get; set; }

    [Id(6), Type(typeof(nullable<Switch>))]
    public Switch? Switch { get; set; }
}

[Schema]
internal sealed class FigureList
{
    [Id(1)]
    public List<Figure> Items { get; set; } = [];
}

[Schema]
internal sealed class Shape
{
    [Id(1), Type(typeof(nullable<Dot>))]
    public Dot? Dot { get; set; }

    [Id(2), Type(typeof(nullable<Circle>))]
    public Circle? Circle { get; set; }

    [Id(3), Type(typeof(nullable<Box>))]
    public Box? Box { get; set; }

    [Id(4), Type(typeof(nullable<Label>))]
    public Label? Label { get; set; }

    [Id(5), Type(typeof(nullable<Switch>))]
    public Switch? Switch { get; set; }
}

[Schema]
internal sealed class ShapeList
{
    [Id(1)]
    public List<Shape> Items { get; set; } = [];
}

[Schema]
internal sealed class Text
{
    [Id(1)]
    public string Value { get; set; } = "";
}

[Schema]
internal sealed class TreeNode
{
    [Id(1)]
    public int Id { get; set; }

    [Id(2)]
    public string Name { get; set; } = "";

    [Id(3), Type(typeof(nullable<TreeNode>))]
    public TreeNode? Left { get; set; }

    [Id(4), Type(typeof(nullable<TreeNode>))]
    public TreeNode? Right { get; set; }
}

[Schema]
internal sealed class Uuid
{
    [Id(1)]
    public ulong Low { get; set; }

    [Id(2)]
    public ulong High { get; set; }
}

[Schema]
internal sealed class Argument
{
    [Id(1), Type(typeof(nullable<int>))]
    public int? Int32 { get; set; }

    [Id(2), Type(typeof(nullable<long>))]
    public long? Int64 { get; set; }

    [Id(3), Type(typeof(nullable<string>))]
    public string? Text { get; set; }

    [Id(4), Type(typeof(nullable<bool>))]
    public bool? Flag { get; set; }

    [Id(5), Type(typeof(nullable<double>))]
    public double? Double { get; set; }

    [Id(6), Type(typeof(nullable<Uuid>))]
    public Uuid? Uuid { get; set; }

    [Id(7), Type(typeof(nullable<long>))]
    public long? Ticks { get; set; }

    [Id(8), Type(typeof(nullable<int>))]
    public int? Color { get; set; }

    [Id(9), Type(typeof(nullable<Ints>))]
    public Ints? Ints { get; set; }

    [Id(10), Type(typeof(nullable<Arguments>))]
    public Arguments? Nested { get; set; }

    [Id(11), Type(typeof(nullable<Poco>))]
    public Poco? Poco { get; set; }
}

[Schema]
internal sealed class Arguments
{
    [Id(1)]
    public List<Argument> Items { get; set; } = [];
}

[Schema]
internal sealed class Ping
{
    [Id(1)]
    public long Sequence { get; set; }
}

[Schema]
internal sealed class Ack
{
    [Id(1)]
    public ulong MessageLow { get; set; }

    [Id(2)]
    public ulong MessageHigh { get; set; }

    [Id(3)]
    public bool IsAccepted { get; set; }
}

[Schema]
internal sealed class Reading
{
    [Id(1)]
    public int Sensor { get; set; }

    [Id(2)]
    public double Value { get; set; }

    [Id(3)]
    public long Ticks { get; set; }
}

[Schema]
internal sealed class Notice
{
    [Id(1)]
    public string Topic { get; set; } = "";

    [Id(2)]
    public string Text { get; set; } = "";
}

[Schema]
internal sealed class Move
{
    [Id(1)]
    public int From { get; set; }

    [Id(2)]
    public int To { get; set; }

    [Id(3)]
    public int Color { get; set; }
}

[Schema]
internal sealed class Account
{
    [Id(1)]
    public int Bank { get; set; }

    [Id(2)]
    public long Number { get; set; }
}

[Schema]
internal sealed class Transfer
{
    [Id(1)]
    public ulong IdLow { get; set; }

    [Id(2)]
    public ulong IdHigh { get; set; }

    [Id(3)]
    public Account From { get; set; } = new();

    [Id(4)]
    public Account To { get; set; } = new();

    [Id(5)]
    public ulong AmountLow { get; set; }

    [Id(6)]
    public ulong AmountHigh { get; set; }
}

[Schema]
internal sealed class Samples
{
    [Id(1)]
    public int Sensor { get; set; }

    [Id(2)]
    public List<int> Values { get; set; } = [];
}

[Schema]
internal sealed class Line
{
    [Id(1)]
    public int Product { get; set; }

    [Id(2)]
    public int Quantity { get; set; }

    [Id(3)]
    public double Price { get; set; }
}

[Schema]
internal sealed class Basket
{
    [Id(1)]
    public ulong IdLow { get; set; }

    [Id(2)]
    public ulong IdHigh { get; set; }

    [Id(3)]
    public string Customer { get; set; } = "";

    [Id(4)]
    public List<Line> Lines { get; set; } = [];
}

[Schema]
internal sealed class Remark
{
    [Id(1)]
    public long Id { get; set; }

    [Id(2)]
    public string Author { get; set; } = "";

    [Id(3)]
    public string Text { get; set; } = "";

    [Id(4)]
    public long Ticks { get; set; }
}

[Schema]
internal sealed class Message
{
    [Id(1), Type(typeof(nullable<Ping>))]
    public Ping? Ping { get; set; }

    [Id(2), Type(typeof(nullable<Ack>))]
    public Ack? Ack { get; set; }

    [Id(3), Type(typeof(nullable<Reading>))]
    public Reading? Reading { get; set; }

    [Id(4), Type(typeof(nullable<Notice>))]
    public Notice? Notice { get; set; }

    [Id(5), Type(typeof(nullable<Poco>))]
    public Poco? Poco { get; set; }

    [Id(6), Type(typeof(nullable<Transfer>))]
    public Transfer? Transfer { get; set; }

    [Id(7), Type(typeof(nullable<Samples>))]
    public Samples? Samples { get; set; }

    [Id(8), Type(typeof(nullable<Basket>))]
    public Basket? Basket { get; set; }

    [Id(9), Type(typeof(nullable<Move>))]
    public Move? Move { get; set; }
}

[Schema]
internal sealed class Opened
{
    [Id(1)]
    public string Owner { get; set; } = "";

    [Id(2)]
    public string Currency { get; set; } = "";
}

[Schema]
internal sealed class Deposited
{
    [Id(1)]
    public long Amount { get; set; }

    [Id(2)]
    public long Ticks { get; set; }
}

[Schema]
internal sealed class Withdrawn
{
    [Id(1)]
    public long Amount { get; set; }

    [Id(2)]
    public long Ticks { get; set; }

    [Id(3)]
    public double Fee { get; set; }
}

[Schema]
internal sealed class Renamed
{
    [Id(1)]
    public string Owner { get; set; } = "";
}

[Schema]
internal sealed class Closed;

[Schema]
internal sealed class Event
{
    [Id(1), Type(typeof(nullable<Opened>))]
    public Opened? Opened { get; set; }

    [Id(2), Type(typeof(nullable<Deposited>))]
    public Deposited? Deposited { get; set; }

    [Id(3), Type(typeof(nullable<Withdrawn>))]
    public Withdrawn? Withdrawn { get; set; }

    [Id(4), Type(typeof(nullable<Renamed>))]
    public Renamed? Renamed { get; set; }

    [Id(5), Type(typeof(nullable<Closed>))]
    public Closed? Closed { get; set; }
}

[Schema]
internal sealed class EventList
{
    [Id(1)]
    public List<Event> Items { get; set; } = [];
}
