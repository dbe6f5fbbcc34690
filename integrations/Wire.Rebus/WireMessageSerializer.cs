using Rebus.Config;
using Rebus.Exceptions;
using Rebus.Extensions;
using Rebus.Messages;
using Rebus.Messages.Control;
using Rebus.Serialization;

namespace Wire.Rebus;

/// <summary>Adds Wire to the serialization of a bus.</summary>
public static class WireConfigurationExtensions
{
    /// <summary>Writes and reads the messages of a bus with Wire.</summary>
    /// <param name="configurer">The serialization of the bus.</param>
    /// <param name="options">
    /// The options of the serializer. Its filter must allow the types of messages: Rebus looks for a handler only after it has read one.
    /// </param>
    /// <param name="isDefault">
    /// Whether the bus writes with Wire; false to read it only, beside what the serializer that is configured otherwise writes and reads.
    /// </param>
    /// <param name="readOthers">
    /// Whether messages of other content types are read, by the serializer that is configured otherwise. That of Rebus, in JSON, makes an
    /// object of any type that a header names, and asks no filter.
    /// </param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static void UseWire(
        this StandardConfigurer<ISerializer> configurer, SerializerOptions options, bool isDefault = true, bool readOthers = false)
    {
        ArgumentNullException.ThrowIfNull(configurer);
        ArgumentNullException.ThrowIfNull(options);

        // The messages of Rebus itself: a subscription goes to the publisher where there is no store for all.
        var serializer = new Serializer(options with
        {
            TypeFilter = options.TypeFilter.Allow<SubscribeRequest>().Allow<UnsubscribeRequest>(),
        });
        configurer.Decorate(context => new WireMessageSerializer(
            serializer, context.Get<IMessageTypeNameConvention>(), context.Get<ISerializer>(), isDefault, readOthers || !isDefault));
    }
}

/// <summary>The exception for a message that cannot be read: it goes to the error queue at once, without another attempt.</summary>
public sealed class UnreadableMessageException(string message, Exception? inner)
    : RebusApplicationException(inner, message), IFailFastException;

/// <summary>Writes and reads messages of Rebus as Wire payloads. Thread-safe.</summary>
internal sealed class WireMessageSerializer(
    Serializer serializer, IMessageTypeNameConvention names, ISerializer others, bool isDefault, bool readOthers) : ISerializer
{
    private const string ContentType = "application/x-wire";

    public Task<TransportMessage> Serialize(Message message)
    {
        if (!isDefault)
        {
            return others.Serialize(message);
        }

        Dictionary<string, string> headers = message.Headers.Clone();
        headers[Headers.ContentType] = ContentType;

        // For logs and other tools: the payload says itself what it holds.
        headers.TryAdd(Headers.Type, names.GetTypeName(message.Body.GetType()));
        return Task.FromResult(new TransportMessage(headers, serializer.Serialize(message.Body)));
    }

    public Task<Message> Deserialize(TransportMessage transportMessage)
    {
        string? contentType = transportMessage.Headers.GetValueOrNull(Headers.ContentType);
        if (contentType != ContentType)
        {
            return readOthers ? others.Deserialize(transportMessage) : throw new UnreadableMessageException(
                $"The message has another content type than '{ContentType}', which alone this bus reads. " +
                "UseWire(options, readOthers: true) reads others by the serializer that is configured otherwise.",
                null);
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
