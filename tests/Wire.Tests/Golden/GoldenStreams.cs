using Wire.Tests.Testing;

namespace Wire.Tests.Golden;

/// <summary>Messages whose bytes are kept together, because they are read in their order.</summary>
/// <param name="Name">The name of the file.</param>
/// <param name="Options">The options of the writer and of the reader.</param>
/// <param name="IsSession">True if they are messages of one session.</param>
/// <param name="Values">The values.</param>
internal sealed record GoldenStream(string Name, SerializerOptions Options, bool IsSession, object[] Values)
{
    private static readonly SerializerOptions Copies = Configuration.Options(references: false, tolerance: true, dynamicCode: true);

    private static readonly SerializerOptions References = Copies with { PreserveObjectReferences = true };

    /// <summary>Gets the streams of the golden vectors. They are only ever added to.</summary>
    public static IReadOnlyList<GoldenStream> All { get; } =
    [
        new("Session", Copies, true, [Order(1), Order(2), new object[] { new GoldenLine("nut", 0.5m, 3), Order(3) }, 5]),
        new("Session-references", References, true, [Cycle(1), "between", Cycle(2), Shared()]),
        new("Known-types", Known(Copies), false, [Order(1), Shared()]),
        new("Known-types-references", Known(References), false, [Cycle(1), Shared()]),
        new("Known-types-session", Known(References), true, [Cycle(1), Shared(), Cycle(2)]),
        new("Frame", Framed(Copies), false, [new object[] { new GoldenEnvelope { Content = Order(1) }, Order(2) }]),
        new("Frame-references", Framed(References), false, [Inside()]),
        new("Frame-session", Framed(References), true, [Inside(), Order(3), Inside()]),
        new("LinkedListNode-references", References, false, Nodes()),
    ];

    private static SerializerOptions Known(SerializerOptions options) =>
        options with { KnownTypes = [new(1, typeof(GoldenOrder)), new(300, typeof(List<GoldenLine>))] };

    private static SerializerOptions Framed(SerializerOptions options) =>
        options with { ValueSerializerFactories = [ValueSerializerFactory.For(new GoldenEnvelopeSerializer())] };

    private static GoldenOrder Order(int number) =>
        new() { Number = number, Note = $"order {number}", Lines = [new("bolt", 0.25m, number)], Extra = number % 2 == 0 ? null : 1.5 };

    private static GoldenOrder Cycle(int number)
    {
        GoldenOrder order = Order(number);
        order.Previous = new GoldenOrder { Number = -number, Extra = order.Lines, Previous = order };
        return order;
    }

    private static object[] Shared()
    {
        GoldenOrder order = Order(7);
        return [order, order.Lines, order, new List<GoldenLine> { new("washer", 0.01m, null) }];
    }

    // A node alone with its list, behind its list, in front of it, in a list that refers to it, and without a list.
    private static object[] Nodes()
    {
        var list = new LinkedList<string?>(["a", null, "b"]);
        var cycle = new LinkedList<object>();
        cycle.AddLast((object)cycle.AddLast("c"));
        cycle.AddLast(new object[] { cycle.Last!, cycle });
        return
        [
            list.Last!, new object[] { list, list.First!, list.Last! }, new object[] { list.First!.Next!, list, list.First }, cycle,
            cycle.First!, cycle.Last!, new object[] { new LinkedListNode<string?>("d"), list.First },
        ];
    }

    // The types that a frame defines are forgotten behind it, and the numbers of its objects are not.
    private static object[] Inside()
    {
        GoldenOrder order = Order(4);
        return [new GoldenEnvelope { Content = order }, Order(5), new GoldenEnvelope { Content = new List<object> { Order(6) } }, "end"];
    }
}

/// <summary>A value that the program writes itself.</summary>
public sealed class GoldenEnvelope
{
    public object? Content { get; set; }
}

internal sealed class GoldenEnvelopeSerializer : ValueSerializer<GoldenEnvelope>
{
    public override void Write(ref WireWriter writer, GoldenEnvelope value) => writer.WriteValue(value.Content);

    public override GoldenEnvelope Read(ref WireReader reader) => new() { Content = reader.ReadValue<object>() };
}
