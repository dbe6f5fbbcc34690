using System.Buffers;
using EasyNetQ;

namespace Wire.EasyNetQ;

/// <summary>Writes and reads messages of EasyNetQ as Wire payloads. Thread-safe.</summary>
/// <remarks>
/// EasyNetQ asks for the type that a publisher has named, which is often a base class or an interface, and reads the message as that type.
/// What cannot be read is a <see cref="WireFormatException"/>, with which EasyNetQ moves the message to its error queue.
/// </remarks>
/// <param name="serializer">What writes and reads the objects, with the types that messages may name.</param>
public sealed class WireMessageSerializer(Serializer serializer) : ISerializer
{
    /// <inheritdoc/>
    public IMemoryOwner<byte> MessageToBytes(Type messageType, object message)
    {
        var bytes = new PooledBytes(serializer.EstimateSize(message));
        try
        {
            serializer.Serialize(message, bytes);
            return bytes;
        }
        catch
        {
            bytes.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public object BytesToMessage(Type messageType, in ReadOnlyMemory<byte> bytes) => serializer.Deserialize(messageType, bytes.Span)
        ?? throw new FormatException($"The payload is null, which no handler of {messageType} is for.");

    /// <summary>Bytes in a rented array, which goes back when EasyNetQ has sent them.</summary>
    private sealed class PooledBytes(int capacity) : IBufferWriter<byte>, IMemoryOwner<byte>
    {
        private byte[] _bytes = ArrayPool<byte>.Shared.Rent(capacity);
        private int _count;

        public Memory<byte> Memory => _bytes.AsMemory(0, _count);

        public void Advance(int count)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_bytes.Length - _count));
            _count += count;
        }

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            Reserve(Math.Max(sizeHint, 1));
            return _bytes.AsMemory(_count);
        }

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            Reserve(Math.Max(sizeHint, 1));
            return _bytes.AsSpan(_count);
        }

        public void Dispose()
        {
            byte[] bytes = _bytes;
            _bytes = [];
            _count = 0;
            if (bytes.Length > 0)
            {
                ArrayPool<byte>.Shared.Return(bytes);
            }
        }

        private void Reserve(int size)
        {
            if (_bytes.Length - _count >= size)
            {
                return;
            }

            int doubled = (int)Math.Min(Array.MaxLength, 2L * _bytes.Length);
            byte[] larger = ArrayPool<byte>.Shared.Rent(Math.Max(checked(_count + size), doubled));
            _bytes.AsSpan(0, _count).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = larger;
        }
    }
}
