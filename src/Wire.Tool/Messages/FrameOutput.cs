using System.Buffers.Binary;
using Wire.Tool.Running;

namespace Wire.Tool.Messages;

/// <summary>Writes the payloads of messages to a file, as frames that the other commands read.</summary>
internal sealed class FrameOutput : IDisposable
{
    private readonly ToolConsole _console;
    private readonly string _path;
    private readonly bool _isOwn;
    private readonly string _noun;
    private readonly Complaints _complaints;
    private long _frames;
    private long _bytes;
    private long _others;

    // Made when there is something to write, or nothing at all: a file is not emptied for a queue that is not there.
    private Stream? _stream;

    /// <summary>Names the file.</summary>
    /// <param name="console">The streams.</param>
    /// <param name="path">Its path; <c>-</c> for the standard output.</param>
    /// <param name="noun">The word for the number of a message.</param>
    public FrameOutput(ToolConsole console, string path, string noun = "message")
    {
        _console = console;
        _path = path;
        _isOwn = path != "-";
        _noun = noun;
        _complaints = new Complaints(console);
    }

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode => _complaints.ExitCode;

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
            Stream stream = Opened();
            stream.Write(length);
            stream.Write(body.Bytes.Span);
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
            Opened().Flush();
        }
        catch (IOException exception)
        {
            throw Unwritable(exception);
        }

        _complaints.Conclude();
        if (_isOwn)
        {
            _console.Out.WriteLine(
                $"{PlainText.Show(_path)}: {TextTable.Number(_frames)} frame(s), {TextTable.Number(_bytes)} bytes of payloads");
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
            _stream?.Dispose();
        }
    }

    private Stream Opened()
    {
        try
        {
            return _stream ??= _isOwn ? new FileStream(_path, FileMode.Create, FileAccess.Write) : _console.Bytes;
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw Unwritable(exception);
        }
    }

    private ToolException Unwritable(Exception exception) => new(
        $"{(_isOwn ? PlainText.Show(_path) : "standard output")}: The file cannot be written: {PlainText.Show(exception.Message)}",
        ExitCodes.Usage);
}
