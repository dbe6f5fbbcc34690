using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.Testing;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE103, WIRE104 and WIRE105: the names of payloads.</summary>
public sealed class NameTests
{
    [Theory]
    [InlineData("public int Id { get; set; } [WireName(\"a\")] public int A; [{|#0:WireName(\"a\")|}] public int B { get; set; }")]
    [InlineData("[property: WireName(\"a\")] public int A; [WireName(\"a\")] public int B { get; set; }", false)]
    [InlineData("[field: WireName(\"a\")] public int A { get; set; } [field: {|#0:WireName(\"a\")|}] public int B { get; set; }")]
    public Task Two_members_of_one_name_are_found(string members, bool isFound = true) => Check.FindsAsync<NameAnalyzer>(
        $$"""
        using Wire;

        public class Message
        {
            #pragma warning disable CS0657
            {{members}}
        }
        """,
        isFound
            ? ["WIRE103: 'A' and 'B' both have the name 'a' in payloads, so that no 'Message' can be written. Give each a name of its own."]
            : []);

    [Fact]
    public Task A_member_of_a_base_class_counts() => Check.FindsAsync<NameAnalyzer>(
        """
        using Wire;

        public record Base([property: WireName("x")] int X);

        public record Message(int X, [property: {|#0:WireName("x")|}] int Y) : Base(X);
        """,
        "WIRE103: 'X' and 'Y' both have the name 'x' in payloads, so that no 'Message' can be written. Give each a name of its own.");

    // As MemberFinder names them, where several classes of a type have a member of one name.
    [Theory]
    [InlineData("public class Base { public int N; }", "N@Message")]
    [InlineData("public class Base { public int N; }", "N@Base")]
    [InlineData("[WireName(\"Shop.Base\")] public class Base { public int N; }", "N@Shop.Base")]
    [InlineData("public class Outer { public class Base { public int N; } }", "N@Outer+Base", "Outer.Base")]
    [InlineData("namespace Shop { public class Base<T> { public int N; } }", "N@Shop.Base`1", "Shop.Base<int>")]
    [InlineData("public class Outer<T> { [WireName(\"In\")] public class Base { public int N; } }", "N@In`1", "Outer<int>.Base")]
    public async Task A_name_with_the_class_of_another_member_is_found(string types, string name, string above = "Base")
    {
        await Check.FindsAsync<NameAnalyzer>(
            Derived("new int N", $"{{|#0:WireName(\"{name}\")|}}"),
            $"WIRE103: 'N' and 'M' both have the name '{name}' in payloads, so that no 'Message' can be written. "
                + "Give each a name of its own.");
        await Check.FindsAsync<NameAnalyzer>(Derived("int O", $"WireName(\"{name}\")"));

        string Derived(string member, string given) => $"using Wire; {types} public class Message : {above} {{ public {member}; "
            + $"[{given}] public int M; }} public class Further : Message;";
    }

    [Fact]
    public Task A_base_class_may_have_the_clash_of_a_derived_one() => Check.FindsAsync<NameAnalyzer>(
        "using Wire; public class Base { public int N; [{|#0:WireName(\"N@Base\")|}] public int M; } "
            + "public class Message : Base { public new int N; }",
        "WIRE103: 'N' and 'M' both have the name 'N@Base' in payloads, so that no 'Message' can be written. Give each a name of its own.");

    // As editors see other projects: by their sources.
    [Fact]
    public Task A_clash_with_members_of_another_project_is_at_the_class() => Check.FindsAsync<NameAnalyzer>(
        "public class {|#0:Message|} : Base { public new int N; }",
        (state, _) =>
        {
            ProjectState library = state.AdditionalProjects["Library"];
            library.Sources.Add("public class Base { public int N; [Wire.WireName(\"N@Base\")] public int M; }");
            library.AdditionalReferences.AddRange(Check.Libraries);
            state.AdditionalProjectReferences.Add("Library");
        },
        "WIRE103: 'N' and 'M' both have the name 'N@Base' in payloads, so that no 'Message' can be written. Give each a name of its own.");

    // Reflection finds the attributes of an overridden property of the same type alone.
    [Fact]
    public Task A_property_of_a_narrower_type_has_no_name_of_the_one_that_it_overrides() => Check.FindsAsync<NameAnalyzer>(
        "using Wire; public abstract class Base { [WireName(\"x\")] public abstract object P { get; } } "
            + "public class Message : Base { public override string P { get; } = \"\"; [WireName(\"x\")] public int Q; }");

    [Fact]
    public Task Two_members_of_an_enum_are_found() => Check.FindsAsync<NameAnalyzer>(
        """
        using Wire;

        public enum State
        {
            Open,
            [{|#0:WireName("Open")|}]
            Paid,
        }
        """,
        "WIRE103: 'Open' and 'Paid' both have the name 'Open' in payloads, so that no 'State' can be written. "
            + "Give each a name of its own.");

