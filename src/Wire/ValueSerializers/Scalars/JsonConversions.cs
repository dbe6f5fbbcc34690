using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Wire;

/// <summary>JSON is written as its text.</summary>
internal static class JsonText
{
    /// <summary>How deep it may nest: as deep as System.Text.Json itself writes.</summary>
    private const int MaxDepth = 1000;

    // Nodes write themselves level by level on the stack: so many on what is left of it, and the others on a fresh one.
    private const int MaxShallow = 64;

    // What a document was once allowed to hold may stand in its text.
    private static readonly JsonDocumentOptions Lenient = new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip, MaxDepth = MaxDepth };

    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = MaxDepth };

    /// <summary>The text of an element that a reader takes.</summary>
    public static string Of(JsonElement element)
    {
        ReadOnlySpan<byte> text = JsonMarshal.GetRawUtf8Value(element);

        // Every level takes two brackets.
        if (text.Length > 2 * MaxDepth)
        {
            var reader = new Utf8JsonReader(text, new JsonReaderOptions { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip, MaxDepth = MaxDepth });
            try
            {
                while (reader.Read())
                {
                }
            }
            catch (JsonException e)
            {
                throw new UnsupportedTypeException(typeof(JsonElement), $"it nests deeper than {MaxDepth} levels, and no reader takes that. {e.Message}");
            }
        }

        return element.GetRawText();
    }

    /// <summary>The text of a node.</summary>
    public static string Of(JsonNode node)
    {
        try
        {
            return Of(node, MaxShallow);
        }
        catch (InvalidOperationException)
        {
            // It is deep, or has no text at all: then this throws once more.
            string? text = null;
            FreshStack.Run(() => text = Of(node, MaxDepth));
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
                "it may hold half of a surrogate pair, of which JSON text makes U+FFFD. Repair the string, or make the value one of a string, before it is written.");
        }
    }

    public static JsonDocument Document(string text)
    {
        try
        {
            return JsonDocument.Parse(text, Lenient);
        }
        catch (JsonException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    public static JsonNode? Node(string text, bool ignoreCase)
    {
        try
        {
            JsonNode? node = JsonNode.Parse(text, new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase }, Strict);
            // Half of a surrogate pair can only stand in an escape, and is noticed only where the string is needed: here, and as long
            // as the node still is its text, which is written without recursion.
            if (text.Contains("\\u", StringComparison.Ordinal))
            {
                node?.ToJsonString();
            }

            if (ignoreCase)
            {
                FindDuplicates(node);
            }

            return node;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException)
        {
            throw new FormatException(e.Message, e);
        }
    }

    private static string Of(JsonNode node, int maxDepth)
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

                // What else turns into text only there, such as an object of the program's, cannot be told from what it says.
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

    // An object looks at the names of its properties only when it is first asked for one: here, so that the error comes here.
    private static void FindDuplicates(JsonNode? node)
    {
        foreach (JsonNode part in Parts(node))
        {
            (part as JsonObject)?.ContainsKey("");
        }
    }

    // A node and all that is in it. They may be nested deeper than what is left of the stack could bear.
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

/// <summary>A JSON node: its text, and whether the names of properties are compared without case. It comes back without a parent.</summary>
internal sealed class JsonNodeConversion<TNode> : IConversion<TNode, JsonNodeParts>
    where TNode : JsonNode
{
    public static JsonNodeParts To(TNode value)
    {
        try
        {
            string text = JsonText.Of(value);
            JsonText.RefuseHalfCharacters(value, text);
            return new JsonNodeParts(value.Options?.PropertyNameCaseInsensitive ?? false, text);
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException)
        {
            throw new UnsupportedTypeException(value.GetType(), $"it has no JSON text. {e.Message}");
        }
    }

    public static TNode From(JsonNodeParts written) => JsonText.Node(written.Text, written.IgnoreCase) as TNode
        ?? throw new FormatException($"The text is no {typeof(TNode).Name}.");
}

internal readonly record struct JsonNodeParts(bool IgnoreCase, string Text);

/// <summary>A JsonElement: its text, or null for the default value, which is no JSON. It comes back with a document of its own.</summary>
internal sealed class JsonElementConversion : IConversion<JsonElement, string?>
{
    public static bool NullIsValue => true;

    public static string? To(JsonElement value) => value.ValueKind == JsonValueKind.Undefined ? null : JsonText.Of(value);

    public static JsonElement From(string? written)
    {
        if (written is null)
        {
            return default;
        }

        using JsonDocument document = JsonText.Document(written);
        return document.RootElement.Clone();
    }
}

/// <summary>A JsonDocument: the text of its root.</summary>
internal sealed class JsonDocumentConversion : IConversion<JsonDocument, string>
{
    public static string To(JsonDocument value) => JsonText.Of(value.RootElement);

    public static JsonDocument From(string written) => JsonText.Document(written);
}
