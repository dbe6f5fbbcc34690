using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Declares a session with <c>using</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(UsingFix))]
[Shared]
public sealed class UsingFix : CodeFixProvider
{
    private const string Title = "Declare the session with using";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE109"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        if (root?.FindNode(context.Span).FirstAncestorOrSelf<LocalDeclarationStatementSyntax>() is { } declaration)
        {
            context.RegisterCodeFix(
                CodeAction.Create(
                    Title,
                    _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(declaration, Using(declaration)))),
                    nameof(UsingFix)),
                context.Diagnostics);
        }
    }

    private static LocalDeclarationStatementSyntax Using(LocalDeclarationStatementSyntax declaration) => declaration
        .WithoutLeadingTrivia()
        .WithUsingKeyword(SyntaxFactory.Token(SyntaxKind.UsingKeyword).WithTrailingTrivia(SyntaxFactory.Space))
        .WithLeadingTrivia(declaration.GetLeadingTrivia());
}