    // MemberFinder writes a member with the name of its class, where another was given its name.
    [Theory]
    [InlineData("public class Message { public int A; [WireName(\"A\")] public int B; }")]
    [InlineData("public class Message { [WireName(\"a\")] public int A; [WireName(\"A\")] public int B; }")]
    [InlineData("public class Message { [WireName(\"a\")] public int A; [WireName(\"a\"), IgnoreMember] public int B; }")]
    [InlineData("public class Message { [WireName(\"a\")] public static int A; [WireName(\"a\")] public int B; }")]
    [InlineData("public class Message { [WireName(\"a\")] public int A => 1; [WireName(\"a\")] public int B; }")]
    [InlineData("public class One { [WireName(\"a\")] public int A; } public class Two { [WireName(\"a\")] public int A; }")]
    [InlineData("public enum State { [WireName(\"Open\")] Begun, [WireName(\"Begun\")] Open }")]
    [InlineData("public class Base { public int A; } public class Message : Base { public new int A; [WireName(\"x\")] public int B; }")]
    public Task Members_of_other_names_are_not_found(string types) => Check.FindsAsync<NameAnalyzer>($"using Wire; {types}");

    [Fact]
    public Task Two_types_of_one_name_are_found() => Check.FindsAsync<NameAnalyzer>(
        """
        using Wire;

        [WireName("Shop.Payment")]
        public sealed record Payment(int Id);

        [{|#0:WireName("Shop.Payment")|}]
        public sealed record Refund(int Id);
        """,
        "WIRE104: 'Payment' and 'Refund' both have the name 'Shop.Payment' in payloads, which are refused where either may stand. "
            + "Give each a name of its own.");

    [Theory]
    [InlineData("[WireName(\"x\")] public class A; [WireName(\"x\")] public class A<T>;")]
    [InlineData("[WireName(\"x\")] public class A; [WireName(\"X\")] public class B;")]
    [InlineData("namespace Old { [WireName(\"x\")] public class A; } namespace New { [WireName(\"x\")] public class A; }")]
    [InlineData("namespace Old { [WireName(\"x\")] public class A; } namespace New { [WireName(\"x\")] public class B; }")]
    [InlineData("[WireName(\"x\")] public class A { [WireName(\"x\")] public int B; }")]
    public Task Types_of_other_names_and_copies_of_one_are_not_found(string types) =>
        Check.FindsAsync<NameAnalyzer>($"using Wire; {types}");

    [Theory]
    [InlineData("", "is empty")]
    [InlineData(" ", "is empty")]
    [InlineData("Shop.Order, Shop", "has one of the characters [ ] , + * & \\ (a dot is none of them)")]
    [InlineData("Shop.Order[]", "has one of the characters [ ] , + * & \\ (a dot is none of them)")]
    [InlineData("Shop.Order+Line", "has one of the characters [ ] , + * & \\ (a dot is none of them)")]
    [InlineData("System.String", "is that of a type of .NET and would be read as that")]
    [InlineData(" Order", "begins or ends with a space")]
    [InlineData("Order\u00A0", "begins or ends with a space")]
    [InlineData("Order\uFFFD", "has half of a surrogate pair, or U+FFFD, which stands for one")]
    public Task A_name_that_no_payload_can_have_is_found(string name, string reason)
    {
        // As the serializer says, of a type with the same name.
        return Check.FindsAsync<NameAnalyzer>(
            $$"""
            using Wire;

            [{|#0:WireName("{{name}}")|}]
            public sealed record Order(int Id);
            """,
            $"WIRE105: The name '{name}' {reason}. Give another one.");
    }

    // By escapes, since no source file has half of a surrogate pair.
    [Theory]
    [InlineData(@"x\uD800")]
    [InlineData(@"\uDE00\uD83D")]
    public Task Half_of_a_surrogate_pair_is_found(string name) => Check.FindsAsync<NameAnalyzer>(
        $$"""
        using Wire;

        [{|#0:WireName("{{name}}")|}]
        public sealed record Order([property: {|#1:WireName("{{name}}")|}] int Id);

        public enum State
        {
            [{|#2:WireName("{{name}}")|}]
            Open,
        }
        """,
        [.. Enumerable.Repeat($"WIRE105: The name '{Regex.Unescape(name)}' has half of a surrogate pair, or U+FFFD, which stands "
            + "for one. Give another one.", 3)]);

