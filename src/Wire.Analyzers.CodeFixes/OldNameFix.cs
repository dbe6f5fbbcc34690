using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Gives a member that was renamed the name that it has in payloads, by <c>[WireName]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(OldNameFix))]
[Shared]
public sealed class OldNameFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE114"];

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        if (root is not null && MemberAttributes.Find(root, context.Span) is { } member
            && context.Diagnostics[0].Properties.TryGetValue(ContractAnalyzer.OldName, out string? name))
        {
            context.RegisterCodeFix(
                CodeAction.Create(
                    $"Keep the name '{name}' in payloads, with [WireName]",
                    token => MemberAttributes.AddAsync(context.Document, member, "Wire.WireNameAttribute", name, token),
                    nameof(OldNameFix)),
                context.Diagnostics);
        }
    }
}
