using System.Reflection;
using System.Text.RegularExpressions;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Documentation;

/// <summary>Every promise of docs/security.md and its reference names a test, and every test that they name is there.</summary>
public sealed partial class SecurityPageTests
{
    private static readonly string[] Guide = Lines("security.md");
    private static readonly string[] Reference = Lines("reference", "security.md");

    [Fact]
    public void Every_test_that_the_pages_name_is_one()
    {
        HashSet<string> tests = [.. typeof(SecurityPageTests).Assembly.GetTypes()
            .SelectMany(type => type.GetMethods(BindingFlags.Public | BindingFlags.Instance))
            .Where(method => method.GetCustomAttributes<FactAttribute>().Any())
            .Select(method => $"{Outermost(method.ReflectedType!).Name}.{method.Name}")];
        string[] named = [.. Guide.Concat(Reference).SelectMany(Names)];

        Assert.NotEmpty(named);
        Assert.All(named, name => Assert.Contains(name, tests));
    }

    [Fact]
    public void Every_promise_names_a_test()
    {
        string[] promises =
        [
            .. Section(Guide, "What bytes cannot do").Where(IsRow).Skip(2),
            .. Section(Reference, "Attack by attack").Where(IsRow).Skip(2),
        ];

        Assert.True(promises.Length > 20, $"{promises.Length} promises");
        Assert.All(promises, promise => Assert.True(Names(promise).Any(), promise));
    }

    private static Type Outermost(Type type) => type.DeclaringType is { } around ? Outermost(around) : type;

    private static string[] Lines(params string[] page) => File.ReadAllLines(Path.Combine([Repository.Root, "docs", .. page]));

    private static IEnumerable<string> Section(string[] page, string title) => page
        .SkipWhile(line => line != $"## {title}")
        .Skip(1)
        .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal));

    private static bool IsRow(string line) => line.StartsWith('|');

    private static IEnumerable<string> Names(string line) => TestName().Matches(line).Select(match => match.Groups["name"].Value);

    [GeneratedRegex("`(?<name>[A-Za-z]+Tests\\.[A-Za-z0-9_]+)`")]
    private static partial Regex TestName();
}
