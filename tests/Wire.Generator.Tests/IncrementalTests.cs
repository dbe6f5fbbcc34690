using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>What an edit does not change is not generated again, as an editor edits all the time.</summary>
public sealed class IncrementalTests
{
    private const string Types = """
        using System;
        using System.Collections.Generic;
        using Wire;

        [WireContext]
        [WireType(typeof(Order))]
        public sealed partial class One : WireTypes;

        [WireContext]
        [WireType(typeof(Price))]
        public sealed partial class Two : WireTypes;

        public class Order
        {
            public List<Price> Lines { get; set; }

            public Action Done { get; set; }

            public int Sum() => 1;
        }

        public struct Price
        {
            public int Amount;
        }
        """;

    private const string Other = "public class Other { public int A() => 1; }";

    public static TheoryData<string, string, string> Unrelated() => new()
    {
        { "a method's body", "Sum() => 1", "Sum() => 2 + Lines.Count" },
        { "a comment above", "[WireContext]\n[WireType(typeof(Order))]", "// A comment.\n\n[WireContext]\n[WireType(typeof(Order))]" },
        { "another file", "A() => 1", "A() => 2" },
        { "a class in another file", "public class Other", "public class More; public class Other" },
        { "a member without a field", "public int Sum()", "static long One { get; set; } long Two => 2; public int Sum()" },
    };

    [Theory]
    [MemberData(nameof(Unrelated))]
    public void An_edit_that_changes_no_row_generates_nothing(string what, string before, string after)
    {
        IncrementalStepRunReason[] reasons = [.. Reasons(before, after)];

        Assert.Equal(2, reasons.Length);
        Assert.All(reasons, reason => Assert.True(
            reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"{what}: {reason}"));
    }

    [Fact]
    public void A_changed_member_generates_its_contexts_alone()
    {
        Assert.Equal(
            [IncrementalStepRunReason.Modified, IncrementalStepRunReason.Cached],
            Reasons("List<Price> Lines", "Dictionary<int, Price> Lines"));
        Assert.Equal(
            [IncrementalStepRunReason.Modified, IncrementalStepRunReason.Modified], Reasons("int Amount", "DayOfWeek Amount"));
    }

    // What is reported has the place that it has now.
    [Fact]
    public void A_place_follows_the_edit()
    {
        CSharpCompilation compilation = Compiled.Create([Types, Other]);
        GeneratorDriver driver = Compiled.Driver().RunGenerators(compilation);
        Diagnostic before = Assert.Single(driver.GetRunResult().Diagnostics);

        driver = driver.RunGenerators(Edited(compilation, "using System;\n", "using System;\n\n\n"));

        Diagnostic after = Assert.Single(driver.GetRunResult().Diagnostics);
        Assert.Equal(
            before.Location.GetLineSpan().StartLinePosition.Line + 2, after.Location.GetLineSpan().StartLinePosition.Line);
    }

    [Fact]
    public void The_same_sources_give_the_same_text_with_line_feeds()
    {
        string first = string.Concat(Compiled.Of(Types).Sources.Select(each => each.SourceText.ToString()));

        Assert.Equal(first, string.Concat(Compiled.Of(Types).Sources.Select(each => each.SourceText.ToString())));
        Assert.DoesNotContain('\r', first);
    }

    // The reasons of the steps whose results are printed, and of printing, which are the same or better.
    private static IncrementalStepRunReason[] Reasons(string before, string after)
    {
        CSharpCompilation compilation = Compiled.Create([Types, Other]);
        GeneratorDriver driver = Compiled.Driver().RunGenerators(compilation);

        GeneratorRunResult result = driver.RunGenerators(Edited(compilation, before, after)).GetRunResult().Results[0];

        Assert.NotEmpty(result.TrackedSteps[WireGenerator.Parsed]);
        IncrementalStepRunReason[] reasons =
            [.. result.TrackedSteps[WireGenerator.Contexts].SelectMany(step => step.Outputs).Select(output => output.Reason)];
        Assert.Equal(
            reasons.Count(reason => reason == IncrementalStepRunReason.Modified),
            result.TrackedOutputSteps.SelectMany(each => each.Value)
                .Where(step => step.Inputs.Any(input => input.Source.Name == WireGenerator.Contexts))
                .SelectMany(step => step.Outputs)
                .Count(output => output.Reason != IncrementalStepRunReason.Cached));
        return reasons;
    }

    private static CSharpCompilation Edited(CSharpCompilation compilation, string before, string after)
    {
        SyntaxTree tree = compilation.SyntaxTrees.Single(each => each.ToString().Contains(before, StringComparison.Ordinal));
        string text = tree.ToString().Replace(before, after, StringComparison.Ordinal);
        return compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text, Compiled.Language, tree.FilePath));
    }
}
