namespace Wire.Benchmarks.Integrations;

/// <summary>Writes the sample through a framework's serializer, and reads it.</summary>
internal abstract class RoundTrip
{
    /// <summary>What payloads may name: the same line for all frameworks.</summary>
    public static SerializerOptions Options { get; } = new()
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<OrderEvent>().AllowDerivedFrom<Payment>(),
    };

    protected OrderPlaced Message { get; } = Sample.Create();

    /// <summary>Gets the number of bytes of a message.</summary>
    public abstract int Size { get; }

    /// <summary>Writes and reads.</summary>
    public abstract OrderPlaced Run();

    /// <summary>Fails where what is read differs from what was written.</summary>
    public void Check()
    {
        if (new GraphEquality(new Serializer(Options)).FindDifference(Message, Run()) is { } difference)
        {
            throw new InvalidOperationException($"{GetType()} reads another message: {difference}");
        }
    }
}
