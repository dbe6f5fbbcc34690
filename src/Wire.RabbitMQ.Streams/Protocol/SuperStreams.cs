namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Creates a super stream (from version 3.13 on).</summary>
internal struct CreateSuperStream : IRequest<CreateSuperStream, Nothing>
{
    public string? Name;
    public IReadOnlyList<Item>? Partitions;
    public IReadOnlyList<Item>? BindingKeys;
    public IReadOnlyList<Pair>? Arguments;

    public static CommandKey Key => CommandKey.CreateSuperStream;

    static void IFieldGroup<CreateSuperStream>.Fields<TFields>(ref CreateSuperStream group, ref TFields fields)
    {
        fields.Text(ref group.Name);
        fields.List(ref group.Partitions);
        fields.List(ref group.BindingKeys);
        fields.List(ref group.Arguments);
    }
}

/// <summary>Deletes a super stream and its partitions (from version 3.13 on).</summary>
internal struct DeleteSuperStream : IRequest<DeleteSuperStream, Nothing>
{
    public string? Name;

    public static CommandKey Key => CommandKey.DeleteSuperStream;

    static void IFieldGroup<DeleteSuperStream>.Fields<TFields>(ref DeleteSuperStream group, ref TFields fields)
    {
        fields.Text(ref group.Name);
    }
}

/// <summary>Asks for the streams of a super stream.</summary>
internal struct Partitions : IRequest<Partitions, ListOf<Item>>
{
    public string? SuperStream;

    public static CommandKey Key => CommandKey.Partitions;

    static void IFieldGroup<Partitions>.Fields<TFields>(ref Partitions group, ref TFields fields)
    {
        fields.Text(ref group.SuperStream);
    }
}

/// <summary>Asks for the streams that a routing key leads to.</summary>
internal struct Route : IRequest<Route, ListOf<Item>>
{
    public string? RoutingKey;
    public string? SuperStream;

    public static CommandKey Key => CommandKey.Route;

    static void IFieldGroup<Route>.Fields<TFields>(ref Route group, ref TFields fields)
    {
        fields.Text(ref group.RoutingKey);
        fields.Text(ref group.SuperStream);
    }
}
