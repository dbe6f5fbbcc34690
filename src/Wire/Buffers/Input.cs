using System.Buffers;
using Wire.Errors;

namespace Wire.Buffers;

/// <summary>The source of the windows of contiguous memory of a <see cref="WireReader"/>.</summary>
internal abstract class Input
{
    private byte[] _scratch = new byte[64];

    /// <summary>Gets the number of bytes that are left behind the current window; <see cref="long.MaxValue"/> when no one knows.</summary>
    public abstract long Left { get; }

    /// <summary>Returns a window that begins with <paramref name="rest"/> and has at least <paramref name="needed"/> bytes.</summary>
    public abstract ReadOnlySpan<byte> Next(ReadOnlySpan<byte> rest, int needed);

    /// <summary>Fills the destination with the bytes behind the current window.</summary>
    public abstract void Fill(Span<byte> destination);

    /// <summary>Gets whether <see cref="Rewind"/> and <see cref="At"/> find what lies before.</summary>
    public abstract bool CanGoBack { get; }

    /// <summary>A part of the same value, as an input of its own.</summary>
    /// <param name="begin">How many bytes of the value lie before it.</param>
    /// <param name="end">How many lie before its end.</param>
    public abstract Input At(long begin, long end);

    /// <summary>Ends the use of what <see cref="At"/> gave: this input continues where it was.</summary>
    public virtual void Return()
    {
    }

    /// <summary>Goes back to the beginning of the value.</summary>
    public abstract void Rewind();

    /// <summary>Ends a value: what is left of the last window, and of the input, is the next reader's.</summary>
    public abstract void EndValue(int unread);

    /// <summary>Releases the input.</summary>
    public abstract void Detach();

    /// <summary>
    /// A buffer of at least <paramref name="size"/> bytes that begins with <paramref name="rest"/>, which may lie in that same buffer.
    /// </summary>
    protected byte[] Scratch(ReadOnlySpan<byte> rest, int size)
    {
        byte[] buffer = _scratch.Length >= size ? _scratch : new byte[Math.Max(size, _scratch.Length * 2)];
        rest.CopyTo(buffer);
        return _scratch = buffer;
    }
}

/// <summary>A sequence of segments. A value that lies across segments is copied to a small buffer, the others are read in place.</summary>
internal class SequenceInput : Input
{
    private ReadOnlySequence<byte> _whole;
    private ReadOnlySequence<byte> _rest;

    /// <summary>Gets all of the value.</summary>
    protected ReadOnlySequence<byte> Whole => _whole;

    public override long Left => _rest.Length;

    public override bool CanGoBack => true;

    public void Attach(in ReadOnlySequence<byte> sequence) => _whole = _rest = sequence;

    public override Input At(long begin, long end) => new SequenceInput { _whole = _whole, _rest = _whole.Slice(begin, end - begin) };

    public override void Rewind() => _rest = _whole;

    public override void EndValue(int unread) => Detach();

    public override void Detach() => _whole = _rest = default;

    public override ReadOnlySpan<byte> Next(ReadOnlySpan<byte> rest, int needed)
    {
        if (rest.IsEmpty && _rest.FirstSpan.Length >= needed)
        {
            ReadOnlySpan<byte> segment = _rest.FirstSpan;
            _rest = _rest.Slice(segment.Length);
            return segment;
        }

        int missing = needed - rest.Length;
        if (_rest.Length < missing)
        {
            ThrowHelper.Truncated(missing - _rest.Length);
        }

        byte[] buffer = Scratch(rest, needed);
        Fill(buffer.AsSpan(rest.Length, missing));
        return buffer.AsSpan(0, needed);
    }

    public override void Fill(Span<byte> destination)
    {
        if (_rest.Length < destination.Length)
        {
            ThrowHelper.Truncated(destination.Length - _rest.Length);
        }

        _rest.Slice(0, destination.Length).CopyTo(destination);
        _rest = _rest.Slice(destination.Length);
    }
}

/// <summary>The beginning of a payload that is still coming: nobody knows how much is left, and where it ends it seems cut short.</summary>
internal sealed class PartialInput : SequenceInput
{
    public override long Left => long.MaxValue;

    public override Input At(long begin, long end)
    {
        var input = new PartialInput();
        input.Attach(Whole.Slice(begin));
        return input;
    }
}

/// <summary>
/// A stream. One that can seek is read ahead and put back to the end of the value; from one that cannot, not one byte more is asked for
/// than the value needs, so that a connection that stays open never blocks.
/// </summary>
internal sealed class StreamInput : Input
{
    private const int ReadAhead = 1 << 15;

    private Stream? _stream;
    private long _left;
    private long _start;
    private long _return;
    private bool _seekable;

    public override long Left => _left;

    public override bool CanGoBack => _seekable;

    public void Attach(Stream stream)
    {
        _seekable = stream.CanSeek;
        _start = _seekable ? stream.Position : 0;
        _left = _seekable ? Math.Max(0, stream.Length - _start) : long.MaxValue;
        _stream = stream;
    }

    public override Input At(long begin, long end)
    {
        Stream stream = _stream!;
        var input = new StreamInput { _stream = stream, _start = _start, _seekable = true, _return = stream.Position };
        stream.Position = _start + begin;
        // No more is read ahead than the part has.
        input._left = end - begin;
        return input;
    }

    public override void Return() => _stream!.Position = _return;

    public override void Rewind()
    {
        _stream!.Position = _start;
        _left = Math.Max(0, _stream.Length - _start);
    }

    public override void Detach() => _stream = null;

    public override ReadOnlySpan<byte> Next(ReadOnlySpan<byte> rest, int needed)
    {
        int size = _seekable ? (int)Math.Clamp(rest.Length + _left, needed, Math.Max(needed, ReadAhead)) : needed;
        byte[] buffer = Scratch(rest, size);
        int filled = rest.Length;
        int read = _stream!.ReadAtLeast(buffer.AsSpan(filled, size - filled), needed - filled, throwOnEndOfStream: false);
        filled += read;
        Took(read);
        if (filled < needed)
        {
            ThrowHelper.Truncated(needed - filled);
        }

        return buffer.AsSpan(0, filled);
    }

    public override void Fill(Span<byte> destination)
    {
        int read = _stream!.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false);
        Took(read);
        if (read < destination.Length)
        {
            ThrowHelper.Truncated(destination.Length - read);
        }
    }

    // Gives back what was read ahead of the end of the value.
    public override void EndValue(int unread)
    {
        if (unread > 0)
        {
            _stream!.Seek(-unread, SeekOrigin.Current);
        }

        Detach();
    }

    private void Took(int read)
    {
        if (_seekable)
        {
            _left = Math.Max(0, _left - read);
        }
    }
}
