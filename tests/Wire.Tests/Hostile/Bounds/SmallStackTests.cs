using System.Linq.Expressions;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>
/// Values that go deep on the stack by other ways than that of the graph: in as many arrays as bring them, at one of the depths
/// tried, to where least of a small stack is left. An overflow would end the process.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class SmallStackTests
{
    private const int Stack = 256;

    private static readonly Serializer Plain =
        Setup.Serializer(true, o => o with { AllowExpressions = true, Limits = Limits.Default with { MaxDepth = 5000 } });
    private static readonly Serializer References = new(Plain.Options with { PreserveObjectReferences = true });

    [Theory]
    [InlineData(false, "1")]
    [InlineData(false, "\"\\u0041\"")]
    [InlineData(true, "1")]
    [InlineData(true, "\"\\u0041\"")]
    public void Json_nodes_are_read_and_written_again(bool ignoreCase, string inmost)
    {
        var options = new JsonNodeOptions { PropertyNameCaseInsensitive = ignoreCase };
        JsonNode node = JsonNode.Parse(
            string.Concat(Enumerable.Repeat("{\"a\":[", 490)) +
                inmost +
                string.Concat(Enumerable.Repeat("]}", 490)), options, new() { MaxDepth = 1000 })!;
        AtEveryDepth(node, read => Assert.Equal(ignoreCase, ((JsonNode)read).Options!.Value.PropertyNameCaseInsensitive));
    }

    [Fact]
    public void Json_nodes_made_by_the_program_are_written()
    {
        JsonNode node = JsonValue.Create("\uFFFD");
        for (int i = 0; i < 490; i++)
        {
            node = new JsonObject { ["a"] = new JsonArray(node) };
        }

        AtEveryDepth(node, read => Assert.Equal('{', read.ToString()![0]));
    }

    [Fact]
    public void Elements_of_xml() => AtEveryDepth(
        XElement.Parse(string.Concat(Enumerable.Repeat("<a>", 990)) + string.Concat(Enumerable.Repeat("</a>", 990))),
        read => Assert.True(((XElement)read).HasElements));

    [Fact]
    public void Groups_of_patterns() => AtEveryDepth(
        new Regex(string.Concat(Enumerable.Repeat("(?:a|", 900)) + "b" + new string(')', 900)),
        read => Assert.IsType<Regex>(read));

    [Fact]
    public void Exceptions_in_exceptions()
    {
        var exception = new FormatException("x");
        for (int i = 0; i < 900; i++)
        {
            exception = new FormatException("x", exception);
        }

        AtEveryDepth(exception, read => Assert.NotNull(((Exception)read).InnerException));
    }

    [Fact]
    public void Expressions()
    {
        Expression expression = Expression.Parameter(typeof(int), "x");
        for (int i = 0; i < 900; i++)
        {
            expression = Expression.Negate(expression);
        }

        AtEveryDepth(expression, read => Assert.Equal(ExpressionType.Negate, ((Expression)read).NodeType));
    }

    private static void AtEveryDepth(object value, Action<object> check)
    {
        AtEveryDepth(Plain, value, check);
        AtEveryDepth(References, value, check);
    }

    private static void AtEveryDepth(Serializer serializer, object value, Action<object> check)
    {
        byte[] payload = [];
        for (int depth = 0; depth < 700; depth += Sweep.IsWhole ? 7 : 21)
        {
            object nested = value;
            for (int i = 0; i < depth; i++)
            {
                nested = new[] { nested };
            }

            object? read = null;
            Setup.OnSmallStack(() => payload = serializer.Serialize(nested), Stack);
            Setup.OnSmallStack(() => read = serializer.Deserialize<object>(payload), Stack);
            Setup.OnSmallStack(() => serializer.Serialize(read), Stack);
            for (int i = 0; i < depth; i++)
            {
                read = ((object[])read!)[0];
            }

            check(read!);
        }
    }
}
