using System.Buffers;

namespace Wire.Amqp.Tests.V091.Fields;

/// <summary>Memory that is no array, though its bytes are in one here.</summary>
internal sealed class NativeMemory(byte[] bytes) : MemoryManager<byte>
{
    public override Span<byte> GetSpan() => bytes;

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
