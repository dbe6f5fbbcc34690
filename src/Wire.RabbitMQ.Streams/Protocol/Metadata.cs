namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Asks where streams are.</summary>
internal struct MetadataQuery : IRequest<MetadataQuery, ClusterMetadata>
{
    public IReadOnlyList<Item>? Streams;

    public static CommandKey Key => CommandKey.Metadata;

    static void IFieldGroup<MetadataQuery>.Fields<TFields>(ref MetadataQuery group, ref TFields fields)
    {
        fields.List(ref group.Streams);
    }
}

/// <summary>The nodes, and the members of streams on them.</summary>
internal struct ClusterMetadata : IFieldGroup<ClusterMetadata>
{
    public IReadOnlyList<MetadataNode>? Nodes;
    public IReadOnlyList<StreamMembers>? Streams;

    static void IFieldGroup<ClusterMetadata>.Fields<TFields>(ref ClusterMetadata group, ref TFields fields)
    {
        fields.List(ref group.Nodes);
        fields.List(ref group.Streams);
    }
}

/// <summary>A node, and where it listens for streams.</summary>
internal struct MetadataNode : IFieldGroup<MetadataNode>
{
    public ushort Reference;
    public string? Host;
    public uint Port;

    static void IFieldGroup<MetadataNode>.Fields<TFields>(ref MetadataNode group, ref TFields fields)
    {
        fields.Number(ref group.Reference);
        fields.Text(ref group.Host);
        fields.Number(ref group.Port);
    }
}

/// <summary>The nodes of a stream, by reference.</summary>
internal struct StreamMembers : IFieldGroup<StreamMembers>
{
    public string? Stream;
    public ushort Code;
    public ushort Leader;
    public IReadOnlyList<Number<ushort>>? Replicas;

    static void IFieldGroup<StreamMembers>.Fields<TFields>(ref StreamMembers group, ref TFields fields)
    {
        fields.Text(ref group.Stream);
        fields.Number(ref group.Code);
        fields.Number(ref group.Leader);
        fields.List(ref group.Replicas);
    }
}

/// <summary>A stream has changed (from the broker), which forgets the connection's publishers and subscriptions on it.</summary>
internal struct MetadataUpdate : ICommand<MetadataUpdate>
{
    public ushort Code;
    public string? Stream;

    public static CommandKey Key => CommandKey.MetadataUpdate;

    static void IFieldGroup<MetadataUpdate>.Fields<TFields>(ref MetadataUpdate group, ref TFields fields)
    {
        fields.Number(ref group.Code);
        fields.Text(ref group.Stream);
    }
}
