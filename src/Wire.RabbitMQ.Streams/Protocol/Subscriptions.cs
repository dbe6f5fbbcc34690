namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Begins to deliver the chunks of a stream.</summary>
internal struct Subscribe : IRequest<Subscribe, Nothing>
{
    /// <summary>Its number on this connection, which the client chooses.</summary>
    public byte SubscriptionId;

    public string? Stream;
    public OffsetFields Offset;
    /// <summary>The number of chunks that may come before more credit is given.</summary>
    public ushort Credit;

    public IReadOnlyList<Pair>? Properties;

    public static CommandKey Key => CommandKey.Subscribe;

    static void IFieldGroup<Subscribe>.Fields<TFields>(ref Subscribe group, ref TFields fields)
    {
        fields.Number(ref group.SubscriptionId);
        fields.Text(ref group.Stream);
        OffsetFields.Fields(ref group.Offset, ref fields);
        fields.Number(ref group.Credit);
        fields.List(ref group.Properties);
    }
}

/// <summary>Allows more chunks. Only errors are answered, without a correlation.</summary>
internal struct Credit : ICommand<Credit>
{
    public byte SubscriptionId;
    public ushort Chunks;

    public static CommandKey Key => CommandKey.Credit;

    static void IFieldGroup<Credit>.Fields<TFields>(ref Credit group, ref TFields fields)
    {
        fields.Number(ref group.SubscriptionId);
        fields.Number(ref group.Chunks);
    }
}

/// <summary>Ends a subscription of this connection.</summary>
internal struct Unsubscribe : IRequest<Unsubscribe, Nothing>
{
    public byte SubscriptionId;

    public static CommandKey Key => CommandKey.Unsubscribe;

    static void IFieldGroup<Unsubscribe>.Fields<TFields>(ref Unsubscribe group, ref TFields fields)
    {
        fields.Number(ref group.SubscriptionId);
    }
}

/// <summary>Tells a single active consumer that it is active, or no longer is (from the broker).</summary>
internal struct ConsumerUpdate : ICommand<ConsumerUpdate>
{
    public byte SubscriptionId;
    public byte Active;

    public static CommandKey Key => CommandKey.ConsumerUpdate;

    static void IFieldGroup<ConsumerUpdate>.Fields<TFields>(ref ConsumerUpdate group, ref TFields fields)
    {
        fields.Number(ref group.SubscriptionId);
        fields.Number(ref group.Active);
    }
}
