using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Wire.Tool.Running;

/// <summary>The streams that a command reads and writes.</summary>
internal sealed class ToolConsole : IDisposable
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private readonly StreamWriter _out;
    private readonly Stopwatch _time = Stopwatch.StartNew();
    private TimeSpan _nextProgress = TimeSpan.FromSeconds(1);
    private bool _hasProgress;

    /// <summary>Takes streams of the caller's.</summary>
    /// <param name="input">Opens the standard input.</param>
    /// <param name="output">The output.</param>
    /// <param name="error">Where errors go.</param>
    /// <param name="usesColors">Whether the output is a terminal.</param>
    /// <param name="showsProgress">Whether somebody looks at the errors.</param>
    public ToolConsole(Func<Stream> input, Stream output, TextWriter error, bool usesColors = false, bool showsProgress = false)
    {
        OpenInput = input;
        Bytes = output;
        _out = new StreamWriter(output, Utf8, bufferSize: 1 << 15, leaveOpen: true) { NewLine = "\n" };
        Error = error;
        UsesColors = usesColors;
        ShowsProgress = showsProgress;
    }

    /// <summary>Opens the standard input.</summary>
    public Func<Stream> OpenInput { get; }

    /// <summary>Gets the output for text. What it has is written when the command ends, or by <see cref="FlushText"/>.</summary>
    public TextWriter Out => _out;

    /// <summary>Gets the output for bytes.</summary>
    public Stream Bytes { get; }

    /// <summary>Gets the writer for errors.</summary>
    public TextWriter Error { get; }

    /// <summary>Gets whether the output is a terminal.</summary>
    public bool UsesColors { get; }

    /// <summary>Gets whether the progress of long work is shown.</summary>
    public bool ShowsProgress { get; }

    /// <summary>Takes the streams of the process.</summary>
    public static ToolConsole OfProcess() => new(
        Console.OpenStandardInput,
        OutputStream.OfProcess(),
        new StreamWriter(Console.OpenStandardError(), Utf8) { AutoFlush = true, NewLine = "\n" },
        usesColors: !Console.IsOutputRedirected && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR")),
        showsProgress: !Console.IsErrorRedirected);

    /// <summary>Writes one line to the errors: its texts must be plain.</summary>
    public void Complain(string line)
    {
        EndProgress();
        Error.WriteLine($"wire: {line}");
    }

    /// <summary>Returns a text in a color, for terminals.</summary>
    public string Paint(Paint paint, string text) => UsesColors
        ? string.Create(CultureInfo.InvariantCulture, $"\e[{(int)paint}m{text}\e[0m")
        : text;

    /// <summary>Shows how far long work is.</summary>
    /// <param name="done">The bytes that are done.</param>
    /// <param name="total">All bytes; 0 where this is not known.</param>
    public void Progress(long done, long total)
    {
        if (!ShowsProgress || _time.Elapsed < _nextProgress)
        {
            return;
        }

        _hasProgress = true;
        _nextProgress = _time.Elapsed + TimeSpan.FromMilliseconds(200);
        string share = total > 0 ? string.Create(CultureInfo.InvariantCulture, $", {100 * done / total} %") : "";
        Error.Write(string.Create(CultureInfo.InvariantCulture, $"\r{done >> 20} MiB{share}  "));
        Error.Flush();
    }

    /// <summary>Clears the line of the progress.</summary>
    public void EndProgress()
    {
        if (_hasProgress)
        {
            _hasProgress = false;
            Error.Write("\r\e[K");
        }
    }

    /// <summary>Writes what <see cref="Out"/> has, before bytes follow.</summary>
    public void FlushText() => _out.Flush();

    /// <inheritdoc/>
    public void Dispose()
    {
        Bytes.Dispose();
        Error.Dispose();
    }
}

/// <summary>Colors of terminals, by their numbers there.</summary>
internal enum Paint
{
    Faint = 2,
    Bold = 1,
    Name = 36,
    Value = 32,
    Type = 33,
    Bad = 31,
}
