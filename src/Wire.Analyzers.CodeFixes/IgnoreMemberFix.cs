using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

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
        if (root is not null && MemberAttributes.Find(root, context.Span) is { } member)
        {
            context.RegisterCodeFix(
                CodeAction.Create(
                    Title,
                    token => MemberAttributes.AddAsync(context.Document, member, "Wire.IgnoreMemberAttribute", null, token),
                    nameof(IgnoreMemberFix)),
                context.Diagnostics);
        }
    }
}
