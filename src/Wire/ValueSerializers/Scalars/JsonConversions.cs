using System.Text.Json;
using System.Text.Json.Nodes;

namespace Wire;

/// <summary>JSON is written as its text.</summary>
internal static class JsonText
{
    /// <summary>How deep it may nest: as deep as System.Text.Json itself writes.</summary>
    private const int MaxDepth = 1000;

    // What a document was once allowed to hold may stand in its text.
    private static readonly JsonDocumentOptions Lenient = new() { AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip, MaxDepth = MaxDepth };

    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false, MaxDepth = MaxDepth };

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
            if (ignoreCase)
            {
                FindDuplicates(node);
            }

            return node;
        }
        catch (JsonException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    // An object looks at the names of its properties only when it is first asked for one: here, so that the error comes here.
    private static void FindDuplicates(JsonNode? node)
    {
        IEnumerable<JsonNode?> children = node switch
        {
            JsonObject properties => properties.Select(property => property.Value),
            JsonArray items => items,
            _ => [],
        };
        foreach (JsonNode? child in children)
        {
            FindDuplicates(child);
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
            return new JsonNodeParts(value.Options?.PropertyNameCaseInsensitive ?? false, value.ToJsonString());
        }
        catch (InvalidOperationException e)
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

    public static string? To(JsonElement value) => value.ValueKind == JsonValueKind.Undefined ? null : value.GetRawText();

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
    public static string To(JsonDocument value) => value.RootElement.GetRawText();

    public static JsonDocument From(string written) => JsonText.Document(written);
}
