using MemoryPack;

namespace Bench;

// What MemoryPack's generator writes code for.

[MemoryPackable]
[MemoryPackUnion(0, typeof(Poco))]
[MemoryPackUnion(1, typeof(OneInt))]
[MemoryPackUnion(2, typeof(Order))]
[MemoryPackUnion(3, typeof(Ping))]
[MemoryPackUnion(4, typeof(Ack))]
[MemoryPackUnion(5, typeof(Reading))]
[MemoryPackUnion(6, typeof(Notice))]
[MemoryPackUnion(7, typeof(Move))]
[MemoryPackUnion(8, typeof(Transfer))]
[MemoryPackUnion(9, typeof(Samples))]
[MemoryPackUnion(10, typeof(Basket))]
[MemoryPackUnion(11, typeof(Remark))]
public partial interface IMessage;

[MemoryPackable]
public partial class Poco;

[MemoryPackable]
public sealed partial class OneInt;

[MemoryPackable]
public sealed partial class Order;

[MemoryPackable]
public sealed partial class Ping;

[MemoryPackable]
public sealed partial class Ack;

[MemoryPackable]
public sealed partial class Reading;

[MemoryPackable]
public sealed partial class Notice;

[MemoryPackable]
public sealed partial class Move;

[MemoryPackable]
public sealed partial class Transfer;

[MemoryPackable]
public sealed partial class Samples;

[MemoryPackable]
public sealed partial class Basket;

[MemoryPackable]
public sealed partial class Remark;

[MemoryPackable]
public sealed partial class Account;

[MemoryPackable]
public sealed partial class Line;

[MemoryPackable]
[MemoryPackUnion(0, typeof(Dot))]
[MemoryPackUnion(1, typeof(Circle))]
[MemoryPackUnion(2, typeof(Box))]
[MemoryPackUnion(3, typeof(Label))]
[MemoryPackUnion(4, typeof(Switch))]
public partial interface IShape;

[MemoryPackable]
public sealed partial class Figure;

[MemoryPackable]
public sealed partial class Dot;

[MemoryPackable]
public sealed partial class Circle;

[MemoryPackable]
public sealed partial class Box;

[MemoryPackable]
public sealed partial class Label;

[MemoryPackable]
public sealed partial class Switch;

[MemoryPackable(GenerateType.CircularReference, SerializeLayout.Sequential)]
public sealed partial class TreeNode;
