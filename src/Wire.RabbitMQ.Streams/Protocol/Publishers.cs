namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Makes a publisher on this connection.</summary>
internal struct DeclarePublisher : IRequest<DeclarePublisher, Nothing>
{
    /// <summary>Its number on this connection, which the client chooses.</summary>
    public byte PublisherId;

    /// <summary>The name under which the broker remembers its sequence; empty for none.</summary>
    public string? Reference;

    public string? Stream;

    public static CommandKey Key => CommandKey.DeclarePublisher;

    static void IFieldGroup<DeclarePublisher>.Fields<TFields>(ref DeclarePublisher group, ref TFields fields)
    {
        fields.Number(ref group.PublisherId);
        fields.Text(ref group.Reference);
        fields.Text(ref group.Stream);
    }
}

/// <summary>Ends a publisher of this connection.</summary>
internal struct DeletePublisher : IRequest<DeletePublisher, Nothing>
{
    public byte PublisherId;

    public static CommandKey Key => CommandKey.DeletePublisher;

    static void IFieldGroup<DeletePublisher>.Fields<TFields>(ref DeletePublisher group, ref TFields fields)
    {
        fields.Number(ref group.PublisherId);
    }
}

/// <summary>Asks for the last publishing id that a stream has of a named publisher.</summary>
internal struct QueryPublisherSequence : IRequest<QueryPublisherSequence, Number<ulong>>
{
    public string? Reference;
    public string? Stream;

    public static CommandKey Key => CommandKey.QueryPublisherSequence;

    static void IFieldGroup<QueryPublisherSequence>.Fields<TFields>(ref QueryPublisherSequence group, ref TFields fields)
    {
        fields.Text(ref group.Reference);
        fields.Text(ref group.Stream);
    }
}
