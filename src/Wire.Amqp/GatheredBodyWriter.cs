using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Content;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp;

/// <summary>
/// Gathers messages into one body, whose message has the content type <see cref="GatheredBody.ContentType"/>. Nothing is allocated for a
/// message in steady state. Not thread-safe: one writer at a time.
/// </summary>
public sealed class GatheredBodyWriter : IDisposable
{
    // A number of up to 31 bits, seven in each byte.
    private const int MaxLengthSize = 5;

    private readonly BodyBuffer _output = new();

    // What the last message had, and what the next one has.
    private BodyBuffer _lastProperties = new();
    private BodyBuffer _nextProperties = new();
    private readonly BodyBuffer _lastBody = new();

    /// <summary>Gets the number of messages.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the number of bytes that the body has.</summary>
    public int Length => _output.Length;

    /// <summary>Gets the number of bytes that the properties and bodies of its messages have without what they share.</summary>
    public long GrownLength { get; private set; }

    /// <summary>
    /// Gets the body. Valid until another message is added, or the writer is cleared or disposed of. Without a message there is none.
    /// </summary>
    public ReadOnlyMemory<byte> Written => _output.Written;

    /// <summary>Adds a message.</summary>
    /// <param name="properties">
    /// Its properties, all of them as if it were published alone; one without an id is given that of the whole, with its number.
    /// </param>
    /// <param name="body">Its body.</param>
    /// <exception cref="ArgumentException">A property does not fit its domain. Nothing is added.</exception>
    /// <exception cref="InvalidOperationException">
    /// The body becomes larger than an array can be, or has <see cref="GatheredBody.MaxCount"/> messages already. Nothing is added.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The writer has been disposed of.</exception>
    public void Add(in BasicProperties properties, ReadOnlySpan<byte> body)
    {
        if (Count == GatheredBody.MaxCount)
        {
            throw new InvalidOperationException($"The body has {Count} messages already, and no reader takes more: send it.");
        }

        _nextProperties.Clear();
        WriteProperties(_nextProperties, in properties);
        if (Count == 0)
        {
            _output.GetSpan(GatheredBody.HeaderSize)[..GatheredBody.HeaderSize].Clear();
            _output.Advance(GatheredBody.HeaderSize);
        }

        int before = _output.Length;
        try
        {
            Add(_lastProperties.Written.Span, _nextProperties.Written.Span);
            Add(_lastBody.Written.Span, body);
            _lastBody.Clear();
            _lastBody.Write(body);
        }
        catch
        {
            // What the next one shares with none is right in any case.
            _output.Truncate(Count == 0 ? 0 : before);
            _lastBody.Clear();
            throw;
        }

        GrownLength += _nextProperties.Length + body.Length;
        (_lastProperties, _nextProperties) = (_nextProperties, _lastProperties);
        Span<byte> header = MemoryMarshal.AsMemory(_output.Written).Span;
        header[0] = GatheredBody.Version;
        NetworkOrder.Store(ref header[1], (uint)++Count);
    }

    /// <summary>Discards the messages, and keeps memory for others.</summary>
    public void Clear()
    {
        (Count, GrownLength) = (0, 0);
        _output.Clear();
        _lastProperties.Clear();
        _lastBody.Clear();
    }

    /// <summary>Gives the memory back to the pool.</summary>
    public void Dispose()
    {
        (Count, GrownLength) = (0, 0);
        _output.Dispose();
        _lastProperties.Dispose();
        _nextProperties.Dispose();
        _lastBody.Dispose();
    }

    private static void WriteProperties(BodyBuffer output, in BasicProperties properties)
    {
        var size = default(SizeProperties);
        BasicProperties.Properties(ref Unsafe.AsRef(in properties), ref size);
        var written = new WriteProperties(new PayloadWriter(output.GetSpan(size.Size)[..size.Size]));
        BasicProperties.Properties(ref Unsafe.AsRef(in properties), ref written);
        written.Finish();
        output.Advance(size.Size);
    }

    // How much it shares with the one before, and the rest.
    private void Add(ReadOnlySpan<byte> last, ReadOnlySpan<byte> next)
    {
        int shared = last.CommonPrefixLength(next);
        int rest = next.Length - shared;
        Span<byte> room = _output.GetSpan(checked(rest + (2 * MaxLengthSize)));
        int length = WriteNumber(room, shared);
        length += WriteNumber(room[length..], rest);
        next[shared..].CopyTo(room[length..]);
        _output.Advance(length + rest);
    }

    private static int WriteNumber(Span<byte> output, int value)
    {
        int length = 0;
        uint rest = (uint)value;
        for (; rest >= 0x80; rest >>= 7)
        {
            output[length++] = (byte)(rest | 0x80);
        }

        output[length++] = (byte)rest;
        return length;
    }
}
