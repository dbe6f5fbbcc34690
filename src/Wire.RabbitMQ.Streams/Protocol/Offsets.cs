namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Stores the offset of a named consumer. It is not answered.</summary>
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

/// <summary>Asks for the offset of a named consumer.</summary>
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

/// <summary>The start of a subscription: a kind, and for two of them a number.</summary>
internal struct OffsetFields : IFieldGroup<OffsetFields>
{
    public ushort Kind;
    public long Value;

    public static void Fields<TFields>(ref OffsetFields group, ref TFields fields)
        where TFields : struct, IFields, allows ref struct
    {
        fields.Number(ref group.Kind);
        if ((StreamOffsetKind)group.Kind is StreamOffsetKind.Offset or StreamOffsetKind.Timestamp)
        {
            fields.Number(ref group.Value);
        }
    }
}
