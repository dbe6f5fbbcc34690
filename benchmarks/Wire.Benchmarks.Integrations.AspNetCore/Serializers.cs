namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers: what a program has at first, and one whose sides have agreed on numbers for their types.</summary>
internal static class Serializers
{
    private static readonly SerializerOptions Options = new()
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<OrderEvent>().AllowDerivedFrom<Payment>(),
    };

    public static Serializer Plain { get; } = new(Options);

    public static Serializer Known { get; } = new(Options with
    {
        KnownTypes =
        [
            new(1, typeof(OrderPlaced)), new(2, typeof(CardPayment)), new(3, typeof(TransferPayment)), new(4, typeof(OrderLine)),
            new(5, typeof(Enclosed)),
        ],
    });
}
