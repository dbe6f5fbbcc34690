using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Declares a session with <c>using</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(UsingFix))]
[Shared]
public sealed class UsingFix : SingleFix
{
    private const string Title = "Declare the session with using";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE109"];

    /// <inheritdoc/>
    protected override Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root) => Task.FromResult<(string, Func<CancellationToken, Task<Document>>)?>(
        root.FindNode(context.Span).FirstAncestorOrSelf<LocalDeclarationStatementSyntax>() is { } declaration
            ? (Title, _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(declaration, Using(declaration)))))
            : null);

    private static LocalDeclarationStatementSyntax Using(LocalDeclarationStatementSyntax declaration) => declaration
        .WithoutLeadingTrivia()
        .WithUsingKeyword(SyntaxFactory.Token(SyntaxKind.UsingKeyword).WithTrailingTrivia(SyntaxFactory.Space))
        .WithLeadingTrivia(declaration.GetLeadingTrivia());
}
