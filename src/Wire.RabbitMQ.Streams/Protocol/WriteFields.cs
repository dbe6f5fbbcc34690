using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Writes fields.</summary>
internal readonly struct WriteFields(IBufferWriter<byte> output) : IFields
{
    public void Number<T>(ref T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        NetworkOrder.Write(output.GetSpan(Unsafe.SizeOf<T>()), value);
        output.Advance(Unsafe.SizeOf<T>());
    }

    /// <exception cref="ArgumentException">The text has more than 32,767 bytes of UTF-8, or a surrogate without its pair.</exception>
    public void Text(ref string? value)
    {
        if (value is null)
        {
            short none = -1;
            Number(ref none);
            return;
        }

        byte[] bytes = Strict.GetBytes(value);
        if (bytes.Length > short.MaxValue)
        {
            throw new ArgumentException(
                $"A text of the stream protocol takes at most {short.MaxValue} bytes of UTF-8, and this one {bytes.Length}.");
        }

        short length = (short)bytes.Length;
        Number(ref length);
        output.Write(bytes);
    }

    public void Bytes(ref byte[]? value)
    {
        int length = value?.Length ?? -1;
        Number(ref length);
        output.Write(value);
    }

    public void List<TItem>(ref IReadOnlyList<TItem>? items)
        where TItem : struct, IFieldGroup<TItem>
    {
        int count = items?.Count ?? 0;
        Number(ref count);
        WriteFields fields = this;
        for (int i = 0; i < count; i++)
        {
            TItem item = items![i];
            TItem.Fields(ref item, ref fields);
        }
    }

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
}
