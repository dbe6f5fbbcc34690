namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Stores where a named consumer is. It is not answered.</summary>
internal struct StoreOffset : ICommand<StoreOffset>
{
    public string? Reference;
    public string? Stream;
    public ulong Offset;

    public static CommandKey Key => CommandKey.StoreOffset;

    static void IFieldGroup<StoreOffset>.Fields<TFields>(ref StoreOffset group, ref TFields fields)
    {
        fields.Text(ref group.Reference);
        fields.Text(ref group.Stream);
        fields.Number(ref group.Offset);
    }
}

/// <summary>Asks where a named consumer is.</summary>
internal struct QueryOffset : IRequest<QueryOffset, Number<ulong>>
{
    public string? Reference;
    public string? Stream;

    public static CommandKey Key => CommandKey.QueryOffset;

    static void IFieldGroup<QueryOffset>.Fields<TFields>(ref QueryOffset group, ref TFields fields)
    {
        fields.Text(ref group.Reference);
        fields.Text(ref group.Stream);
    }
}
