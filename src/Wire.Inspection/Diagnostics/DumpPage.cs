using System.Globalization;
using System.Text;
using Wire.Errors;

namespace Wire.Diagnostics;

/// <summary>The lines of a dump: offset, bytes, and meaning. Long runs of bytes are shortened, and so is the whole.</summary>
internal sealed class DumpPage
{
    private const int MaxLines = 4000;
    private const int BytesPerLine = 8;
    private const int MaxBytes = 3 * BytesPerLine;
    private const int ShownOfMany = 2 * BytesPerLine;

    private readonly StringBuilder _text = new();
    private int _lines;

    /// <summary>Gets the indentation of the meaning.</summary>
    public int Level { get; set; }

    /// <summary>Gets the position behind the last line.</summary>
    public int End { get; private set; }

    /// <summary>Gets whether the dump has reached its maximal length.</summary>
    public bool IsFull => _lines >= MaxLines;

    /// <summary>Adds a line, and further ones when the bytes do not fit on it.</summary>
    /// <exception cref="WireFormatException">The dump has reached its maximal length.</exception>
    public void Line(int offset, ReadOnlySpan<byte> bytes, string meaning)
    {
        if (IsFull)
        {
            ThrowHelper.Format(WireFormatError.Limit, $"The dump has {MaxLines} lines.");
        }

        Append(offset, bytes, meaning);
        End = offset + bytes.Length;
    }

    /// <summary>Adds the last lines of a dump that did not reach the end of the payload.</summary>
    public void Stop(int offset, ReadOnlySpan<byte> rest, string reason)
    {
        Level = 0;
        Append(offset, rest, $"not decoded from 0x{offset:X} on: {reason}");
    }

    public override string ToString() => _text.ToString();

    private void Append(int offset, ReadOnlySpan<byte> bytes, string meaning)
    {
        int shown = bytes.Length <= MaxBytes ? bytes.Length : ShownOfMany;
        int first = Math.Min(shown, BytesPerLine);
        AppendBytes(offset, bytes[..first]);
        _text.Append(' ', (3 * (BytesPerLine - first)) + 1 + (2 * Level)).Append(meaning);
        EndLine();
        for (int i = first; i < shown; i += BytesPerLine)
        {
            AppendBytes(offset + i, bytes[i..Math.Min(shown, i + BytesPerLine)]);
            EndLine();
        }

        if (shown < bytes.Length)
        {
            _text.Append(CultureInfo.InvariantCulture, $"        ... {bytes.Length - shown} more bytes");
            EndLine();
        }
    }

    private void AppendBytes(int offset, ReadOnlySpan<byte> bytes)
    {
        _text.Append(CultureInfo.InvariantCulture, $"{offset:X6}  ");
        foreach (byte b in bytes)
        {
            _text.Append(CultureInfo.InvariantCulture, $"{b:X2} ");
        }
    }

    private void EndLine()
    {
        while (_text[^1] == ' ')
        {
            _text.Length--;
        }

        _text.Append('\n');
        _lines++;
    }
}