    [Theory]
    [InlineData("[{0}] public class Message;", 16_385, "16,384 characters that a name of a type may have")]
    [InlineData("[{0}] public class Message<T>;", 16_383, "16,384 characters that a name of a type may have")]
    [InlineData("class Message {{ [{0}] public int A; }}", 262_145, "262,144 bytes that the definition of a type may have")]
    [InlineData("enum Message {{ [{0}] A }}", 262_145, "262,144 bytes that the definition of a type may have")]
    public async Task A_name_that_is_too_long_is_found(string type, int length, string limit)
    {
        await Check.FindsAsync<NameAnalyzer>(
            Program($"{{|#0:WireName(\"{new string('n', length)}\")|}}"),
            $"WIRE105: The name '{new string('n', 100)}...' is longer than the {limit}. Give another one.");
        await Check.FindsAsync<NameAnalyzer>(Program($"WireName(\"{new string('n', length - 1)}\")"));

        string Program(string given) => "using Wire; " + string.Format(System.Globalization.CultureInfo.InvariantCulture, type, given);
    }

    [Fact]
    public Task No_name_is_an_empty_one() => Check.FindsAsync<NameAnalyzer>(
        "using Wire; [{|#0:WireName(null!)|}] public class Order { [WireName(null!)] public int Id; }",
        "WIRE105: The name '' is empty. Give another one.");

    [Theory]
    [InlineData("Shop.Order")]
    [InlineData("\U0001F600")]
    [InlineData("Bestellung 1")]
    [InlineData("Shop/Order")]
    [InlineData("System.Order")]
    [InlineData("shop-order")]
    public Task Other_names_are_not_found(string name) => Check.FindsAsync<NameAnalyzer>(
        $$"""
        using Wire;

        [WireName("{{name}}")]
        public sealed record Order([property: WireName("a+b, c")] int Id)
        {
            [WireName("")]
            public int Count { get; init; }

            [WireName(" \n")]
            public State State { get; init; }
        }

        public enum State
        {
            [WireName("")]
            Open,
            [WireName("a[]\0")]
            Paid,
        }
        """);

    [Fact]
    public void The_serializer_refuses_what_the_rules_find()
    {
        var serializer = new Serializer();
        Assert.All(
            [
                typeof(Twice), typeof(State), typeof(Empty), typeof(Listed), typeof(Text), typeof(Space), typeof(Half), typeof(HalfMember),
                typeof(HalfState), typeof(OfClass), typeof(None), typeof(Long), typeof(LongMember), typeof(LongState),
            ],
            type => Assert.Throws<UnsupportedTypeException>(() => serializer.Prepare(type)));
        serializer.Prepare(typeof(Moved), typeof(Spaced), typeof(OddMembers));
    }

    public class Twice
    {
        [WireName("a")]
        public int A { get; set; }

        [WireName("a")]
        public int B { get; set; }
    }

    public enum State
    {
        Open,
        [WireName("Open")]
        Paid,
    }

    [WireName("")]
    public class Empty;

    [WireName("a[]")]
    public class Listed;

    [WireName("System.String")]
    public class Text;

    public class Moved
    {
        public int A { get; set; }

        [WireName("A")]
        public int B { get; set; }
    }

    [WireName("Bestellung 1")]
    public class Spaced;

    [WireName(" x")]
    public class Space;

    [WireName("\uD800")]
    public class Half;

    public class HalfMember
    {
        [WireName("\uD800")]
        public int A { get; set; }
    }

    public enum HalfState
    {
        [WireName("\uD800")]
        Open,
    }

    public class OfClass : OddMembers
    {
        public new int Id { get; set; }

        [WireName("Id@Wire.Analyzers.Tests.NameTests+OfClass")]
        public int Other { get; set; }
    }

    [WireName(null!)]
    public class None;

    [WireName(Longest.Thousands + Longest.Thousands + Longest.Thousands + Longest.Thousands + Longest.Thousands)]
    public class Long;

    public class LongMember
    {
        [WireName(Longest.Name)]
        public int A { get; set; }
    }

    public enum LongState
    {
        [WireName(Longest.Name)]
        Open,
    }

    // 4,096 characters, and 327,680.
    private static class Longest
    {
        public const string Thousands = Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds
            + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds + Hundreds;

        public const string Name = Many + Many + Many + Many + Many;

        private const string Tens = "0123456789abcdef";

        private const string Hundreds = Tens + Tens + Tens + Tens + Tens + Tens + Tens + Tens
            + Tens + Tens + Tens + Tens + Tens + Tens + Tens + Tens;

        private const string Many = Thousands + Thousands + Thousands + Thousands + Thousands + Thousands + Thousands + Thousands
            + Thousands + Thousands + Thousands + Thousands + Thousands + Thousands + Thousands + Thousands;
    }

    public class OddMembers
    {
        public int Id { get; set; }

        [WireName("")]
        public int A { get; set; }

        [WireName("[],+*&\\\n ")]
        public int B { get; set; }
    }
}
