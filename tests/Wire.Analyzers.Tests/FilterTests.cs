namespace Wire.Analyzers.Tests;

/// <summary>WIRE111 and WIRE112: what payloads may name.</summary>
public sealed class FilterTests
{
    private const string Everything = """
        using Wire;

        public static class Program
        {
            public static SerializerOptions Options => new() { TypeFilter = {|#0:WireTypeFilter.Unrestricted|} };
        }
        """;

    [Fact]
    public Task A_filter_without_restriction_is_found() => Check.FindsAsync<FilterAnalyzer>(
        Everything,
        "WIRE111: With WireTypeFilter.Unrestricted, a payload can create any object that the program's assemblies define. Allow the types "
            + "that you expect, as with WireTypeFilter.Default.AllowDerivedFrom<T>().");

    [Theory]
    [InlineData("public static bool Is(SerializerOptions options) => options.TypeFilter == WireTypeFilter.Unrestricted;")]
    [InlineData("public static string Name => nameof(WireTypeFilter.Unrestricted);")]
    [InlineData("public static WireTypeFilter Other => WireTypeFilter.Default;")]
    [InlineData("public static Own Other => Own.Unrestricted; public class Own { public static Own Unrestricted => new(); }")]
    public Task What_does_not_set_it_is_not_found(string member) => Check.FindsAsync<FilterAnalyzer>(
        $$"""
        using Wire;

        public static class Program
        {
            {{member}}
        }
        """);

    [Fact]
    public Task A_project_of_tests_may_name_everything() => Check.FindsAsync<FilterAnalyzer>(
        Everything.Replace("{|#0:", "", StringComparison.Ordinal).Replace("|}", "", StringComparison.Ordinal),
        (state, _) => state.AdditionalReferences.Add(typeof(FactAttribute).Assembly));

    [Theory]
    [InlineData("{|#0:new Serializer().Deserialize<object>(payload)|}")]
    [InlineData("{|#0:new Serializer(new SerializerOptions()).Deserialize<object>(payload)|}")]
    [InlineData("{|#0:new Serializer(new() { VersionTolerance = false }).Deserialize<object>(payload)|}")]
    [InlineData("{|#0:new Serializer(SerializerOptions.Default).Deserialize<object>(payload)|}")]
    [InlineData("{|#0:new Serializer(SerializerOptions.Default with { EnumsByName = false }).Deserialize<object>(payload)|}")]
    public Task An_object_for_which_nothing_is_allowed_is_found(string call) => Check.FindsAsync<FilterAnalyzer>(
        Reading($"=> {call};"), Nothing);

    [Fact]
    public Task A_serializer_in_a_variable_is_found() => Check.FindsAsync<FilterAnalyzer>(
        Reading("{ var made = new Serializer(); return {|#0:made.Deserialize<object>(payload)|}; }"), Nothing);

    [Theory]
    [InlineData("=> new Serializer().Deserialize<int>(payload);")]
    [InlineData("=> new Serializer(new() { TypeFilter = WireTypeFilter.Default.AllowNamespace(\"Shop\") }).Deserialize<object>(payload);")]
    [InlineData("=> new Serializer(new() { KnownTypes = [new(1, typeof(Program))] }).Deserialize<object>(payload);")]
    [InlineData("=> new Serializer(new() { TypeRefused = _ => { } }).Deserialize<object>(payload);")]
    [InlineData("=> new Serializer(given).Deserialize<object>(payload);")]
    [InlineData("=> new Serializer(given with { EnumsByName = false }).Deserialize<object>(payload);")]
    [InlineData("=> own.Deserialize<object>(payload);")]
    [InlineData("{ var one = new Serializer(); one = own; return one.Deserialize<object>(payload); }")]
    [InlineData("=> new Serializer().Serialize<object>(1);")]
    public Task What_allows_something_or_is_not_seen_is_not_found(string body) => Check.FindsAsync<FilterAnalyzer>(Reading(body));

    private const string Nothing =
        "WIRE112: 'Deserialize<object>' asks for an object of any type, and the options of the serializer allow none of yours: payloads "
            + "with one are refused. Ask for the type, or set SerializerOptions.TypeFilter.";

    private static string Reading(string body) =>
        $$"""
        using Wire;

        public class Program
        {
            public static object? Read(byte[] payload, SerializerOptions given, Serializer own) {{body}}
        }
        """;
}
