using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.Sessions;
using Wire.Types;
using Wire.ValueSerializers.Conversion;

namespace Wire.ValueSerializers.Scalars;

/// <summary>JSON is written as its text.</summary>
internal static class JsonText
{
    /// <summary>The depth to which it may nest: as deep as System.Text.Json itself writes.</summary>
    private const int MaxDepth = 1000;

    // Nodes write themselves recursively: this many levels on the current stack, and the others on a fresh one.
    private const int MaxShallow = 64;

    // The text may contain everything that the document's options allowed.
    private static readonly JsonDocumentOptions Lenient =
        new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip, MaxDepth = MaxDepth };

    private static readonly JsonReaderOptions Skipping =
        new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip, MaxDepth = MaxDepth };

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    // The beginning of a part: a row of twelve bytes in a document, two for an object or array.
    private static readonly SearchValues<char> Structure = SearchValues.Create(",:[{");

    /// <summary>
    /// The approximate memory of a document in addition to the object: its text in UTF-8, and a row for each part. Nodes are made on
    /// demand. Deep texts count about a gigabyte for each second that .NET takes.
    /// </summary>
    public static long Overhead(string? text) => text is null ? 0
        : 160 + text.Length + (12L * text.AsSpan().CountAny(Structure)) + (MayBeDeep(text) ? Depths(text) : 0);

    // Faster than a reader, which few texts need.
    private static bool MayBeDeep(ReadOnlySpan<char> text)
    {
        int depth = 0;
        for (int i = 0; i < text.Length; i++)
        {
            switch (text[i])
            {
                case '"':
                    i = EndOfString(text, i + 1);
                    break;
                case '[' or '{' when ++depth > MaxShallow:
                // A comment, in which brackets have no meaning.
                case '/':
                    return true;
                case ']' or '}':
                    depth--;
                    break;
            }
        }

        return false;
    }

    private static int EndOfString(ReadOnlySpan<char> text, int start)
    {
        int at = start;
        while (at < text.Length && text[at] != '"')
        {
            at += text[at] == '\\' ? 2 : 1;
        }

        return at;
    }

    // At the end of an object or array, .NET searches back through all of its rows for the beginning.
    private static long Depths(string text)
    {
        // Invalid text is found when it is parsed.
        var reader = new Utf8JsonReader(Encoding.UTF8.GetBytes(text), Skipping);
        long bytes = 0;
        try
        {
            while (reader.Read())
            {
                bytes += 2 * Math.Max(0, reader.CurrentDepth - MaxShallow);
            }
        }
        catch (JsonException)
        {
            // The parser reports it.
        }

        return bytes;
    }

    /// <summary>The text of an element that a reader accepts.</summary>
    public static string ToText(JsonElement element)
    {
        ReadOnlySpan<byte> text = JsonMarshal.GetRawUtf8Value(element);

        // Every level takes two brackets.
        if (text.Length > 2 * MaxDepth)
        {
            var reader = new Utf8JsonReader(text, Skipping);
            try
            {
                while (reader.Read())
                {
                }
            }
            catch (JsonException e)
            {
                throw new UnsupportedTypeException(
                    typeof(JsonElement), $"it nests deeper than {MaxDepth} levels, which no reader accepts. {e.Message}");
            }
        }

        return element.GetRawText();
    }

    /// <summary>The text of a node.</summary>
    public static string ToText(JsonNode node)
    {
        try
        {
            return ToText(node, MaxShallow);
        }
        catch (InvalidOperationException)
        {
            // It is deep, or has no text at all: then this throws again.
            string? text = null;
            FreshStack.Run(() => text = ToText(node, MaxDepth));
            return text!;
        }
    }

    /// <summary>Refuses a node whose text has lost half of a surrogate pair: System.Text.Json puts U+FFFD in its place.</summary>
    public static void RefuseHalfCharacters(JsonNode node, string text)
    {
        if (text.Contains("\\uFFFD", StringComparison.OrdinalIgnoreCase) && HasHalfCharacters(node))
        {
            throw new UnsupportedTypeException(
                node.GetType(),
                "it may hold an unpaired surrogate, which JSON text turns into U+FFFD. Repair the string before it is written.");
        }
    }

    /// <summary>The text of an element; null for the default value, which is not JSON.</summary>
    public static string? ElementToText(JsonElement element) => element.ValueKind == JsonValueKind.Undefined ? null : ToText(element);

    public static JsonDocument Document(string text) => Parsed(() => JsonDocument.Parse(text, Lenient));

    public static JsonElement Element(string? text) => text is null ? default : Parsed(() => JsonElement.Parse(text, Lenient));

    public static JsonNode? Node(string text, bool ignoreCase) => Parsed(() =>
    {
        byte[] utf8 = Utf8.GetBytes(text);

        // Half of a surrogate pair can only occur in an escape.
        if (ignoreCase || text.Contains("\\u", StringComparison.Ordinal))
        {
            Check(utf8, ignoreCase ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal);
        }

        // .NET itself finds duplicates of the same case.
        return JsonNode.Parse(
            utf8,
            new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase },
            new JsonDocumentOptions { AllowDuplicateProperties = ignoreCase, MaxDepth = MaxDepth });
    });

    private static T Parsed<T>(Func<T> parse)
    {
        try
        {
            return parse();
        }
        catch (JsonException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    // A node checks its names and texts only on access: this check finds their errors early, without making the nodes.
    private static void Check(ReadOnlySpan<byte> utf8, StringComparer comparer)
    {
        var reader = new Utf8JsonReader(utf8, new JsonReaderOptions { MaxDepth = MaxDepth });
        // The names of all open objects, and their number at the beginning of each.
        var names = new List<string>();
        var starts = new Stack<int>();
        while (reader.Read())
        {
            switch (reader.TokenType)
            {
                case JsonTokenType.StartObject:
                    starts.Push(names.Count);
                    break;
                case JsonTokenType.PropertyName:
                    names.Add(reader.GetString()!);
                    break;
                case JsonTokenType.EndObject:
                    int start = starts.Pop();
                    RefuseDuplicates(names, start, comparer);
                    names.RemoveRange(start, names.Count - start);
                    break;
                case JsonTokenType.String when reader.ValueIsEscaped:
                    _ = reader.GetString();
                    break;
            }
        }
    }

    private static void RefuseDuplicates(List<string> names, int start, StringComparer comparer)
    {
        int count = names.Count - start;
        if (count < 2)
        {
            return;
        }

        var distinct = new HashSet<string>(count, comparer);
        for (int i = start; i < names.Count; i++)
        {
            if (!distinct.Add(names[i]))
            {
                throw new FormatException("An object of the text has two properties of one name.");
            }
        }
    }

    private static string ToText(JsonNode node, int maxDepth)
    {
        var text = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(text, new JsonWriterOptions { MaxDepth = maxDepth }))
        {
            node.WriteTo(writer);
        }

        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    private static bool HasHalfCharacters(JsonNode node)
    {
        foreach (JsonNode part in Parts(node))
        {
            bool isHalved = part switch
            {
                JsonObject properties => properties.Any(property => IsHalved(property.Key)),
                JsonValue value when value.TryGetValue(out string? text) => IsHalved(text),

                // Other values that become text only there, such as an object of the program, cannot be checked.
                JsonValue value => value.ToJsonString().Contains("\\uFFFD", StringComparison.OrdinalIgnoreCase),
                _ => false,
            };
            if (isHalved)
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsHalved(ReadOnlySpan<char> text)
    {
        while (!text.IsEmpty)
        {
            if (Rune.DecodeFromUtf16(text, out _, out int taken) != OperationStatus.Done)
            {
                return true;
            }

            text = text[taken..];
        }

        return false;
    }

    // A node and all nodes in it. They may be nested too deep for the remaining stack.
    private static IEnumerable<JsonNode> Parts(JsonNode? node)
    {
        var parts = new Stack<JsonNode?>([node]);
        while (parts.TryPop(out JsonNode? part))
        {
            if (part is null)
            {
                continue;
            }

            yield return part;
            IEnumerable<JsonNode?> inner = part switch
            {
                JsonObject properties => properties.Select(property => property.Value),
                JsonArray items => items,
                _ => [],
            };
            foreach (JsonNode? child in inner)
            {
                parts.Push(child);
            }
        }
    }
}

/// <summary>
/// A JSON node: its text, and whether the names of properties are compared without case. It is restored without a parent.
/// </summary>
internal static class JsonNodeConversion
{
    // Not in the table of families, whose constraint would load the class of nodes.
    public static ConvertedSerializer<TNode, JsonNodeParts> Create<TNode>(TypeRegistry registry)
        where TNode : JsonNode => new(registry.Slot<JsonNodeParts>(), To, From<TNode>, overhead: parts => JsonText.Overhead(parts.Text));

    private static JsonNodeParts To(JsonNode value)
    {
        try
        {
            string text = JsonText.ToText(value);
            JsonText.RefuseHalfCharacters(value, text);
            return new JsonNodeParts(value.Options?.PropertyNameCaseInsensitive ?? false, text);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            throw new UnsupportedTypeException(value.GetType(), $"it has no JSON text. {e.Message}");
        }
    }

    private static TNode From<TNode>(JsonNodeParts written)
        where TNode : JsonNode => JsonText.Node(written.Text, written.IgnoreCase) as TNode
            ?? throw new FormatException($"The text is not a {typeof(TNode).Name}.");
}

internal readonly record struct JsonNodeParts(bool IgnoreCase, string Text);
