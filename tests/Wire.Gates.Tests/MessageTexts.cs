using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Gates.Tests;

/// <summary>
/// Every text of at least three words in the source of a library: the messages of its exceptions and logs, to be read as a whole and
/// compared with the list that was approved. Where a text stands, and what is put into it, is no part of the list.
/// </summary>
internal static partial class MessageTexts
{
    // What stands for a value in the list.
    private const string Value = "{}";

    /// <summary>Lists the texts of source files, in alphabetical order.</summary>
    public static string Of(IEnumerable<SourceFile> files) => string.Concat(
        files.SelectMany(file => file.Path.EndsWith(".cs", StringComparison.Ordinal) ? InCSharp(file.Text) : InFSharp(file.Text))
            .Select(words => words.Trim())
            .Where(words => words.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length >= 3)
            .Distinct()
            .Order(StringComparer.Ordinal)
            .Select(words => words + "\n"));

    private static IEnumerable<string> InCSharp(string source) => CSharpSyntaxTree.ParseText(source).GetRoot()
        .DescendantNodes(node => !IsText(node))
        .Where(IsText)
        .Select(node => Words((ExpressionSyntax)node));

    // A literal, an interpolated string, or a sum with one of them.
    private static bool IsText(SyntaxNode node) => node switch
    {
        LiteralExpressionSyntax => node.IsKind(SyntaxKind.StringLiteralExpression),
        InterpolatedStringExpressionSyntax => true,
        BinaryExpressionSyntax sum => node.IsKind(SyntaxKind.AddExpression) && (IsText(sum.Left) || IsText(sum.Right)),
        _ => false,
    };

    private static string Words(ExpressionSyntax expression) => expression switch
    {
        LiteralExpressionSyntax { Token.Value: string text } => OneLine(text),
        BinaryExpressionSyntax sum => Words(sum.Left) + Words(sum.Right),
        InterpolatedStringExpressionSyntax text => string.Concat(text.Contents.Select(part => part switch
        {
            InterpolatedStringTextSyntax words => OneLine(words.TextToken.ValueText),
            _ => Value,
        })),
        ParenthesizedExpressionSyntax { Expression: var inner } when IsText(inner) => Words(inner),
        _ => Value,
    };

    private static IEnumerable<string> InFSharp(string source) =>
        FSharpText().Matches(source).Select(match => Hole().Replace(OneLine(match.Groups["text"].Value), Value));

    private static string OneLine(string text) => Blanks().Replace(text.Replace("\n", "\\n", StringComparison.Ordinal), " ");

    [GeneratedRegex("""(?<!["\\])"(?<text>([^"\\\n]|\\.)+)"(?!")""")]
    private static partial Regex FSharpText();

    [GeneratedRegex(@"\{[^{}]*\}")]
    private static partial Regex Hole();

    [GeneratedRegex(@"(\\n)?[ \t\r]{2,}|\t|\r")]
    private static partial Regex Blanks();
}
