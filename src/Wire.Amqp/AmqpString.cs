using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Amqp.Errors;

namespace Wire.Amqp;

/// <summary>
/// A text of either protocol: a .NET string that is encoded when it is written, or received UTF-8 that is decoded on demand. Assign a
/// string to it. The default is null (<see cref="IsNull"/>), which differs from the empty text.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is: take <see cref="ToString"/> to keep it. Thread-safe while the
/// bytes are not modified. Two are equal when their bytes are.
/// </remarks>
public readonly struct AmqpString : IEquatable<AmqpString>, IEquatable<string>
{
    // Text that UTF-8 cannot represent is an error, and is not silently replaced.
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // A string, the array with the bytes, or the beginning of an id, whose number is in the offset.
    private readonly object? _source;
    private readonly int _start;
    private readonly int _length;

    private AmqpString(string text) => _source = text;

    /// <summary>Reverses <see cref="Deconstruct"/>.</summary>
    internal AmqpString(object? source, int start, int length)
    {
        _source = source;
        _start = start;
        _length = length;
    }

    /// <summary>Makes an id from its beginning and its number.</summary>
    internal AmqpString(MessageIdPrefix prefix, uint number)
    {
        _source = prefix;
        _start = (int)number;
        _length = MessageIdPrefix.TextLength;
    }

    /// <summary>Makes a text from UTF-8, which is not copied: do not change the bytes.</summary>
    /// <param name="utf8">The bytes. They are not checked: a long string may be any bytes.</param>
    public AmqpString(ReadOnlyMemory<byte> utf8)
    {
        if (!MemoryMarshal.TryGetArray(utf8, out ArraySegment<byte> segment) || segment.Array is null)
        {
            segment = utf8.ToArray();
        }

        _source = segment.Array;
        _start = segment.Offset;
        _length = segment.Count;
    }

    /// <summary>Gets whether there is no text, as in a property that is not set.</summary>
    public bool IsNull => _source is null;

    /// <summary>Gets whether there is no text or an empty one.</summary>
    public bool IsEmpty => _source is string text ? text.Length == 0 : _length == 0;

    /// <summary>Gets whether received bytes are a text.</summary>
    internal bool IsValid => _source is not byte[] || System.Text.Unicode.Utf8.IsValid(Bytes);

    /// <summary>Gets the number of bytes that the text takes, without its length.</summary>
    /// <exception cref="ArgumentException">The text has an unpaired surrogate.</exception>
    public int ByteCount => _source is string text ? Count(text) : _length;

    /// <summary>The bytes as they were received; of a string, its encoding in a new array.</summary>
    /// <exception cref="ArgumentException">The text has an unpaired surrogate.</exception>
    public ReadOnlyMemory<byte> Utf8 => _source is byte[] bytes ? bytes.AsMemory(_start, _length) : Encode();

    /// <summary>A text of a string; null makes none.</summary>
    public static implicit operator AmqpString(string? text) => text is null ? default : new(text);

    /// <summary>Returns whether the bytes of both are equal.</summary>
    public static bool operator ==(AmqpString left, AmqpString right) => left.Equals(right);

    /// <summary>Returns whether the bytes of both differ.</summary>
    public static bool operator !=(AmqpString left, AmqpString right) => !left.Equals(right);

    /// <summary>The text. Invalid UTF-8 becomes U+FFFD: where that may occur, use <see cref="Utf8"/>.</summary>
    public override string ToString() => _source is string text ? text : Encoding.UTF8.GetString(Bytes);

    /// <summary>Writes the bytes, without a length, to the beginning of a span.</summary>
    /// <returns>How many were written.</returns>
    /// <exception cref="ArgumentException">The span is too short, or the text has an unpaired surrogate.</exception>
    public int CopyTo(Span<byte> destination)
    {
        if (!TryCopyTo(destination, out int written))
        {
            ThrowHelper.DestinationTooSmall(ByteCount, destination.Length);
        }

        return written;
    }

    /// <summary>The string, or the array with the bytes and their place in it.</summary>
    internal void Deconstruct(out object? source, out int start, out int length)
    {
        source = _source;
        start = _start;
        length = _length;
        if (source is MessageIdPrefix)
        {
            (source, start) = (Encode(), 0);
        }
    }

    /// <summary>
    /// Writes the bytes without counting them first; false, after any partial output, when the span is too short.
    /// </summary>
    /// <exception cref="ArgumentException">The text has an unpaired surrogate.</exception>
    internal bool TryCopyTo(Span<byte> destination, out int written)
    {
        // Most texts are ASCII, which has the fastest encoder.
        object? source = _source;
        if (source is string text)
        {
            return Ascii.FromUtf16(text, destination, out written) == OperationStatus.Done || TryEncode(text, destination, out written);
        }

        if (source is MessageIdPrefix prefix)
        {
            return prefix.TryWrite((uint)_start, destination, out written);
        }

        // Anything else is an array: read once, so that it is consistent even if this text is changed concurrently.
        written = _length;
        return new ReadOnlySpan<byte>(Unsafe.As<byte[]?>(source), _start, _length).TryCopyTo(destination);
    }

    /// <inheritdoc/>
    public bool Equals(AmqpString other) => (_source, other._source) switch
    {
        (string left, string right) => left == right,
        (MessageIdPrefix left, MessageIdPrefix right) => left == right && _start == other._start,
        (string left, not null) => other.Equals(left),
        (not null, string right) => Equals(right),
        (null, null) => true,
        (null, _) or (_, null) => false,
        _ => Bytes.SequenceEqual(other.Bytes),
    };

    /// <inheritdoc/>
    public bool Equals([NotNullWhen(true)] string? other)
    {
        if (_source is string text)
        {
            return text == other;
        }

        if (_source is null || other is null)
        {
            return _source is null && other is null;
        }

        ReadOnlySpan<byte> bytes = Bytes;

        // Decoded rather than encoded: a text with an unpaired surrogate has no encoding, and equals no bytes.
        return Ascii.Equals(bytes, other)
            || (!Ascii.IsValid(bytes)
                && System.Text.Unicode.Utf8.IsValid(bytes)
                && Encoding.UTF8.GetCharCount(bytes) == other.Length
                && Encoding.UTF8.GetString(bytes) == other);
    }

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpString other ? Equals(other) : obj is string text && Equals(text);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        if (_source is MessageIdPrefix prefix)
        {
            Span<byte> text = stackalloc byte[MessageIdPrefix.TextLength];
            prefix.TryWrite((uint)_start, text, out _);
            hash.AddBytes(text);
        }
        else
        {
            hash.AddBytes(Utf8.Span);
        }

        return hash.ToHashCode();
    }

    private ReadOnlySpan<byte> Bytes => _source is MessageIdPrefix ? Encode() : ((byte[]?)_source).AsSpan(_start, _length);

    private static int Count(string text) => Ascii.IsValid(text) ? text.Length : CountOthers(text);

    private static bool TryEncode(string text, Span<byte> destination, out int written)
    {
        OperationStatus status = System.Text.Unicode.Utf8.FromUtf16(text, destination, out _, out written, replaceInvalidSequences: false);
        if (status == OperationStatus.InvalidData)
        {
            ThrowHelper.NotUnicode(null);
        }

        return status == OperationStatus.Done;
    }

    private static int CountOthers(string text)
    {
        try
        {
            return Strict.GetByteCount(text);
        }
        catch (EncoderFallbackException e)
        {
            ThrowHelper.NotUnicode(e);
            return 0;
        }
    }

    private byte[] Encode()
    {
        if (_source is null)
        {
            return [];
        }

        byte[] bytes = new byte[ByteCount];
        CopyTo(bytes);
        return bytes;
    }
}
