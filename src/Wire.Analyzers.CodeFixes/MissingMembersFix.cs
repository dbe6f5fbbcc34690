using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Has payloads refused that lack a required member, by <c>SerializerOptions.MissingMembers</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(MissingMembersFix))]
[Shared]
public sealed class MissingMembersFix : SingleFix
{
    private const string Title = "Refuse payloads without required members, by MissingMembers";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE118"];

    /// <inheritdoc/>
    protected override Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root) => Task.FromResult<(string, Func<CancellationToken, Task<Document>>)?>(
        root.FindNode(context.Span, getInnermostNodeForTie: true)
            .FirstAncestorOrSelf<ExpressionSyntax>(node => node is BaseObjectCreationExpressionSyntax or WithExpressionSyntax) is { } made
            ? (Title, token => SetAsync(context.Document, made, token))
            : null);

    private static async Task<Document> SetAsync(Document document, ExpressionSyntax made, CancellationToken token)
    {
        DocumentEditor editor = await DocumentEditor.CreateAsync(document, token).ConfigureAwait(false);
        Compilation compilation = editor.SemanticModel.Compilation;
        if (compilation.GetTypeByMetadataName("Wire.MissingMembers") is not { } rule
            || compilation.GetTypeByMetadataName("Wire.SerializerOptions") is not { } options)
        {
            return document;
        }

        ExpressionSyntax setting = SyntaxFactory.AssignmentExpression(
            SyntaxKind.SimpleAssignmentExpression,
            SyntaxFactory.IdentifierName("MissingMembers"),
            (ExpressionSyntax)editor.Generator.MemberAccessExpression(
                editor.Generator.TypeExpression(rule, addImport: true), "RequiredRefused"));
        bool isSerializer = editor.SemanticModel.GetTypeInfo(made, token).Type?.Name == "Serializer";
        SyntaxNode after = made switch
        {
            WithExpressionSyntax changed => changed.WithInitializer(Add(changed.Initializer, setting)),
            BaseObjectCreationExpressionSyntax creation when isSerializer => creation.WithArgumentList(SyntaxFactory.ArgumentList(
                SyntaxFactory.SingletonSeparatedList(SyntaxFactory.Argument(Make(
                    SyntaxFactory.ObjectCreationExpression((TypeSyntax)editor.Generator.TypeExpression(options, addImport: true)),
                    setting))))),
            _ => Make((BaseObjectCreationExpressionSyntax)made, setting),
        };
        editor.ReplaceNode(made, after.WithAdditionalAnnotations(Formatter.Annotation));
        return editor.GetChangedDocument();
    }

    private static BaseObjectCreationExpressionSyntax Make(BaseObjectCreationExpressionSyntax creation, ExpressionSyntax setting)
    {
        if (creation.Initializer is { } initializer)
        {
            return creation.WithInitializer(Add(initializer, setting));
        }

        // An initializer stands in place of empty parentheses, where the type is written.
        ArgumentListSyntax? arguments = creation is ObjectCreationExpressionSyntax ? null : creation.ArgumentList;
        return creation.WithArgumentList(arguments).WithInitializer(SyntaxFactory.InitializerExpression(
            SyntaxKind.ObjectInitializerExpression, SyntaxFactory.SingletonSeparatedList(setting)));
    }

    // On a line of its own, where the last one is.
    private static InitializerExpressionSyntax Add(InitializerExpressionSyntax initializer, ExpressionSyntax setting)
    {
        SeparatedSyntaxList<ExpressionSyntax> values = initializer.Expressions;
        if (values.Count == 0)
        {
            return initializer.WithExpressions(SyntaxFactory.SingletonSeparatedList(setting));
        }

        ExpressionSyntax last = values[values.Count - 1];
        SyntaxToken comma = values.SeparatorCount == values.Count
            ? values.GetSeparator(values.Count - 1)
            : SyntaxFactory.Token(SyntaxKind.CommaToken).WithTrailingTrivia(last.GetTrailingTrivia());
        IEnumerable<SyntaxNodeOrToken> before = values.GetWithSeparators().Take((2 * values.Count) - 2);
        SyntaxNodeOrToken kept = values.SeparatorCount == values.Count ? last : last.WithoutTrailingTrivia();
        SyntaxTriviaList end = [.. comma.TrailingTrivia.Where(each => each.IsKind(SyntaxKind.EndOfLineTrivia))];
        SyntaxNodeOrToken added = setting.WithLeadingTrivia(last.GetLeadingTrivia());
        return initializer.WithExpressions(SyntaxFactory.SeparatedList<ExpressionSyntax>(
            values.SeparatorCount == values.Count
                ? [.. before, kept, comma, added, comma.WithTrailingTrivia(end)]
                : [.. before, kept, comma, added.WithTrailingTrivia(end.Count == 0 ? comma.TrailingTrivia : end)]));
    }
}
