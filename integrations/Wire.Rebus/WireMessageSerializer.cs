using Rebus.Config;
using Rebus.Exceptions;
using Rebus.Extensions;
using Rebus.Messages;
using Rebus.Serialization;

namespace Wire.Rebus;

/// <summary>Adds Wire to the serialization of a bus.</summary>
public static class WireConfigurationExtensions
{
    /// <summary>
    /// Writes the messages of a bus with Wire. Messages of other content types are still read by the serializer that is configured
    /// otherwise, which is Rebus's own in JSON.
    /// </summary>
    /// <param name="configurer">The serialization of the bus.</param>
    /// <param name="options">
    /// The options of the serializer. Its filter must allow the types of messages: Rebus looks for a handler only after it has read one.
    /// </param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static void UseWire(this StandardConfigurer<ISerializer> configurer, SerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(configurer);
        var serializer = new Serializer(options);
        configurer.Decorate(context => new WireMessageSerializer(
            serializer, context.Get<IMessageTypeNameConvention>(), context.Get<ISerializer>()));
    }
}

/// <summary>The exception for a message that cannot be read: it goes to the error queue at once, without another attempt.</summary>
public sealed class UnreadableMessageException(string message, Exception inner)
    : RebusApplicationException(inner, message), IFailFastException;

/// <summary>Writes and reads messages of Rebus as Wire payloads. Thread-safe.</summary>
public sealed class WireMessageSerializer(Serializer serializer, IMessageTypeNameConvention names, ISerializer others) : ISerializer
{
    /// <summary>The content type of messages in this format.</summary>
    public const string ContentType = "application/x-wire";

    /// <inheritdoc/>
    public Task<TransportMessage> Serialize(Message message)
    {
        Dictionary<string, string> headers = message.Headers.Clone();
        headers[Headers.ContentType] = ContentType;

        // For logs and other tools: the payload says itself what it holds.
        headers.TryAdd(Headers.Type, names.GetTypeName(message.Body.GetType()));
        return Task.FromResult(new TransportMessage(headers, serializer.Serialize(message.Body)));
    }

    /// <inheritdoc/>
    public Task<Message> Deserialize(TransportMessage transportMessage)
    {
        if (transportMessage.Headers.GetValueOrNull(Headers.ContentType) != ContentType)
        {
            return others.Deserialize(transportMessage);
        }

        try
        {
            // The header with the type's name is not asked: it would load what the sender names.
            object body = serializer.Deserialize<object>(transportMessage.Body)
                ?? throw new FormatException("The payload is null, which no handler is for.");
            return Task.FromResult(new Message(transportMessage.Headers.Clone(), body));
        }
        catch (FormatException e)
        {
            throw new UnreadableMessageException($"The message cannot be read: {e.Message}", e);
        }
    }
}
