using System.Buffers.Text;
using System.Net;
using System.Text;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Html;

/// <summary><c>wire html</c>. The payloads are read by the page itself: here their bytes are passed on, a piece at a time.</summary>
/// <param name="console">The streams.</param>
/// <param name="settings">The form of the file.</param>
/// <param name="most">The bytes that a page may be of, in MiB.</param>
internal sealed class HtmlCommand(ToolConsole console, InputSettings settings, int most)
{
    private const int MiB = 1 << 20;

    // Base64 of a multiple of three bytes has no padding, so that it can be followed by more.
    private const int PieceSize = 3 << 14;

    /// <summary>Writes the page.</summary>
    /// <param name="path">The file of payloads.</param>
    /// <param name="output">The file of the page; null for the standard output.</param>
    public void Run(string path, string? output)
    {
        using PayloadFile file = PayloadFile.Open(path, settings, console);
        CheckSize(file, file.Total);
        ReadOnlyMemory<byte> first = file.ReadBytes(PieceSize);
        if (output is null)
        {
            console.FlushText();
            Write(file, first, TitleOf(path), console.Bytes);
        }
        else
        {
            WriteFile(file, first, path, output);
        }

        console.EndProgress();
    }

    private void WriteFile(PayloadFile file, ReadOnlyMemory<byte> first, string path, string output)
    {
        string name = PlainText.Show(output);
        try
        {
            if (path != "-" && (WithoutLinks(path) == WithoutLinks(output) || HaveOneContent(path, output)))
            {
                throw new ToolException($"{name}: The page would overwrite the file that it is of.", ExitCodes.Usage);
            }

            using var stream = new FileStream(output, FileMode.Create, FileAccess.Write);
            try
            {
                Write(file, first, TitleOf(path), stream);
            }
            catch (ToolException) when (stream.CanSeek)
            {
                // No half page is taken for a whole one.
                stream.SetLength(0);
                throw;
            }
        }
        catch (Exception exception)
            when (exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new ToolException($"{name}: The page cannot be written: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    private void Write(PayloadFile file, ReadOnlyMemory<byte> first, string title, Stream page)
    {
        byte[][] pieces = PageTemplate.Pieces;
        string form = (file.IsFramed ? "framed" : "single") + (settings.IsSession ? " session" : "");
        page.Write(pieces[0]);
        page.Write(Encoding.UTF8.GetBytes(WebUtility.HtmlEncode(title)));
        page.Write(pieces[1]);
        page.Write(Encoding.UTF8.GetBytes(form));
        page.Write(pieces[2]);
        byte[] text = new byte[Base64.GetMaxEncodedToUtf8Length(PieceSize)];
        for (ReadOnlyMemory<byte> bytes = first; !bytes.IsEmpty; bytes = file.ReadBytes(PieceSize))
        {
            CheckSize(file, file.Position);
            Base64.EncodeToUtf8(bytes.Span, text, out _, out int written);
            page.Write(text.AsSpan(0, written));
        }

        page.Write(pieces[3]);
        page.Flush();
    }

    private static string WithoutLinks(string path)
    {
        string full = Path.GetFullPath(path);
        if (Path.GetDirectoryName(full) is not { } folder)
        {
            return full;
        }

        string own = Path.Combine(WithoutLinks(folder), Path.GetFileName(full));
        FileSystemInfo? target = Path.Exists(own) ? File.ResolveLinkTarget(own, returnFinalTarget: true) : null;
        return target is null ? own : WithoutLinks(target.FullName);
    }

    // The same file by two names (hard links), or a copy of it.
    private static bool HaveOneContent(string path, string output)
    {
        var written = new FileInfo(output);
        var read = new FileInfo(path);
        if (!written.Exists || !read.Exists || written.Length != read.Length || read.Length == 0)
        {
            return false;
        }

        using FileStream one = read.OpenRead();
        using FileStream other = written.OpenRead();
        byte[] first = new byte[PieceSize];
        byte[] second = new byte[PieceSize];
        int length;
        do
        {
            length = one.ReadAtLeast(first, PieceSize, throwOnEndOfStream: false);
            if (other.ReadAtLeast(second, PieceSize, throwOnEndOfStream: false) != length
                || !first.AsSpan(0, length).SequenceEqual(second.AsSpan(0, length)))
            {
                return false;
            }
        }
        while (length == PieceSize);

        return true;
    }

    private static string TitleOf(string path) => path == "-" ? "standard input" : PlainText.Show(Path.GetFileName(path));

    private void CheckSize(PayloadFile file, long size)
    {
        if (size > (long)most * MiB)
        {
            throw new ToolException(
                FormattableString.Invariant($"{file.Name}: A page is of {most} MiB at most, and the file has more. ")
                    + "Give --max with more MiB, or look at it with wire show.",
                ExitCodes.Usage);
        }
    }
}
