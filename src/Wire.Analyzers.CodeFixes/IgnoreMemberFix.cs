using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Wire.Analyzers.CodeFixes;

/// <summary>Leaves a member out that can never be written, by <c>[IgnoreMember]</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(IgnoreMemberFix))]
[Shared]
public sealed class IgnoreMemberFix : SingleFix
{
    private const string Title = "Leave the member out, with [IgnoreMember]";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ["WIRE101"];

    /// <inheritdoc/>
    protected override Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root) => Task.FromResult<(string, Func<CancellationToken, Task<Document>>)?>(
        MemberAttributes.Find(root, context.Span) is { } member
            ? (Title, token => MemberAttributes.AddAsync(context.Document, member, "Wire.IgnoreMemberAttribute", null, token))
            : null);
}
