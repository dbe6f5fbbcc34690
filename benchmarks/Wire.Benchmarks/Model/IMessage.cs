using System.Text.Json.Serialization;

namespace Bench;

/// <summary>
/// What the messages of one object have in common, for libraries that know of polymorphism only where an interface lists the classes
/// that implement it. The attributes are for System.Text.Json.
/// </summary>
[JsonDerivedType(typeof(Poco), "Poco")]
[JsonDerivedType(typeof(OneInt), "OneInt")]
[JsonDerivedType(typeof(Order), "Order")]
public partial interface IMessage;

public partial class Poco : IMessage;

public sealed partial class OneInt : IMessage;

public sealed partial class Order : IMessage;
