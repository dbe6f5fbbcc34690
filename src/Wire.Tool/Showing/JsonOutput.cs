using System.Buffers;
using System.Text.Json;
using Wire.Tool.Running;

namespace Wire.Tool.Showing;

/// <summary>Writes JSON, of which little lies in memory.</summary>
/// <param name="console">The output.</param>
/// <param name="settings">The options.</param>
internal sealed class JsonOutput(ToolConsole console, ShowSettings settings)
{
    /// <summary>The complaint about JSON that <see cref="WriteLine"/> has cut.</summary>
    public const string TooLong =
        "The JSON is more than 64 times as long as the payload, and ends there: names are once in a payload, and in JSON once for each "
        + "value. Give --path for a part.";

    private readonly StreamBuffer _bytes = new(bytes => console.Bytes.Write(bytes));

    /// <summary>Writes a value as a part of JSON.</summary>
    public void Write(Utf8JsonWriter writer, PayloadNode node) =>
        node.WriteTo(writer, settings.Depth is { } depth ? new() { MaxDepth = depth == 0 ? int.MaxValue : depth } : null);

    /// <summary>Writes JSON and the end of its line; false where it is cut, because it is too long.</summary>
    /// <param name="isIndented">Whether it takes more than one line.</param>
    /// <param name="write">What writes it.</param>
    public bool WriteLine(bool isIndented, Action<Utf8JsonWriter> write)
    {
        console.FlushText();
        bool isWhole = true;
        // The writer would indent all levels, which takes a time that grows with the square of their number.
        StreamBuffer output = isIndented ? new StreamBuffer(new JsonIndent(_bytes).Write) : _bytes;
        var options = new JsonWriterOptions { Indented = isIndented, IndentSize = 0, NewLine = "\n", MaxDepth = int.MaxValue };
        using (var writer = new Utf8JsonWriter(output, options))
        {
            try
            {
                write(writer);
            }
            catch (WireFormatException exception) when (exception.Error == WireFormatError.Limit)
            {
                isWhole = false;
            }
        }

        output.Flush();
        _bytes.Write("\n"u8);
        _bytes.Flush();
        return isWhole;
    }
}
