namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>One value of one release, and what the other release reads of it.</summary>
internal abstract class Reading
{
    /// <summary>Whether the new release reads what the old one has written, or the reverse.</summary>
    public required bool IsByNew { get; init; }

    /// <summary>The error that the reader reports; null where it reads.</summary>
    public WireFormatError? Error { get; init; }

    /// <summary>Parts of the message of the error, which names what the user has changed.</summary>
    public string[] MessageParts { get; init; } = [];

    /// <summary>What the page says that the reader gets.</summary>
    public required string Words { get; init; }

    public abstract object? Written { get; }

    /// <summary>What is read, where no error is reported.</summary>
    public abstract object? Expected { get; }

    /// <summary>The type that both releases call by one name, as the one that writes declares it.</summary>
    public abstract Type WrittenAs { get; }

    public abstract Type ReadAs { get; }

    public abstract byte[] Write(Serializer serializer, SerializerSession? session);

    public abstract object? Read(Serializer serializer, byte[] payload, DeserializerSession? session);
}

/// <summary>A reading of a type as another.</summary>
internal sealed class Reading<TFrom, TTo>(TFrom written, TTo? expected, bool isTyped) : Reading
{
    public override object? Written => written;

    public override object? Expected => expected;

    public override Type WrittenAs => typeof(TFrom);

    public override Type ReadAs => typeof(TTo);

    public override byte[] Write(Serializer serializer, SerializerSession? session) => (isTyped, session) switch
    {
        (true, null) => serializer.SerializeTyped(written),
        (true, _) => serializer.SerializeTyped(written, session),
        (false, null) => serializer.Serialize(written),
        _ => serializer.Serialize(written, session),
    };

    public override object? Read(Serializer serializer, byte[] payload, DeserializerSession? session) => (isTyped, session) switch
    {
        (true, null) => serializer.DeserializeTyped<TTo>(payload),
        (true, _) => serializer.DeserializeTyped<TTo>(payload, session),
        (false, null) => serializer.Deserialize<TTo>(payload),
        _ => serializer.Deserialize<TTo>(payload, session),
    };
}

/// <summary>A value of the new release that an old one has read and sent on, and that the new one reads again.</summary>
internal sealed class RelayedReading<TOld, TNew>(TNew value) : Reading
{
    private static readonly Serializer First =
        new(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<TNew>("Shop.Root") });

    public override object? Written => value;

    public override object? Expected => value;

    public override Type WrittenAs => typeof(TOld);

    public override Type ReadAs => typeof(TNew);

    public override byte[] Write(Serializer serializer, SerializerSession? session)
    {
        TOld between = serializer.Deserialize<TOld>(First.Serialize(value))!;
        return session is null ? serializer.Serialize(between) : serializer.Serialize(between, session);
    }

    public override object? Read(Serializer serializer, byte[] payload, DeserializerSession? session) =>
        session is null ? serializer.Deserialize<TNew>(payload) : serializer.Deserialize<TNew>(payload, session);
}
