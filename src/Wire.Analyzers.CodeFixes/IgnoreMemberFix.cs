using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Leaves a member out that can never be written, by <c>[IgnoreMember]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(IgnoreMemberFix))]
[Shared]
public sealed class IgnoreMemberFix : CodeFixProvider
{
    private const string Title = "Leave the member out, with [IgnoreMember]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE101"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        if (root?.FindNode(context.Span).FirstAncestorOrSelf<SyntaxNode>(IsMember) is not { } member)
        {
            return;
        }

        context.RegisterCodeFix(
            CodeAction.Create(Title, token => LeaveOutAsync(context.Document, member, token), nameof(IgnoreMemberFix)),
            context.Diagnostics);
    }

    private static bool IsMember(SyntaxNode node) =>
        node is PropertyDeclarationSyntax or FieldDeclarationSyntax or EventFieldDeclarationSyntax or ParameterSyntax;

    private static async Task<Document> LeaveOutAsync(Document document, SyntaxNode member, CancellationToken token)
    {
        DocumentEditor editor = await DocumentEditor.CreateAsync(document, token).ConfigureAwait(false);
        if (editor.SemanticModel.Compilation.GetTypeByMetadataName("Wire.IgnoreMemberAttribute") is not { } type)
        {
            return document;
        }

        var list = (AttributeListSyntax)editor.Generator.Attribute(editor.Generator.TypeExpression(type, addImport: true));
        SyntaxKind target = member switch
        {
            ParameterSyntax => SyntaxKind.PropertyKeyword,
            EventFieldDeclarationSyntax => SyntaxKind.FieldKeyword,
            _ => SyntaxKind.None,
        };
        if (target != SyntaxKind.None)
        {
            list = list.WithTarget(SyntaxFactory.AttributeTargetSpecifier(SyntaxFactory.Token(target)));
        }

        editor.ReplaceNode(member, (node, _) => Add(node, list).WithAdditionalAnnotations(Formatter.Annotation));
        return editor.GetChangedDocument();
    }

    private static SyntaxNode Add(SyntaxNode member, AttributeListSyntax list)
    {
        if (member is ParameterSyntax parameter)
        {
            return parameter.WithoutLeadingTrivia()
                .WithAttributeLists(parameter.AttributeLists.Insert(0, list.WithTrailingTrivia(SyntaxFactory.Space)))
                .WithLeadingTrivia(parameter.GetLeadingTrivia());
        }

        var declaration = (MemberDeclarationSyntax)member;
        SyntaxTriviaList before = declaration.GetLeadingTrivia();
        declaration = declaration.WithoutLeadingTrivia();
        return declaration
            .WithAttributeLists(declaration.AttributeLists.Insert(0, list.WithTrailingTrivia(SyntaxFactory.ElasticCarriageReturnLineFeed)))
            .WithLeadingTrivia(before);
    }
}
