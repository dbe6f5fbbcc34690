using Microsoft.CodeAnalysis.Testing;
using Wire.Analyzers.CodeFixes;
using Wire.Testing;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE113 to WIRE116: types against a contract, which the serializer has written of those below.</summary>
public sealed class ContractTests
{
    private const string Usual = "public Guid Id; public string? Name { get; set; } public int Pieces; public Shop.Line[] Lines = [];";

    private static readonly string Text = WireContract.From(new Serializer(), typeof(Order), typeof(Line)).ToString();

    [Fact]
    public Task A_type_that_is_as_in_the_contract_is_not_found() => FindsAsync(Usual);

    [Theory]
    [InlineData("public Guid Id { get; init; } public string Name = \"\"; public int Pieces { get; } public required Shop.Line[] Lines;")]
    [InlineData("public Guid Id; [WireName(\"Name\")] public string? Title; public int Pieces; public Shop.Line[]? Lines;")]
    [InlineData(Usual + " public int Further;")]
    [InlineData(Usual + " [IgnoreMember] public Action? Done;")]
    public Task Changes_that_payloads_do_not_notice_are_not_found(string members) => FindsAsync(members);

    [Fact]
    public Task A_member_that_is_gone_is_found() => FindsAsync(
        "public Guid Id; public string? Name; public Shop.Line[] Lines = [];",
        "WIRE113: 'Order' has no member 'Pieces' any more, which shop.contract has: what payloads hold in it is passed over. "
            + "Write the contract anew where that is meant.");

    [Fact]
    public Task A_member_that_is_left_out_is_gone() => FindsAsync(
        "public Guid Id; public string? Name; [IgnoreMember] public int Pieces; public Shop.Line[] Lines = [];",
        "WIRE113: 'Order' has no member 'Pieces' any more, which shop.contract has: what payloads hold in it is passed over. "
            + "Write the contract anew where that is meant.");

    // Not by any other that could be it as well.
    [Fact]
    public Task A_member_that_two_may_have_become_is_gone() => FindsAsync(
        "public Guid Id; public string? Name; public int Count; public int Number; public Shop.Line[] Lines = [];",
        "WIRE113: 'Order' has no member 'Pieces' any more, which shop.contract has: what payloads hold in it is passed over. "
            + "Write the contract anew where that is meant.");

    [Fact]
    public Task A_member_of_another_type_is_found() => FindsAsync(
        "public Guid Id; public string? Name; public long {|#1:Pieces|}; public Shop.Line[] Lines = [];",
        "",
        "WIRE115: 'Pieces' is of the type long, and in shop.contract of int: values are converted where that is exact, and refused "
            + "otherwise. Write the contract anew where that is meant.");

    [Fact]
    public Task A_renamed_member_keeps_its_name() => Check.FixesAsync<ContractAnalyzer, OldNameFix>(
        Shop("public Guid Id; public string? Name; public int {|#0:Count|} { get; set; }\n    public Shop.Line[] Lines = [];")
            .Replace("{|#0:Order|}", "Order", StringComparison.Ordinal),
        Shop("public Guid Id; public string? Name; [WireName(\"Pieces\")]\n    public int Count { get; set; }\n"
            + "    public Shop.Line[] Lines = [];")
            .Replace("{|#0:Order|}", "Order", StringComparison.Ordinal),
        state => state.AdditionalFiles.Add(("shop.contract", Text)),
        "WIRE114: 'Count' is not in shop.contract, which has 'Pieces' of the same type. If that has become 'Count', give it "
            + "[WireName(\"Pieces\")].");

    [Theory]
    [InlineData("wire contract 2\n", 1, "it is not 'wire contract 1', with which a contract begins")]
    [InlineData("wire contract 1\nclas Shop.Order\n", 2, "'clas Shop.Order' is neither the beginning of a type nor a line of one")]
    [InlineData(
        "# x\nwire contract 1\n\nclass Shop.Order\n  Id Guid\n",
        5,
        "'Id Guid' is no member: it has no colon behind its name, or an escape in it that is not complete")]
    [InlineData(
        "wire contract 1\nclass A\n  I\\u00: int\n",
        3,
        "'I\\u00: int' is no member: it has no colon behind its name, or an escape in it that is not complete")]
    [InlineData("wire contract 1\nclass A\nclass A\n", 3, "there is a type 'A' above it already")]
    [InlineData("wire contract 1\n  Id: int\n", 2, "no type stands above it")]
    public Task A_damaged_file_is_found(string text, int line, string reason) => Check.FindsAsync<ContractAnalyzer>(
        Shop("public int Id;").Replace("{|#0:Order|}", "Order", StringComparison.Ordinal),
        (state, test) =>
        {
            state.AdditionalFiles.Add(("shop.contract.txt", text));
            test.ExpectedDiagnostics.Add(new DiagnosticResult("WIRE116", Microsoft.CodeAnalysis.DiagnosticSeverity.Warning)
                .WithSpan("shop.contract.txt", line, 1, line, text.Split('\n')[line - 1].Length + 1)
                .WithMessage($"Line {line} of the contract is damaged: {reason}. Write the contract anew from the types."));
        });

    [Fact]
    public Task Another_file_is_no_contract() => Check.FindsAsync<ContractAnalyzer>(
        "public class A;", (state, _) => state.AdditionalFiles.Add(("readme.txt", "wire contract 2")));

    [Fact]
    public Task The_contracts_of_the_samples_are_read() => Check.FindsAsync<ContractAnalyzer>(
        "public class A;",
        (state, _) =>
        {
            string samples = Path.Combine(Repository.Root, "samples", "Versions");
            foreach (string file in Directory.EnumerateFiles(samples, "*.contract.txt")
                .Append(Repository.Tests("Wire.Tests", "Contracting", "Model.contract.txt")))
            {
                state.AdditionalFiles.Add((Path.GetFileName(file), File.ReadAllText(file)));
            }
        });

    [Fact]
    public void The_text_has_what_is_compared() => Assert.Contains(
        "root sealed class Shop.Order\n  Id: Guid\n  Lines: Shop.Line[]\n  Name: string?\n  Pieces: int\n", Text, StringComparison.Ordinal);

    private static Task FindsAsync(string members, params string[] messages) => Check.FindsAsync<ContractAnalyzer>(
        messages.Length == 0 || messages[0].Length == 0
            ? Shop(members).Replace("{|#0:Order|}", "Order", StringComparison.Ordinal).Replace("#1", "#0", StringComparison.Ordinal)
            : Shop(members),
        (state, _) => state.AdditionalFiles.Add(("shop.contract", Text)),
        [.. messages.Where(message => message.Length > 0)]);

    private static string Shop(string members) =>
        $$"""
        using Wire;

        [WireName("Shop.Order")]
        public sealed class {|#0:Order|}
        {
            {{members}}
        }

        namespace Shop
        {
            public sealed record Line(string Article);
        }
        """;

    [WireName("Shop.Order")]
    public sealed class Order
    {
        public Guid Id { get; set; }

        public string? Name { get; set; }

        public int Pieces { get; set; }

        public Line[] Lines { get; set; } = [];
    }

    [WireName("Shop.Line")]
    public sealed record Line(string Article);
}
