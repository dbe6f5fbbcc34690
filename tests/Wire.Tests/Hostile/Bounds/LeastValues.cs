using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>Values of which few bytes make much: empty ones, null ones, and what else takes more than it says.</summary>
internal static class LeastValues
{
    public static IEnumerable<(Type Variable, object Value)> All { get; } =
    [
        .. from make in SmallCollectionTests.Makers.Values
           from count in new[] { 0, 1, 5, 33 }
           let collection = make(Enumerable.Range(0, count))
           select (Variable(collection), collection),

        .. from text in new[]
           {
               "0", "\"\"", "{}", "[]", "[0]", "[0,0]", "{\"\":0}", "{\"\":{}}", "[[[[[[]]]]]]", "[{},{},[],[]]",
               $"[{string.Join(',', Enumerable.Repeat("{\"\":1}", 50))}]",
           }
           from value in Json(text)
           select value,

        Of(new Regex("")), Of(new XElement("a")),
        Of(new XElement("a", new XElement("b"), new XElement("b"))), Of(
            new XElement("a", new XAttribute("b", ""), "c")), Of(new XDocument()),
        Of(new Exception()), Of(new AggregateException()), Of(new Uri("", UriKind.Relative)), Of(new Uri("ab:c")),
        Of(new Lazy<int>(0)), Of(new Lazy<object?>((object?)null)),
    ];

    private static IEnumerable<(Type Variable, object Value)> Json(string text)
    {
        yield return Of(JsonElement.Parse(text));
        yield return Of(JsonDocument.Parse(text));
        foreach (bool ignoreCase in new[] { false, true })
        {
            JsonNode node = JsonNode.Parse(text, new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase })!;
            yield return Of(node);
            yield return node switch
            {
                JsonObject part => Of(part),
                JsonArray part => Of(part),
                _ => Of(node.AsValue()),
            };
        }
    }

    private static Type Variable(object collection) => collection switch
    {
        ILookup<int, int> => typeof(ILookup<int, int>),
        System.Collections.Frozen.FrozenDictionary<int, int> => typeof(System.Collections.Frozen.FrozenDictionary<int, int>),
        System.Collections.Frozen.FrozenSet<int> => typeof(System.Collections.Frozen.FrozenSet<int>),
        _ => collection.GetType(),
    };

    private static (Type Variable, object Value) Of<T>(T value)
        where T : notnull => (typeof(T), value);
}
