namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>The client's description of itself.</summary>
internal struct PeerProperties : IRequest<PeerProperties, ListOf<Pair>>
{
    public IReadOnlyList<Pair>? Properties;

    public static CommandKey Key => CommandKey.PeerProperties;

    static void IFieldGroup<PeerProperties>.Fields<TFields>(ref PeerProperties group, ref TFields fields)
    {
        fields.List(ref group.Properties);
    }
}

/// <summary>Asks for the ways to authenticate.</summary>
internal struct SaslHandshake : IRequest<SaslHandshake, ListOf<Item>>
{
    public static CommandKey Key => CommandKey.SaslHandshake;
}

/// <summary>Authenticates.</summary>
internal struct SaslAuthenticate : IRequest<SaslAuthenticate, Nothing>
{
    public string? Mechanism;
    public byte[]? Data;

    public static CommandKey Key => CommandKey.SaslAuthenticate;

    static void IFieldGroup<SaslAuthenticate>.Fields<TFields>(ref SaslAuthenticate group, ref TFields fields)
    {
        fields.Text(ref group.Mechanism);
        fields.Bytes(ref group.Data);
    }
}

/// <summary>The terms that the broker proposes, and those that the client agrees to.</summary>
internal struct Tune : ICommand<Tune>
{
    /// <summary>The size in bytes; 0 for no limit.</summary>
    public uint FrameMax;

    /// <summary>The interval in seconds; 0 for none.</summary>
    public uint Heartbeat;

    public static CommandKey Key => CommandKey.Tune;

    static void IFieldGroup<Tune>.Fields<TFields>(ref Tune group, ref TFields fields)
    {
        fields.Number(ref group.FrameMax);
        fields.Number(ref group.Heartbeat);
    }
}

/// <summary>Opens a virtual host.</summary>
internal struct Open : IRequest<Open, ListOf<Pair>>
{
    public string? VirtualHost;

    public static CommandKey Key => CommandKey.Open;

    static void IFieldGroup<Open>.Fields<TFields>(ref Open group, ref TFields fields)
    {
        fields.Text(ref group.VirtualHost);
    }
}

/// <summary>Closes the connection, from either side.</summary>
internal struct Close : IRequest<Close, Nothing>
{
    public ushort Code;
    public string? Reason;

    public static CommandKey Key => CommandKey.Close;

    static void IFieldGroup<Close>.Fields<TFields>(ref Close group, ref TFields fields)
    {
        fields.Number(ref group.Code);
        fields.Text(ref group.Reason);
    }
}

/// <summary>A sign of life, from either side.</summary>
internal struct Heartbeat : ICommand<Heartbeat>
{
    public static CommandKey Key => CommandKey.Heartbeat;
}

/// <summary>Sends the client's commands, and asks for those of the broker (from version 3.11 on).</summary>
internal struct ExchangeCommandVersions : IRequest<ExchangeCommandVersions, ListOf<VersionRange>>
{
    public IReadOnlyList<VersionRange>? Commands;

    public static CommandKey Key => CommandKey.ExchangeCommandVersions;

    static void IFieldGroup<ExchangeCommandVersions>.Fields<TFields>(ref ExchangeCommandVersions group, ref TFields fields)
    {
        fields.List(ref group.Commands);
    }
}

/// <summary>A command, and the versions of its layout.</summary>
internal struct VersionRange : IFieldGroup<VersionRange>
{
    public ushort Key;
    public ushort Min;
    public ushort Max;

    static void IFieldGroup<VersionRange>.Fields<TFields>(ref VersionRange group, ref TFields fields)
    {
        fields.Number(ref group.Key);
        fields.Number(ref group.Min);
        fields.Number(ref group.Max);
    }
}
