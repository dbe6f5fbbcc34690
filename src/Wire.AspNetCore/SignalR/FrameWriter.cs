using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using Microsoft.AspNetCore.SignalR.Protocol;
using Wire.AspNetCore.Buffers;
using Wire.Runtime;

namespace Wire.AspNetCore.SignalR;

/// <summary>Writes the fields of a frame.</summary>
internal readonly ref struct FrameWriter(PooledBuffer buffer, Serializer serializer)
{
    /// <summary>Gets the encoding of names, which refuses what it cannot represent.</summary>
    internal static UTF8Encoding Utf8 { get; } = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public void WriteByte(byte value)
    {
        buffer.GetSpan(1)[0] = value;
        buffer.Advance(1);
    }

    public void WriteInt64(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(buffer.GetSpan(sizeof(long)), value);
        buffer.Advance(sizeof(long));
    }

    /// <summary>Writes a number of at most 31 bits, seven bits a byte, the lowest first.</summary>
    public void WriteCount(int value)
    {
        Span<byte> span = buffer.GetSpan(5);
        int length = 0;
        uint rest = (uint)value;
        for (; rest >= 0x80; rest >>= 7)
        {
            span[length++] = (byte)(rest | 0x80);
        }

        span[length++] = (byte)rest;
        buffer.Advance(length);
    }

    /// <summary>Writes a text as its number of bytes plus one, and UTF-8; null is 0.</summary>
    public void WriteText(string? value)
    {
        if (value is null)
        {
            WriteByte(0);
            return;
        }

        int length = Utf8.GetByteCount(value);
        WriteCount(checked(length + 1));
        buffer.Advance(Utf8.GetBytes(value, buffer.GetSpan(length)));
    }

    /// <summary>Writes a value as four bytes of length and a payload.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    public void WriteValue(object? value)
    {
        int position = buffer.ReserveLength();
        if (value is RawResult raw)
        {
            // The payload of an answer that this server passes on unread, to another server of the same hub.
            foreach (ReadOnlyMemory<byte> segment in raw.RawSerializedData)
            {
                buffer.Write(segment.Span);
            }
        }
        else if (value is not UnwritableValue)
        {
            serializer.Serialize(value, buffer);
        }

        buffer.SetLength(position);
    }

    public void WriteHeaders(IDictionary<string, string>? headers)
    {
        WriteCount(headers?.Count ?? 0);
        if (headers is null)
        {
            return;
        }

        foreach ((string name, string value) in headers)
        {
            WriteText(name);
            WriteText(value);
        }
    }

    public void WriteArguments(object?[]? arguments)
    {
        WriteCount(arguments?.Length ?? 0);
        foreach (object? argument in arguments ?? [])
        {
            WriteValue(argument);
        }
    }

    public void WriteStreamIds(string[]? ids)
    {
        WriteCount(ids?.Length ?? 0);
        foreach (string id in ids ?? [])
        {
            WriteText(id);
        }
    }
}
