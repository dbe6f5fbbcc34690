using System.Text.Json.Serialization;

namespace Bench;

/// <summary>
/// What the messages of one object have in common, for libraries that know of polymorphism only where an interface lists the classes
/// that implement it. The attributes are for System.Text.Json.
/// </summary>
[JsonDerivedType(typeof(Poco), "Poco")]
[JsonDerivedType(typeof(OneInt), "OneInt")]
[JsonDerivedType(typeof(Order), "Order")]
[JsonDerivedType(typeof(Ping), "Ping")]
[JsonDerivedType(typeof(Ack), "Ack")]
[JsonDerivedType(typeof(Reading), "Reading")]
[JsonDerivedType(typeof(Notice), "Notice")]
[JsonDerivedType(typeof(Move), "Move")]
[JsonDerivedType(typeof(Transfer), "Transfer")]
[JsonDerivedType(typeof(Samples), "Samples")]
[JsonDerivedType(typeof(Basket), "Basket")]
[JsonDerivedType(typeof(Remark), "Remark")]
public partial interface IMessage;

public partial class Poco : IMessage;

public sealed partial class OneInt : IMessage;

public sealed partial class Order : IMessage;

public sealed partial class Ping : IMessage;

public sealed partial class Ack : IMessage;

public sealed partial class Reading : IMessage;

public sealed partial class Notice : IMessage;

public sealed partial class Move : IMessage;

public sealed partial class Transfer : IMessage;

public sealed partial class Samples : IMessage;

public sealed partial class Basket : IMessage;

public sealed partial class Remark : IMessage;
