using MessagePack;

namespace Wire.Benchmarks.Integrations;

/// <content>What MessagePack asks for.</content>
[Union(0, typeof(OrderPlaced))]
public abstract partial class OrderEvent;

/// <content>What MessagePack asks for.</content>
[Union(0, typeof(CardPayment))]
[Union(1, typeof(TransferPayment))]
public abstract partial class Payment;
