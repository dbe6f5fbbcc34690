using System.Buffers;

namespace Wire.Tool.Showing;

/// <summary>Indents lines of JSON by the levels around them, but no further than a tree is indented.</summary>
/// <param name="output">Takes the lines.</param>
internal sealed class JsonIndent(IBufferWriter<byte> output)
{
    private static readonly byte[] Blanks = [.. Enumerable.Repeat((byte)' ', 2 * TreeOutput.MostIndent)];

    private int _levels;
    private bool _isAtStart;
    private bool _isInText;
    private bool _isEscaped;

    /// <summary>Takes what a <see cref="System.Text.Json.Utf8JsonWriter"/> writes, in pieces: no line ends in a text.</summary>
    public void Write(ReadOnlySpan<byte> json)
    {
        while (!json.IsEmpty)
        {
            int end = json.IndexOf((byte)'\n') + 1;
            ReadOnlySpan<byte> line = end == 0 ? json : json[..end];
            if (_isAtStart)
            {
                bool isEnd = line[0] is (byte)'}' or (byte)']';
                output.Write(Blanks.AsSpan(0, 2 * Math.Min(_levels - (isEnd ? 1 : 0), TreeOutput.MostIndent)));
            }

            _isAtStart = end > 0;
            Follow(line);
            output.Write(line);
            json = json[line.Length..];
        }
    }

    private void Follow(ReadOnlySpan<byte> line)
    {
        foreach (byte one in line)
        {
            if (_isInText)
            {
                _isInText = _isEscaped || one != (byte)'"';
                _isEscaped = !_isEscaped && one == (byte)'\\';
            }
            else
            {
                _isInText = one == (byte)'"';
                _levels += one is (byte)'{' or (byte)'[' ? 1 : one is (byte)'}' or (byte)']' ? -1 : 0;
            }
        }
    }
}
