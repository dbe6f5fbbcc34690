namespace Wire.Benchmarks.Integrations;

/// <summary>The options of Wire: the same for all frameworks.</summary>
internal static class MessageOptions
{
    /// <summary>Gets what a program has at first.</summary>
    public static SerializerOptions Plain { get; } = new()
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<OrderEvent>().AllowDerivedFrom<Payment>(),
    };

    /// <summary>Gets those of two sides that have agreed on numbers for their types.</summary>
    public static SerializerOptions Known { get; } = Plain with
    {
        KnownTypes =
        [
            new(1, typeof(OrderPlaced)), new(2, typeof(CardPayment)), new(3, typeof(TransferPayment)), new(4, typeof(OrderLine)),
        ],
    };
}
