using Microsoft.CodeAnalysis.Testing;
using Wire.Analyzers.CodeFixes;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE117 and WIRE118: members that C# requires, and a payload may lack.</summary>
public sealed class RequiredTests
{
    private const string Old = "public int Id;";

    private const string Reads = "public static class Reader { public static Order? Read(Serializer wire, byte[] bytes) => "
        + "wire.Deserialize<Order>(bytes); }";

    private const string Making = "public static class Setup { public static Serializer Wire { get; } = new(new SerializerOptions { ";

    private static readonly string Text = WireContract.From(new Serializer(), typeof(Order)).ToString();

    [Theory]
    [InlineData("public required string {|#0:Name|} { get; init; }", "Name", "null")]
    [InlineData("public required string {|#0:Name|};", "Name", "null")]
    [InlineData("public required string? {|#0:Name|} { get => field ?? \"\"; set; }", "Name", "null")]
    [InlineData("public required int? {|#0:Pieces|} { get; set; }", "Pieces", "null")]
    [InlineData("public required decimal {|#0:Total|} { get; set; }", "Total", "zero")]
    [InlineData("[WireName(\"sum\")] public required decimal {|#0:Total|} { get; set; }", "Total", "zero")]
    public Task A_required_member_that_the_contract_lacks_is_found(string member, string name, string state) =>
        ComparesAsync(Shop(member), Text, Lacks(name, state));

    [Theory]
    [InlineData("public string Name { get; init; } = \"\";")]
    [InlineData("[IgnoreMember] public required string Name { get; init; }")]
    [InlineData("[field: NonSerialized] public required string Name { get; init; }")]
    [InlineData("private string? _name; public required string Name { get => _name ?? \"\"; init => _name = value; }")]
    [InlineData("[WireName(\"Id\")] public required int Number { get; init; }", "")]
    [InlineData("public required int Id { get; init; }", "")]
    public Task Other_members_are_not_found(string member, string old = Old) => ComparesAsync(Shop(member, old), Text);

    [Fact]
    public Task One_that_may_have_been_renamed_is_found_once() => ComparesAsync(
        Shop("public required int {|#0:Number|} { get; init; } public string? Name;", ""),
        WireContract.From(new Serializer(), typeof(Named)).ToString(),
        "WIRE114: 'Number' is not in shop.contract, which has 'Id' of the same type. If that has become 'Number', give it "
            + "[WireName(\"Id\")].");

    // Such a payload is refused, whatever the options say.
    [Fact]
    public Task A_type_with_nothing_in_common_is_not_found() => ComparesAsync(
        Shop("public required string Name { get; init; }", "").Replace("class Order", "class {|#0:Order|}", StringComparison.Ordinal),
        Text,
        "WIRE113: 'Order' has no member 'Id' any more, which shop.contract has: what payloads hold in it is passed over. "
            + "Write the contract anew where that is meant.");

    [Fact]
    public Task One_of_a_base_class_is_found_once() => ComparesAsync(
        """
        using Wire;

        public abstract class Message
        {
            public required string {|#0:Sender|} { get; init; }
        }

        [WireName("Shop.Order")]
        public class Order : Message
        {
            public int Id;
        }

        [WireName("Shop.Line")]
        public class Line : Message
        {
            public int Id;
        }
        """,
        WireContract.From(new Serializer(), typeof(Order), typeof(Line)).ToString(),
        Lacks("Sender", "null"));

    [Theory]
    [InlineData("MissingMembers = MissingMembers.RequiredRefused")]
    [InlineData("MissingMembers = MissingMembers.NonNullRefused")]
    [InlineData("MissingMembers = Enum.Parse<MissingMembers>(Environment.MachineName)")]
    [InlineData("VersionTolerance = false")]
    public async Task Where_such_payloads_are_refused_none_is_found(string option)
    {
        string setup = $"{Making}{option} }}); }}";
        await ComparesAsync(Shop("public required string Name { get; init; }") + setup, Text);
        await FindsAsync(Shop("public required string Name { get; init; }") + Reads + setup);
    }

    [Theory]
    [InlineData("MissingMembers = MissingMembers.Allowed")]
    [InlineData("VersionTolerance = true")]
    [InlineData("PreserveObjectReferences = true")]
    public Task Other_options_are_none_that_refuse(string option) => ComparesAsync(
        Shop("public required string {|#0:Name|} { get; init; }") + $"{Making}{option} }}); }}", Text, Lacks("Name", "null"));

