using Wire;

namespace Versions;

/// <summary>What one release of the program writes, and what it reads.</summary>
internal abstract class Release
{
    /// <summary>Gets the message types of the release, by name, and a payload of each.</summary>
    public abstract IReadOnlyList<(string Name, byte[] Payload)> Write();

    /// <summary>Gets the serializer of the release, and the types of its messages.</summary>
    public abstract (Serializer Serializer, Type[] Types) Messages { get; }

    /// <summary>Returns the members of the message that a payload holds, or the code of the error.</summary>
    public abstract string Read(byte[] payload);
}

/// <summary>A release with its base class of all messages.</summary>
internal abstract class Release<TMessage>(TypeAliases names, params TMessage[] messages) : Release
    where TMessage : class
{
    private readonly Serializer _serializer = new(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<TMessage>(),
        TypeAliases = names,
        Types = MessageTypes.Default,
    });

    public override (Serializer Serializer, Type[] Types) Messages =>
        (_serializer, Array.ConvertAll(messages, message => message.GetType()));

    public override IReadOnlyList<(string Name, byte[] Payload)> Write() =>
        [.. messages.Select(message => (message.GetType().Name, _serializer.Serialize(message)))];

    public override string Read(byte[] payload)
    {
        try
        {
            return Text(_serializer.Deserialize<TMessage>(payload)!);
        }
        catch (WireFormatException failure)
        {
            return $"error {failure.Error}";
        }
    }

    protected abstract string Text(TMessage message);
}
