using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Formatting;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Declares a property for a parameter that a message keeps.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(CapturedParameterFix))]
[Shared]
public sealed class CapturedParameterFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE107"];

    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => null;

    /// <inheritdoc/>
    protected override async Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root)
    {
        SemanticModel? model = await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false);
        if (root.FindNode(context.Span).FirstAncestorOrSelf<ParameterSyntax>() is not { Type: { } written } parameter
            || parameter.FirstAncestorOrSelf<TypeDeclarationSyntax>() is not { } type
            || model?.GetDeclaredSymbol(parameter, context.CancellationToken) is not { } symbol
            || symbol.ContainingType.DeclaringSyntaxReferences.Length != 1)
        {
            return null;
        }

        string name = char.ToUpperInvariant(symbol.Name[0]) + symbol.Name.Substring(1);
        IdentifierNameSyntax[] uses =
        [
            .. type.Members.SelectMany(member => member.DescendantNodes())
                .OfType<IdentifierNameSyntax>()
                .Where(use => use.Identifier.ValueText == symbol.Name
                    && SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(use, context.CancellationToken).Symbol, symbol)
                    && IsKept(use)),
        ];
        if (symbol.ContainingType.MemberNames.Contains(name) || uses.Any(IsByReference))
        {
            return null;
        }

        bool isAssigned = uses.Any(IsAssigned);
        return (
            $"Declare the property '{name}'",
            _ => Task.FromResult(context.Document.WithSyntaxRoot(
                root.ReplaceNode(type, Declare(type, uses, Property(name, symbol.Name, written, isAssigned))))));
    }

    private static MemberDeclarationSyntax Property(string name, string parameter, TypeSyntax type, bool isAssigned) =>
        SyntaxFactory.ParseMemberDeclaration(
            $"private {type.WithoutTrivia()} {name} {{ get;{(isAssigned ? " set;" : "")} }} = {parameter};")!
            .WithAdditionalAnnotations(Formatter.Annotation);

    private static TypeDeclarationSyntax Declare(TypeDeclarationSyntax type, IdentifierNameSyntax[] uses, MemberDeclarationSyntax property)
    {
        string name = ((PropertyDeclarationSyntax)property).Identifier.ValueText;
        TypeDeclarationSyntax changed = type.ReplaceNodes(uses, (use, _) => SyntaxFactory.IdentifierName(name).WithTriviaFrom(use));
        SyntaxTrivia line = type.DescendantTrivia().FirstOrDefault(trivia => trivia.IsKind(SyntaxKind.EndOfLineTrivia));
        SyntaxTrivia end = line.IsKind(SyntaxKind.EndOfLineTrivia) ? SyntaxFactory.EndOfLine(line.ToString()) : SyntaxFactory.LineFeed;
        return changed.WithMembers(changed.Members.Insert(0, property.WithTrailingTrivia(end, end)));
    }

    // What initializes fields and properties takes the parameter itself.
    private static bool IsKept(SyntaxNode use) => !use.Ancestors().Any(each => each is EqualsValueClauseSyntax
    {
        Parent: PropertyDeclarationSyntax or VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax },
    });

    private static bool IsByReference(IdentifierNameSyntax use) => use.Parent is ArgumentSyntax { RefKindKeyword.RawKind: not 0 }
        or RefExpressionSyntax
        or PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.AddressOfExpression };

    private static bool IsAssigned(IdentifierNameSyntax use) =>
        (use.Parent is AssignmentExpressionSyntax assignment && assignment.Left == use)
            || use.Parent?.Kind() is SyntaxKind.PostIncrementExpression or SyntaxKind.PostDecrementExpression
                or SyntaxKind.PreIncrementExpression or SyntaxKind.PreDecrementExpression;
}
