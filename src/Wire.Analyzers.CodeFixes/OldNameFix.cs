using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Gives a member that was renamed the name that it has in payloads, by <c>[WireName]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(OldNameFix))]
[Shared]
public sealed class OldNameFix : SingleFix
{
    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE114"];

    /// <inheritdoc/>
    protected override Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root) => Task.FromResult<(string, Func<CancellationToken, Task<Document>>)?>(
        MemberAttributes.Find(root, context.Span) is { } member
            && context.Diagnostics[0].Properties.TryGetValue(ContractAnalyzer.OldName, out string? name)
            ? ($"Keep the name '{name}' in payloads, with [WireName]",
                token => MemberAttributes.AddAsync(context.Document, member, "Wire.WireNameAttribute", name, token))
            : null);
}
