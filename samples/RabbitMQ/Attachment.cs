using System.Buffers;
using Wire;

namespace Shop;

#region pooled
/// <summary>Bytes in pooled memory, which the handler of the message returns.</summary>
public sealed class Attachment(int length) : IDisposable
{
    private byte[]? _bytes = ArrayPool<byte>.Shared.Rent(length);

    public Span<byte> Bytes => (_bytes ?? throw new ObjectDisposedException(nameof(Attachment))).AsSpan(0, length);

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _bytes, null) is { } bytes)
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}

internal sealed class AttachmentSerializer : ValueSerializer<Attachment>
{
    private const uint MaxLength = 1 << 20;

    public override void Write(ref WireWriter writer, Attachment value)
    {
        writer.WriteVarUInt32((uint)value.Bytes.Length);
        writer.WriteBytes(value.Bytes);
    }

    public override Attachment Read(ref WireReader reader)
    {
        uint length = reader.ReadVarUInt32();
        if (length > MaxLength)
        {
            throw new InvalidDataException($"An attachment of {length} bytes is larger than {MaxLength}.");
        }

        var attachment = new Attachment((int)length);
        reader.ReadBytes(attachment.Bytes);
        return attachment;
    }
}
#endregion

/// <summary>A message with something large in it.</summary>
public abstract record Document(long Number, Attachment Attachment);

/// <summary>One kind.</summary>
public sealed record Invoice(long Number, decimal Total, Attachment Attachment) : Document(Number, Attachment);

/// <summary>Another.</summary>
public sealed record DeliveryNote(long Number, string Carrier, Attachment Attachment) : Document(Number, Attachment);