    [Theory]
    [InlineData(MissingMembers.RequiredRefused, true)]
    [InlineData(MissingMembers.NonNullRefused, true)]
    [InlineData(MissingMembers.RequiredRefused, false)]
    [InlineData(MissingMembers.Allowed, false)]
    public Task What_the_serializer_of_the_contract_refuses_is_not_found(MissingMembers rule, bool isTolerant)
    {
        var options = new SerializerOptions { MissingMembers = rule, VersionTolerance = isTolerant };
        return ComparesAsync(
            Shop("public required string Name { get; init; }"),
            WireContract.From(new Serializer(options), typeof(Order)).ToString());
    }

    [Fact]
    public async Task A_constructor_may_set_it()
    {
        string shop = Shop("public required string {|#0:Name|} { get; init; }");
        await ComparesAsync(
            shop,
            WireContract.From(new Serializer(new SerializerOptions { UseConstructors = true }), typeof(Order)).ToString(),
            Lacks("Name", "as its constructor does"));
        await ComparesAsync(shop + $"{Making}UseConstructors = true }}); }}", Text, Lacks("Name", "as its constructor does"));
    }

    [Fact]
    public Task A_program_that_says_nothing_of_it_is_told_at_its_options() => Check.FixesAsync<MessageAnalyzer, MissingMembersFix>(
        Shop("public required string Name { get; init; }") + Reads + Setup("new {|#0:SerializerOptions|} { EnumsByName = false }"),
        Shop("public required string Name { get; init; }") + Reads
            + Setup("new SerializerOptions { EnumsByName = false, MissingMembers = MissingMembers.RequiredRefused }"),
        Unsaid("'Order.Name'", "null"));

    [Theory]
    [InlineData(
        "new {|#0:SerializerOptions|}()", "new SerializerOptions { MissingMembers = MissingMembers.RequiredRefused }")]
    [InlineData(
        "SerializerOptions.Default with { EnumsByName = false }",
        "SerializerOptions.Default with { EnumsByName = false, MissingMembers = MissingMembers.RequiredRefused }",
        "SerializerOptions.Default")]
    [InlineData(
        "new {|#0:SerializerOptions|}\n{\n    EnumsByName = false,\n}",
        "new SerializerOptions\n{\n    EnumsByName = false,\n    MissingMembers = MissingMembers.RequiredRefused,\n}")]
    [InlineData(
        "new {|#0:SerializerOptions|}\n{\n    EnumsByName = false // short\n}",
        "new SerializerOptions\n{\n    EnumsByName = false, // short\n    MissingMembers = MissingMembers.RequiredRefused\n}")]
    public Task The_fix_keeps_what_is_set(string before, string after, string? place = null) =>
        Check.FixesAsync<MessageAnalyzer, MissingMembersFix>(
            Shop("public required string Name { get; init; }") + Reads
                + Setup(place is null ? before : before.Replace(place, $"{{|#0:{place}|}}", StringComparison.Ordinal)),
            Shop("public required string Name { get; init; }") + Reads + Setup(after),
            Unsaid("'Order.Name'", "null"));

    [Theory]
    [InlineData("new {|#0:Serializer|}()", "new Serializer(new SerializerOptions { MissingMembers = MissingMembers.RequiredRefused })")]
    [InlineData("{|#0:new()|}", "new(new SerializerOptions { MissingMembers = MissingMembers.RequiredRefused })")]
    public Task A_serializer_without_options_gets_some(string before, string after)
    {
        string shop = Shop("public required int Pieces;") + Reads + "public static class Setup { public static readonly Serializer Wire = ";
        return Check.FixesAsync<MessageAnalyzer, MissingMembersFix>(
            $"{shop}{before}; }}", $"{shop}{after}; }}", Unsaid("'Order.Pieces'", "zero"));
    }

    [Fact]
    public Task Each_serializer_is_told_of_the_first_one() => Check.FindsAsync<MessageAnalyzer>(
        """
        using Wire;

        public class Message
        {
            public required string {|#2:Sender|} { get; init; }

            public List<Line> Lines = [];
        }

        public sealed class Order : Message
        {
            public required int {|#3:Id|};
        }

        public class Line
        {
            public required int {|#4:Pieces|};
        }

        public static class Setup
        {
            public static Serializer One { get; } = new Serializer(
                new {|#0:SerializerOptions|} { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });

            public static Serializer Two { get; } = new {|#1:Serializer|}();
        }
        """,
        (_, test) => test.ExpectedDiagnostics.AddRange(((int[])[0, 1]).Select(place => new DiagnosticResult(Rules.RequiredMembersMissing)
            .WithLocation(place).WithLocation(2).WithLocation(3).WithLocation(4)
            .WithMessage(Unsaid("'Message.Sender', or one of 2 others,", "null or zero")[9..]))));

