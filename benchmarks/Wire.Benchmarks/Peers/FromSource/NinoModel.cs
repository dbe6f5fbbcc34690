using Nino.Core;

namespace Bench;

// What Nino's generator writes code for. Each object says which class it is of, in four bytes, also where both sides name the class.

[NinoType]
public partial interface IMessage;

[NinoType]
public partial class Poco;

[NinoType]
public sealed partial class OneInt;

[NinoType]
public sealed partial class Order;

[NinoType]
public sealed partial class Ping;

[NinoType]
public sealed partial class Ack;

[NinoType]
public sealed partial class Reading;

[NinoType]
public sealed partial class Notice;

[NinoType]
public sealed partial class Move;

[NinoType]
public sealed partial class Transfer;

[NinoType]
public sealed partial class Account;

[NinoType]
public sealed partial class Samples;

[NinoType]
public sealed partial class Basket;

[NinoType]
public sealed partial class Line;

[NinoType]
public sealed partial class Remark;

[NinoType]
public partial interface IShape;

[NinoType]
public sealed partial class Figure;

[NinoType]
public sealed partial class Dot;

[NinoType]
public sealed partial class Circle;

[NinoType]
public sealed partial class Box;

[NinoType]
public sealed partial class Label;

[NinoType]
public sealed partial class Switch;
