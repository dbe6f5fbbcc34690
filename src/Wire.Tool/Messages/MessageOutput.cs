using System.Text.Json;
using Wire.Tool.Running;
using Wire.Tool.Showing;

namespace Wire.Tool.Messages;

/// <summary>Shows messages: what they say of themselves, and their bodies.</summary>
/// <param name="console">The output.</param>
/// <param name="settings">What is shown of bodies.</param>
/// <param name="noun">The word for the number of a message.</param>
internal sealed class MessageOutput(ToolConsole console, ShowSettings settings, string noun = "message")
{
    private const int MostHeaders = 50;
    private const int MostText = 2000;
    private const int MostBytes = 256;
    private const int BytesInLine = 32;
    private const string BodyIndent = "          ";

    private readonly PayloadView _view = new(console, settings);
    private readonly Complaints _complaints = new(console);

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode => _complaints.ExitCode;

    /// <summary>Shows a message.</summary>
    public void Write(BrokerMessage message)
    {
        MessageBody body = message.Body.Read();
        PayloadNode? node = body.Payload is { } payload ? _view.Select(payload) : null;
        if (settings.Find is not null)
        {
            if (node is { } within)
            {
                _view.Find(within, FormattableString.Invariant($"{noun} {message.Number}: "));
            }
        }
        else if (settings.Json)
        {
            if (!_view.Json.WriteLine(isIndented: false, writer => WriteJson(writer, message, body, node)))
            {
                _complaints.Add(FormattableString.Invariant($"{noun} {message.Number}: {JsonOutput.TooLong}"), ExitCodes.Refused);
            }
        }
        else
        {
            WriteText(message, body, node);
        }

        if (body.Refusal is { } reason)
        {
            _complaints.Add(FormattableString.Invariant($"{noun} {message.Number}: {PlainText.Show(reason)}"), ExitCodes.Refused);
        }
    }

    /// <summary>Reports something, in one line.</summary>
    public void Complain(string line, int exitCode) => _complaints.Add(line, exitCode);

    /// <summary>Reports what was asked for and not found.</summary>
    public void Conclude()
    {
        _view.Conclude(_complaints.Add);
        _complaints.Conclude();
    }

    private void WriteText(BrokerMessage message, MessageBody body, PayloadNode? node)
    {
        console.Out.WriteLine(console.Paint(Paint.Bold, FormattableString.Invariant(
            $"{noun} {message.Number}: {TextTable.Number(message.Body.Size)} bytes")));
        foreach (MessageFact fact in message.Facts)
        {
            WriteFact("  ", fact);
        }

        if (message.Headers.Count > 0)
        {
            console.Out.WriteLine($"  {message.HeaderName}");
            foreach (MessageFact header in message.Headers.Take(MostHeaders))
            {
                WriteFact("    ", header);
            }

            if (message.Headers.Count > MostHeaders)
            {
                console.Out.WriteLine(FormattableString.Invariant($"    ... {message.Headers.Count - MostHeaders} more, see --json"));
            }
        }

        if (node is { } selected)
        {
            _view.WriteTree(selected);
        }
        else if (body.Text is { } text)
        {
            WriteLines(text);
        }
        else if (body.Payload is null)
        {
            WriteBytes(body.Bytes.Span);
        }
    }

    private void WriteFact(string indent, MessageFact fact) => console.Out.WriteLine(
        $"{indent}{console.Paint(Paint.Name, PlainText.Show(fact.Name, 300))}: {console.Paint(Paint.Value, ValueTexts.Show(fact.Value))}");

    private void WriteLines(string text)
    {
        bool isCut = text.Length > MostText;
        foreach (ReadOnlySpan<char> line in text.AsSpan(0, isCut ? MostText : text.Length).EnumerateLines())
        {
            console.Out.WriteLine($"{BodyIndent}{PlainText.Show(line, MostText)}".TrimEnd());
        }

        WriteCut(isCut);
    }

    private void WriteBytes(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<byte> shown = bytes[..Math.Min(bytes.Length, MostBytes)];
        while (!shown.IsEmpty)
        {
            int count = Math.Min(shown.Length, BytesInLine);
            console.Out.WriteLine(BodyIndent + Convert.ToHexString(shown[..count]));
            shown = shown[count..];
        }

        WriteCut(bytes.Length > MostBytes);
    }

    private void WriteCut(bool isCut)
    {
        if (isCut)
        {
            console.Out.WriteLine(BodyIndent + console.Paint(Paint.Faint, "... more, see --json"));
        }
    }

    private void WriteJson(Utf8JsonWriter writer, BrokerMessage message, MessageBody body, PayloadNode? node)
    {
        writer.WriteStartObject();
        writer.WriteNumber(noun, message.Number);
        WriteFacts(writer, message.Facts);
        writer.WriteStartObject(message.HeaderName);
        WriteFacts(writer, message.Headers);
        writer.WriteEndObject();
        writer.WriteNumber("bytes", message.Body.Size);
        if (body.Refusal is { } refusal)
        {
            writer.WriteString("error", refusal);
        }

        writer.WritePropertyName(body.Payload is null && body.Text is null ? "base64" : "body");
        if (node is { } selected)
        {
            _view.Json.Write(writer, selected);
        }
        else if (body.Payload is not null)
        {
            writer.WriteNullValue();
        }
        else
        {
            ValueTexts.Write(writer, (object?)body.Text ?? body.Bytes.ToArray());
        }

        writer.WriteEndObject();
    }

    private static void WriteFacts(Utf8JsonWriter writer, IReadOnlyList<MessageFact> facts)
    {
        foreach (MessageFact fact in facts)
        {
            writer.WritePropertyName(fact.Name);
            ValueTexts.Write(writer, fact.Value);
        }
    }
}
