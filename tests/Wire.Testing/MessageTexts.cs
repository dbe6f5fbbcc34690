using System.Text;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Testing;

/// <summary>
/// Every text of at least three words in the source of a library, file by file: the messages of its exceptions and logs, to be read
/// as a whole and compared with the list that was approved.
/// </summary>
public static partial class MessageTexts
{
    /// <summary>
    /// Compares with <c>Messages.approved.txt</c> in a project of tests; <c>WIRE_MESSAGES_WRITE=1</c> writes that anew before.
    /// </summary>
    public static void AssertApproved(string library, string project)
    {
        string file = Repository.Tests(project, "Messages.approved.txt");
        string listing = Of(Path.Combine(Repository.Root, "src", library));
        if (Repository.IsAskedFor("WIRE_MESSAGES_WRITE"))
        {
            File.WriteAllText(file, listing);
        }

        Assert.Equal(File.ReadAllText(file), listing);
    }

    /// <summary>Lists the texts of all source files in a folder.</summary>
    public static string Of(string folder)
    {
        var text = new StringBuilder();
        foreach (string path in Directory.EnumerateFiles(folder, "*.?s", SearchOption.AllDirectories)
            .Select(path => Path.GetRelativePath(folder, path).Replace('\\', '/'))
            .Where(path => !path.StartsWith("bin/", StringComparison.Ordinal) && !path.StartsWith("obj/", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal))
        {
            string source = File.ReadAllText(Path.Combine(folder, path));
            string[] found = [.. (path.EndsWith(".cs", StringComparison.Ordinal) ? InCSharp(source) : InFSharp(source))
                .Where(words => words.Split(' ', StringSplitOptions.RemoveEmptyEntries).Length >= 3)
                .Distinct()];
            if (found.Length > 0)
            {
                text.Append(text.Length == 0 ? "" : "\n").Append(path).Append('\n').AppendJoin("", found.Select(words => $"    {words}\n"));
            }
        }

        return text.ToString();
    }

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
            _ => OneLine(part.ToString()),
        })),
        ParenthesizedExpressionSyntax { Expression: var inner } when IsText(inner) => Words(inner),
        _ => $"{{{OneLine(expression.ToString())}}}",
    };

    private static IEnumerable<string> InFSharp(string source) =>
        FSharpText().Matches(source).Select(match => OneLine(match.Groups["text"].Value));

    private static string OneLine(string text) => Blanks().Replace(text.Replace("\n", "\\n", StringComparison.Ordinal), " ");

    [GeneratedRegex("""(?<!["\\])"(?<text>([^"\\\n]|\\.)+)"(?!")""")]
    private static partial Regex FSharpText();

    [GeneratedRegex(@"(\\n)?[ \t\r]{2,}|\t|\r")]
    private static partial Regex Blanks();
}
