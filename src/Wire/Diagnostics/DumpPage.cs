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

    /// <summary>Says whether the dump has reached its maximal length.</summary>
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
        AppendLine($"{offset:X6}  {Hex(bytes[..first]),-(3 * BytesPerLine)} {new string(' ', 2 * Level)}{meaning}");
        for (int i = first; i < shown; i += BytesPerLine)
        {
            AppendLine($"{offset + i:X6}  {Hex(bytes[i..Math.Min(shown, i + BytesPerLine)])}");
        }

        if (shown < bytes.Length)
        {
            AppendLine($"        ... {bytes.Length - shown} more bytes");
        }
    }

    private void AppendLine(FormattableString line)
    {
        _text.Append(line.ToString(CultureInfo.InvariantCulture).TrimEnd()).Append('\n');
        _lines++;
    }

    private static string Hex(ReadOnlySpan<byte> bytes)
    {
        var text = new StringBuilder();
        foreach (byte b in bytes)
        {
            text.Append(text.Length == 0 ? "" : " ").Append(b.ToString("X2", CultureInfo.InvariantCulture));
        }

        return text.ToString();
    }
}
