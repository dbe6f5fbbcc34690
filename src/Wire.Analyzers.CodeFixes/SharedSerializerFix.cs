using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Keeps a serializer, which a method makes for each call, in a static field of the method's type.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(SharedSerializerFix))]
[Shared]
public sealed class SharedSerializerFix : SingleFix
{
    private const string Title = "Keep the serializer in a static field";
    private const string FieldName = "SharedSerializer";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE108"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    protected override Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root) => Task.FromResult<(string, Func<CancellationToken, Task<Document>>)?>(
        root.FindNode(context.Span, getInnermostNodeForTie: true) is BaseObjectCreationExpressionSyntax made
            && made.FirstAncestorOrSelf<TypeDeclarationSyntax>() is { } type and not InterfaceDeclarationSyntax
            && !type.DescendantTokens().Any(token => token.ValueText == FieldName)
            ? (Title, token => ShareAsync(context.Document, made, type, token))
            : null);

    private static async Task<Document> ShareAsync(
        Document document, BaseObjectCreationExpressionSyntax made, TypeDeclarationSyntax type, CancellationToken token)
    {
        DocumentEditor editor = await DocumentEditor.CreateAsync(document, token).ConfigureAwait(false);
        ITypeSymbol serializer = editor.SemanticModel.GetTypeInfo(made, token).Type!;
        var field = (FieldDeclarationSyntax)editor.Generator.FieldDeclaration(
            FieldName,
            editor.Generator.TypeExpression(serializer),
            Accessibility.Private,
            DeclarationModifiers.Static | DeclarationModifiers.ReadOnly,
            made.WithoutTrivia());
        IdentifierNameSyntax shared = SyntaxFactory.IdentifierName(FieldName);
        if (made.Parent?.Parent is VariableDeclaratorSyntax
            {
                Parent: VariableDeclarationSyntax { Variables.Count: 1, Parent: StatementSyntax statement },
            } local)
        {
            foreach (IdentifierNameSyntax use in statement.Parent!.DescendantNodes().OfType<IdentifierNameSyntax>()
                .Where(name => name.Identifier.ValueText == local.Identifier.ValueText && name.Parent is MemberAccessExpressionSyntax))
            {
                editor.ReplaceNode(use, shared.WithTriviaFrom(use));
            }

            editor.RemoveNode(statement, SyntaxRemoveOptions.KeepNoTrivia);
        }
        else
        {
            editor.ReplaceNode(made, shared.WithTriviaFrom(made));
        }

        editor.InsertMembers(type, 0, [field.WithAdditionalAnnotations(Formatter.Annotation)]);
        return editor.GetChangedDocument();
    }
}