    [Theory]
    [InlineData("new SerializerOptions { MissingMembers = MissingMembers.Allowed }", Reads)]
    [InlineData("Elsewhere.Options", Reads + "public static class Elsewhere { public static extern SerializerOptions Options { get; } }")]
    [InlineData("new SerializerOptions()", "public static class Own { public static byte[] To(Serializer s, Order o) => s.Serialize(o); }")]
    [InlineData(
        "new SerializerOptions()",
        "public static class Both { public static int Read(Serializer s, byte[] b) => s.Deserialize<int>(b); "
            + "public static byte[] Write(Serializer s, Order o) => s.Serialize<Order>(o); }")]
    [InlineData(
        "new SerializerOptions()",
        Reads + "public struct Own : ISurrogate<Own, Order> { public Order ToSource() => new() { Name = \"\" }; "
            + "public static Own From(Order source) => default; }")]
    public Task Elsewhere_nothing_is_said(string options, string code) =>
        FindsAsync(Shop("public required string Name { get; init; }") + code + Setup(options));

    [Fact]
    public Task A_project_of_tests_reads_what_it_likes() => Check.FindsAsync<MessageAnalyzer>(
        Shop("public required string Name { get; init; }") + Reads + Setup("new SerializerOptions()"),
        (state, _) => state.AdditionalReferences.Add(typeof(FactAttribute).Assembly));

    // What the rules say of the serializer.
    [Fact]
    public void The_serializer_leaves_it_null_and_refuses_where_the_option_says_so()
    {
        byte[] old = new Serializer(Called("it", typeof(Order))).Serialize(new Order { Id = 1 });
        SerializerOptions options = Called("it", typeof(Later));
        Later read = new Serializer(options).Deserialize<Later>(old)!;
        Assert.Equal((1, null, 0), (read.Id, read.Name, read.Total));
        var strict = new Serializer(options with { MissingMembers = MissingMembers.RequiredRefused });
        Assert.Equal(WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => strict.Deserialize<Later>(old)).Error);
    }

    private static SerializerOptions Called(string name, Type type) => new() { TypeAliases = TypeAliases.None.Alias(type, name) };

    private static Task ComparesAsync(string source, string contract, params string[] messages) => Check.FindsAsync<ContractAnalyzer>(
        source, (state, _) => state.AdditionalFiles.Add(("shop.contract", contract)), messages);

    private static Task FindsAsync(string source, params string[] messages) => Check.FindsAsync<MessageAnalyzer>(source, messages);

    private static string Shop(string member, string old = Old) =>
        $$"""
        using Wire;

        [WireName("Shop.Order")]
        public class Order
        {
            {{old}} {{member}}
        }


        """;

    private static string Setup(string options) =>
        "\npublic static class Setup\n{\n    public static Serializer Wire { get; } = new("
            + options.ReplaceLineEndings("\n    ") + ");\n}\n";

    private static string Lacks(string name, string state) =>
        $"WIRE117: '{name}' is required, and shop.contract does not have it: payloads of that version are read, and leave it {state}. "
            + "Set SerializerOptions.MissingMembers to RequiredRefused, so that they are refused, or write the contract anew where that "
            + "is meant.";

    private static string Unsaid(string name, string state) =>
        $"WIRE118: Payloads of a version without the required member {name} are read, and leave it {state}. Set MissingMembers to "
            + "RequiredRefused, so that they are refused, or to Allowed where that is meant.";

    [WireName("Shop.Order")]
    public class Order
    {
        public int Id { get; set; }
    }

    [WireName("Shop.Line")]
    public class Line
    {
        public int Id { get; set; }
    }

    [WireName("Shop.Order")]
    public class Named
    {
        public int Id { get; set; }

        public string? Name { get; set; }
    }

    public class Later
    {
        public int Id { get; set; }

        public required string Name { get; set; }

        public required decimal Total { get; set; }
    }
}
