using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Types of payloads that a program has not allowed, or does not have.</summary>
internal static class FilterMistakes
{
    private static readonly byte[] Placed = Default.Serialize<object>(new Placed(1, "Ann"));

    public static Mistake[] All =>
    [
        new(
            "reading an object without a filter",
            () => Default.Deserialize<object>(Placed),
            "at byte",
            "TypeFilter, for example by WireTypeFilter.Default.Allow<Placed>()"),
        new(
            "reading a base class without a filter",
            () => Default.Deserialize<Message>(Placed),
            "Mistakes.Placed",
            ".AllowDerivedFrom<Message>()"),
        new(
            "a derived class in a member",
            () => Default.Deserialize<Envelope>(Default.Serialize(new Envelope(new Placed(1, "Ann")))),
            "in Body",
            ".AllowDerivedFrom<Message>()"),
        new(
            "a class behind an interface",
            () => Default.Deserialize<Envelope>(Default.Serialize(new Envelope(null, new Circle(1)))),
            "in Shape",
            ".AllowDerivedFrom<IShape>()"),
        new(
            "a class in a member of type object",
            () => Default.Deserialize<Envelope>(Default.Serialize(new Envelope(null, null, new Circle(1)))),
            "in Any",
            "WireTypeFilter.Default.Allow<Circle>()"),
        new(
            "a derived class in a list",
            () => Default.Deserialize<Basket>(Default.Serialize(new Basket(1, [new Placed(1, "Ann")], []))),
            "in Messages[0]",
            ".AllowDerivedFrom<Message>()"),
        new(
            "a class in a dictionary of objects",
            () => Default.Deserialize<Basket>(Default.Serialize(new Basket(1, [], new() { ["a"] = new Circle(1) }))),
            "in Notes",
            "WireTypeFilter.Default.Allow<Circle>()"),
        new(
            "a type that is denied",
            () => Allowing(WireTypeFilter.Default.AllowDerivedFrom<Message>().Deny<Placed>()).Deserialize<Message>(Placed),
            "Mistakes.Placed",
            "remove that rule if payloads may have the type"),
        new(
            "asking for another class",
            () => Default.Deserialize<Cancelled>(Placed),
            "asked for a Wire.Tests.Errors.Mistakes.Cancelled",
            "Ask for Wire.Tests.Errors.Mistakes.Placed. Or, if payloads may hold either"),
        new(
            "an anonymous type",
            () => Default.Deserialize<object>(Default.Serialize(new { Id = 1 })),
            "AnonymousType",
            "Use a record or class of your own"),
        new(
            "a comparer of one's own",
            () => Default.Deserialize<HashSet<string>>(Default.Serialize(new HashSet<string>(new ByLength()))),
            "Mistakes.ByLength",
            "WireTypeFilter.Default.Allow<ByLength>()"),
        new(
            "a Type as a value",
            () => Default.Deserialize<Type>(Default.Serialize(typeof(Placed))),
            "Mistakes.Placed",
            "WireTypeFilter.Default.Allow<Placed>()"),
        new(
            "a type that can do harm",
            () => Trusting.Deserialize<object>(Filtering("System.Diagnostics.Process, System.Diagnostics.Process")),
            "System.Diagnostics.Process",
            "Write a type of your own instead, by a surrogate"),
        new(
            "a secret",
            () => Default.Deserialize<object>(Filtering("System.Net.NetworkCredential")),
            "System.Net.NetworkCredential",
            "Write what a reader needs of it as a type of your own"),
        new(
            "an alias that only the writer has",
            () => Default.Deserialize<Message>(Naming(TypeAliases.None.Alias<Placed>("Shop.Old")).Serialize<Message>(new Placed(1, "Ann"))),
            "'Shop.Old'",
            "[WireName(\"Shop.Old\")]"),
        new(
            "a class that was renamed",
            () => Allowing(WireTypeFilter.Default.AllowNamespace("Wire.Tests.Errors.Mistakes"))
                .Deserialize<Message>(Filtering("Wire.Tests.Errors.Mistakes.Gone, Wire.Tests")),
            "Mistakes.Gone, Wire.Tests",
            "SerializerOptions.TypeAliases.Redirect(\"Wire.Tests.Errors.Mistakes.Gone, Wire.Tests\""),
        new(
            "an assembly that is not there",
            () => Allowing(WireTypeFilter.Default.AllowNamespace("Elsewhere"))
                .Deserialize<Message>(Filtering("Elsewhere.Thing, Elsewhere")),
            "its assembly Elsewhere is not loaded",
            "load it first, or give the type itself to WireTypeFilter.Allow"),
        new(
            "a known type that only the writer has",
            () => Default.Deserialize<Placed>(
                With(new() { KnownTypes = [new(7, typeof(Placed))] }).Serialize(new Placed(1, "Ann"))),
            "known type 7",
            "Add the type that the writer has by this number"),
        new(
            "two types of one name, allowed together",
            () => Allowing(WireTypeFilter.Default.AllowDerivedFrom<Message>())
                .Deserialize<Message>(Default.Serialize<Message>(new Payment(1))),
            "Shop.Payment",
            "Give each a [WireName] or an alias of its own"),
    ];

    private static byte[] Filtering(string name) => Wire.Tests.Behaviour.Filtering.FilterTests.Named(name);
}
