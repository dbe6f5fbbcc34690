using System.Diagnostics.CodeAnalysis;
using MassTransit;
using MassTransit.MessageData;
using MassTransit.MessageData.Converters;
using MassTransit.MessageData.Values;
using MassTransit.Metadata;
using MassTransit.Serialization;
using Wire.Runtime;

namespace Wire.MassTransit.Surrogates;

/// <summary>The stand-in of message data: the address in the repository, and the data itself where it is small.</summary>
[WireName("Wire.MassTransit.MessageData")]
internal sealed class MessageDataReference<T> : ISurrogate<MessageDataReference<T>, MessageData<T>>, IMessageDataReference
{
    [WireName("a")]
    public string? Address { get; private set; }

    [WireName("t")]
    public string? Text { get; set; }

    [WireName("d")]
    public byte[]? Data { get; set; }

    string IMessageDataReference.Text
    {
        set => Text = value;
    }

    byte[] IMessageDataReference.Data
    {
        set => Data = value;
    }

    public static MessageDataReference<T> From(MessageData<T> value)
    {
        var reference = new MessageDataReference<T>();
        if (value.HasValue)
        {
            reference.Address = value.Address?.ToString();
            (value as IInlineMessageData)?.Set(reference);
        }

        return reference;
    }

    public MessageData<T> ToSource()
    {
        Uri? address = Address is null ? null : new Uri(Address);
        if (Text is not null && typeof(T) == typeof(string))
        {
            return (MessageData<T>)(object)new StringInlineMessageData(Text, address);
        }

        if (Data is not null)
        {
            return typeof(T) == typeof(byte[])
                ? (MessageData<T>)(object)new BytesInlineMessageData(Data, address)
                : new BytesInlineMessageData<T>(Converter(), Data, address);
        }

        return address is null ? EmptyMessageData<T>.Instance : new DeserializedMessageData<T>(address);
    }

    // MassTransit stores objects as JSON, whatever the serializer of messages.
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("Trimming", "IL2055", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("Trimming", "IL2077", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    private static IMessageDataConverter<T> Converter() =>
        typeof(T) == typeof(Stream) ? (IMessageDataConverter<T>)(object)new StreamMessageDataConverter()
        : typeof(T) == typeof(string) ? (IMessageDataConverter<T>)(object)new StringMessageDataConverter()
        : (IMessageDataConverter<T>)Activator.CreateInstance(
            typeof(SystemTextJsonObjectMessageDataConverter<>).MakeGenericType(typeof(T)), SystemTextJsonMessageSerializer.Options)!;
}
