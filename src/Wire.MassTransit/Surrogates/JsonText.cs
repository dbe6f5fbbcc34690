using System.Text.Json;

namespace Wire.MassTransit.Surrogates;

/// <summary>What is written of a JSON value: MassTransit has them in headers and variables of messages that came as JSON.</summary>
[WireName("Wire.MassTransit.Json")]
internal sealed class JsonText
{
    [WireName("t")]
    public string Text { get; private init; } = "null";

    public static JsonText From(JsonElement element) =>
        element.ValueKind == JsonValueKind.Undefined ? new() : new() { Text = element.GetRawText() };

    public JsonElement ToElement()
    {
        using var document = JsonDocument.Parse(Text);
        return document.RootElement.Clone();
    }
}
