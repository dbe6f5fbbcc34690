using System.Collections;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Wire.Tool.Running;

namespace Wire.Tool.Messages;

/// <summary>Values of properties and headers, as text and as JSON.</summary>
internal static class ValueTexts
{
    private const int MostText = 200;
    private const int MostBytes = 32;
    private const int MostElements = 20;

    /// <summary>Returns a value in one plain line, cut.</summary>
    public static string Show(object? value)
    {
        var text = new StringBuilder();
        Append(text, value);
        return text.ToString();
    }

    /// <summary>Writes a value as JSON, all of it.</summary>
    public static void Write(Utf8JsonWriter writer, object? value)
    {
        switch (value)
        {
            case null:
                writer.WriteNullValue();
                break;
            case bool flag:
                writer.WriteBooleanValue(flag);
                break;
            case string text:
                writer.WriteStringValue(text);
                break;
            case byte[] bytes:
                writer.WriteBase64StringValue(bytes);
                break;
            case sbyte or short or int or long or byte or ushort or uint:
                writer.WriteNumberValue(Convert.ToInt64(value, CultureInfo.InvariantCulture));
                break;
            case ulong number:
                writer.WriteNumberValue(number);
                break;
            case decimal number:
                writer.WriteNumberValue(number);
                break;
            case double number when double.IsFinite(number):
                writer.WriteNumberValue(number);
                break;
            case float number when float.IsFinite(number):
                writer.WriteNumberValue(number);
                break;
            case IDictionary entries:
                writer.WriteStartObject();
                foreach (DictionaryEntry entry in EntriesOf(entries))
                {
                    writer.WritePropertyName(TextOf(entry.Key));
                    Write(writer, entry.Value);
                }

                writer.WriteEndObject();
                break;
            case IEnumerable elements:
                writer.WriteStartArray();
                foreach (object? element in elements)
                {
                    Write(writer, element);
                }

                writer.WriteEndArray();
                break;
            default:
                writer.WriteStringValue(TextOf(value));
                break;
        }
    }

    private static void Append(StringBuilder text, object? value)
    {
        switch (value)
        {
            case null:
                text.Append("null");
                break;
            case bool flag:
                text.Append(flag ? "true" : "false");
                break;
            case string some:
                text.Append(PlainText.Quote(some, MostText));
                break;
            case byte[] bytes:
                text.Append(Convert.ToHexString(bytes.AsSpan(0, Math.Min(bytes.Length, MostBytes)))).Append(
                    bytes.Length > MostBytes ? "..." : "");
                break;
            case IDictionary entries:
                AppendAll(text, '{', EntriesOf(entries), '}', entry =>
                {
                    text.Append(PlainText.Show(TextOf(entry.Key), MostText)).Append(": ");
                    Append(text, entry.Value);
                });
                break;
            case IEnumerable elements:
                AppendAll(text, '[', elements.Cast<object?>(), ']', element => Append(text, element));
                break;
            default:
                text.Append(PlainText.Show(TextOf(value), MostText));
                break;
        }
    }

    // Seen as a sequence, a dictionary has pairs of its own types.
    private static IEnumerable<DictionaryEntry> EntriesOf(IDictionary dictionary)
    {
        foreach (DictionaryEntry entry in dictionary)
        {
            yield return entry;
        }
    }

    // However deep and many they are, the line stays short.
    private static void AppendAll<T>(StringBuilder text, char begin, IEnumerable<T> elements, char end, Action<T> append)
    {
        text.Append(begin);
        int count = 0;
        foreach (T element in elements)
        {
            text.Append(count > 0 ? ", " : "");
            if (count++ == MostElements || text.Length > 5 * MostText)
            {
                text.Append("...");
                break;
            }

            append(element);
        }

        text.Append(end);
    }

    private static string TextOf(object? value) => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "null";
}
