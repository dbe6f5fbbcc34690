using System.Buffers.Binary;
using Wire.Tool.Running;

namespace Wire.Tool.Messages;

/// <summary>Writes the payloads of messages to a file, as frames that the other commands read.</summary>
internal sealed class FrameOutput : IDisposable
{
    private readonly ToolConsole _console;
    private readonly string _name;
    private readonly Stream _stream;
    private readonly bool _isOwn;
    private readonly string _noun;
    private readonly Complaints _complaints;
    private long _frames;
    private long _bytes;
    private long _others;

    private FrameOutput(ToolConsole console, string name, Stream stream, bool isOwn, string noun)
    {
        _console = console;
        _name = name;
        _stream = stream;
        _isOwn = isOwn;
        _noun = noun;
        _complaints = new Complaints(console);
    }

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode => _complaints.ExitCode;

    /// <summary>Makes the file.</summary>
    /// <param name="console">The streams.</param>
    /// <param name="path">Its path; <c>-</c> for the standard output.</param>
    /// <param name="noun">The word for the number of a message.</param>
    public static FrameOutput Create(ToolConsole console, string path, string noun = "message")
    {
        if (path == "-")
        {
            return new(console, "standard output", console.Bytes, isOwn: false, noun);
        }

        try
        {
            return new(console, PlainText.Show(path), new FileStream(path, FileMode.Create, FileAccess.Write), isOwn: true, noun);
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException(
                $"{PlainText.Show(path)}: The file cannot be written: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    /// <summary>Writes the payload of a message; others are counted.</summary>
    public void Write(BrokerMessage message)
    {
        MessageBody body = message.Body.Read();
        if (body.Payload is null)
        {
            if (body.Refusal is { } reason)
            {
                _complaints.Add(FormattableString.Invariant($"{_noun} {message.Number}: {PlainText.Show(reason)}"), ExitCodes.Refused);
            }
            else
            {
                _others++;
            }

            return;
        }

        Span<byte> length = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteInt32LittleEndian(length, body.Bytes.Length);
        try
        {
            _stream.Write(length);
            _stream.Write(body.Bytes.Span);
        }
        catch (IOException exception)
        {
            throw Unwritable(exception);
        }

        _frames++;
        _bytes += body.Bytes.Length;
    }

    /// <summary>Reports something, in one line.</summary>
    public void Complain(string line, int exitCode) => _complaints.Add(line, exitCode);

    /// <summary>Ends the file, and says what it has.</summary>
    public void Conclude()
    {
        try
        {
            _stream.Flush();
        }
        catch (IOException exception)
        {
            throw Unwritable(exception);
        }

        _complaints.Conclude();
        if (_isOwn)
        {
            _console.Out.WriteLine($"{_name}: {TextTable.Number(_frames)} frame(s), {TextTable.Number(_bytes)} bytes of payloads");
        }

        if (_others > 0)
        {
            _console.FlushText();
            _console.Complain($"{TextTable.Number(_others)} message(s) are no payloads of Wire, and were left out.");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isOwn)
        {
            _stream.Dispose();
        }
    }

    private ToolException Unwritable(IOException exception) =>
        new($"{_name}: The file cannot be written: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
}
