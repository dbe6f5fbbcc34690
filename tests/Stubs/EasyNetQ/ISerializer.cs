using System.Buffers;

namespace EasyNetQ;

/// <summary>What EasyNetQ 8 asks a serializer for.</summary>
public interface ISerializer
{
    /// <summary>Writes a message.</summary>
    IMemoryOwner<byte> MessageToBytes(Type messageType, object message);

    /// <summary>Reads a message.</summary>
    object BytesToMessage(Type messageType, in ReadOnlyMemory<byte> bytes);
}
