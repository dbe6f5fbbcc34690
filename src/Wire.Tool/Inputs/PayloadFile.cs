using System.Buffers.Binary;
using Wire.Tool.Running;

namespace Wire.Tool.Inputs;

/// <summary>The payloads of a file, one after the other.</summary>
internal sealed class PayloadFile : IDisposable
{
    private const int LengthSize = sizeof(uint);

    private readonly ByteSource _source;
    private readonly string _name;
    private readonly ToolConsole _console;
    private long _frames;
    private bool _isAtEnd;

    private PayloadFile(ByteSource source, string name, ToolConsole console)
    {
        _source = source;
        _name = name;
        _console = console;
    }

    /// <summary>Gets whether the file is of frames.</summary>
    public bool IsFramed { get; private set; }

    /// <summary>Gets the name of the file, plain.</summary>
    public string Name => _name;

    /// <summary>Gets the number of bytes that were read.</summary>
    public long Position => _source.Position;

    /// <summary>Gets the number of bytes of the file; 0 where this is not known.</summary>
    public long Total => _source.Total;

    /// <summary>Opens a file, and finds out its form where it is not given.</summary>
    /// <param name="file">Its path; <c>-</c> for the standard input.</param>
    /// <param name="settings">The form and limits.</param>
    /// <param name="console">The streams.</param>
    public static PayloadFile Open(string file, InputSettings settings, ToolConsole console)
    {
        string name = file == "-" ? "standard input" : PlainText.Show(file);
        Stream stream;
        try
        {
            stream = file == "-" ? console.OpenInput() : new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Unreadable(name, exception);
        }

        var opened = new PayloadFile(new ByteSource(stream), name, console);
        opened.IsFramed = settings.Form == InputForm.Framed || (settings.Form == InputForm.Unknown && opened.LooksFramed(settings.Limits));
        return opened;
    }

    /// <summary>Reads the next payload; null at the end.</summary>
    /// <exception cref="ToolException">The file ends inside a frame, or cannot be read.</exception>
    public InputPayload? Read()
    {
        if (_isAtEnd)
        {
            return null;
        }

        _console.Progress(_source.Position, _source.Total);
        return IsFramed ? ReadFrame() : ReadAll();
    }

    /// <summary>Reads the next bytes, whatever they are, instead of payloads: fewer at the end.</summary>
    /// <param name="most">The number of bytes; what is returned stays as it is until the next call.</param>
    public ReadOnlyMemory<byte> ReadBytes(int most)
    {
        _console.Progress(_source.Position, _source.Total);
        ReadOnlyMemory<byte> bytes = Peek(most);
        if (bytes.IsEmpty && Position == 0 && !IsFramed)
        {
            throw Empty();
        }

        _source.Advance(bytes.Length);
        return bytes;
    }

    public void Dispose() => _source.Dispose();

    private InputPayload ReadAll()
    {
        _isAtEnd = true;
        ReadOnlyMemory<byte> all = Peek(long.MaxValue);
        if (all.IsEmpty)
        {
            throw Empty();
        }

        _source.Advance(all.Length);
        return new InputPayload(_name, 0, 0, all);
    }

    private InputPayload? ReadFrame()
    {
        ReadOnlyMemory<byte> head = Peek(LengthSize);
        if (head.IsEmpty)
        {
            _isAtEnd = true;
            return null;
        }

        long at = _source.Position;
        _frames++;
        if (head.Length < LengthSize)
        {
            throw CutShort(at, $"{head.Length} of the 4 bytes of its length are there");
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head.Span);
        ReadOnlyMemory<byte> frame = MayBeThere(length) ? Peek(LengthSize + (long)length) : default;
        if (frame.Length < LengthSize + (long)length)
        {
            string there = _source.Total > 0
                ? FormattableString.Invariant($"{_source.Total - at - LengthSize} are left")
                : FormattableString.Invariant($"{Math.Max(0, frame.Length - LengthSize)} arrived");
            throw CutShort(at, FormattableString.Invariant($"it should have {length} bytes, and {there}"));
        }

        _source.Advance(frame.Length);
        return new InputPayload(_name, _frames, at + LengthSize, frame[LengthSize..]);
    }

    private ToolException Empty() => new($"{_name}: The file is empty: a payload has two bytes or more.", ExitCodes.Refused);

    private ToolException CutShort(long at, string reason) => new(
        FormattableString.Invariant(
            $"{_name}, frame {_frames} (length at byte {at}): The frame is cut short: {reason}. Whatever is in front of it was read.")
            + (_frames == 1 ? " Give --single if the file is one payload." : ""),
        ExitCodes.Refused);

    // A frame has a header in its fifth byte, and a payload in its first. Where both may be, the first frame decides: no other
    // bytes than a payload can be walked through to the end.
    private bool LooksFramed(Limits limits)
    {
        ReadOnlySpan<byte> head = Peek(LengthSize + 1).Span;
        if (head.Length <= LengthSize || !IsHeader(head[LengthSize]))
        {
            return false;
        }

        if (!IsHeader(head[0]))
        {
            return true;
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head);
        if (!MayBeThere(length))
        {
            return false;
        }

        ReadOnlyMemory<byte> frame = Peek(LengthSize + (long)length);
        return frame.Length == LengthSize + (long)length && IsPayload(frame[LengthSize..], limits);
    }

    // Returns whether the input may have a payload of this length behind the four bytes.
    private bool MayBeThere(uint length) => length <= Array.MaxLength - LengthSize
        && (_source.Total == 0 || length <= _source.Total - _source.Position - LengthSize);

    // Of version 1, and without the flag that is reserved.
    private static bool IsHeader(byte value) => value is >= 0x10 and <= 0x17;

    private static bool IsPayload(ReadOnlyMemory<byte> bytes, Limits limits)
    {
        try
        {
            PayloadDocument.Parse(bytes, limits);
            return true;
        }
        catch (WireFormatException exception)
        {
            // Damaged bytes say otherwise; a message of a session, or one whose root has no schema, does not.
            return exception.Error is WireFormatError.UnknownManifest or WireFormatError.SchemaMismatch or WireFormatError.Limit;
        }
    }

    private ReadOnlyMemory<byte> Peek(long count)
    {
        try
        {
            return _source.Peek(count);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Unreadable(_name, exception);
        }
    }

    private static ToolException Unreadable(string name, Exception exception) =>
        new($"{name}: The file cannot be read: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
}
