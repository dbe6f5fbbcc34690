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

    [Theory]
    [InlineData("Shop.Order")]
    [InlineData("Bestellung 1")]
    [InlineData("Shop/Order")]
    [InlineData("System.Order")]
    [InlineData("shop-order")]
    public Task Other_names_are_not_found(string name) => Check.FindsAsync<NameAnalyzer>(
        $$"""
        using Wire;

        [WireName("{{name}}")]
        public sealed record Order([property: WireName("a+b, c")] int Id);
        """);

    [Fact]
    public void The_serializer_refuses_what_the_rules_find()
    {
        var serializer = new Serializer();
        Assert.All(
            [typeof(Twice), typeof(State), typeof(Empty), typeof(Listed), typeof(Text)],
            type => Assert.Throws<UnsupportedTypeException>(() => serializer.Prepare(type)));
        serializer.Prepare(typeof(Moved), typeof(Spaced));
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
}
