using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;
using Microsoft.CodeAnalysis.Formatting;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Gives members attributes, at the place where Wire looks for them.</summary>
internal static class MemberAttributes
{
    /// <summary>Finds the declaration of a member at a place; null where there is none.</summary>
    public static SyntaxNode? Find(SyntaxNode root, Microsoft.CodeAnalysis.Text.TextSpan place) =>
        root.FindNode(place).FirstAncestorOrSelf<SyntaxNode>(
            node => node is PropertyDeclarationSyntax or FieldDeclarationSyntax or EventFieldDeclarationSyntax or ParameterSyntax);

    /// <summary>Adds an attribute.</summary>
    /// <param name="document">The file.</param>
    /// <param name="member">The declaration.</param>
    /// <param name="attribute">The full name of the attribute's class.</param>
    /// <param name="text">What it is given; null for nothing.</param>
    /// <param name="token">Cancels it.</param>
    public static async Task<Document> AddAsync(
        Document document, SyntaxNode member, string attribute, string? text, CancellationToken token)
    {
        DocumentEditor editor = await DocumentEditor.CreateAsync(document, token).ConfigureAwait(false);
        if (editor.SemanticModel.Compilation.GetTypeByMetadataName(attribute) is not { } type)
        {
            return document;
        }

        SyntaxNode name = editor.Generator.TypeExpression(type, addImport: true);
        var list = (AttributeListSyntax)(text is null
            ? editor.Generator.Attribute(name)
            : editor.Generator.Attribute(name, [editor.Generator.LiteralExpression(text)]));
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
