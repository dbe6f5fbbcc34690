namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Creates a stream.</summary>
internal struct CreateStream : IRequest<CreateStream, Nothing>
{
    public string? Stream;
    public IReadOnlyList<Pair>? Arguments;

    public static CommandKey Key => CommandKey.Create;

    static void IFieldGroup<CreateStream>.Fields<TFields>(ref CreateStream group, ref TFields fields)
    {
        fields.Text(ref group.Stream);
        fields.List(ref group.Arguments);
    }
}

/// <summary>Deletes a stream.</summary>
internal struct DeleteStream : IRequest<DeleteStream, Nothing>
{
    public string? Stream;

    public static CommandKey Key => CommandKey.Delete;

    static void IFieldGroup<DeleteStream>.Fields<TFields>(ref DeleteStream group, ref TFields fields)
    {
        fields.Text(ref group.Stream);
    }
}

/// <summary>Asks for figures of a stream (from version 3.11 on).</summary>
internal struct StreamStats : IRequest<StreamStats, ListOf<Figure>>
{
    public string? Stream;

    public static CommandKey Key => CommandKey.StreamStats;

    static void IFieldGroup<StreamStats>.Fields<TFields>(ref StreamStats group, ref TFields fields)
    {
        fields.Text(ref group.Stream);
    }
}

/// <summary>One of them.</summary>
internal struct Figure : IFieldGroup<Figure>
{
    public string? Key;
    public long Value;

    static void IFieldGroup<Figure>.Fields<TFields>(ref Figure group, ref TFields fields)
    {
        fields.Text(ref group.Key);
        fields.Number(ref group.Value);
    }
}
