namespace NServiceBus.Serialization;

/// <summary>What NServiceBus 10 asks a serializer for.</summary>
public interface IMessageSerializer
{
    /// <summary>Gets the content type.</summary>
    string ContentType { get; }

    /// <summary>Writes a message.</summary>
    void Serialize(object message, Stream stream);

    /// <summary>Reads a message.</summary>
    object[] Deserialize(ReadOnlyMemory<byte> body, IList<Type>? messageTypes = null);
}
