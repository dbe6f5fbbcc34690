using NServiceBus.MessageInterfaces;
using NServiceBus.Settings;

namespace NServiceBus.Serialization;

/// <summary>What an endpoint is configured with.</summary>
public abstract class SerializationDefinition
{
    /// <summary>Gets what makes the serializer.</summary>
    public abstract Func<IMessageMapper, IMessageSerializer> Configure(IReadOnlySettings settings);
}
