using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;

namespace Wire.Analyzers.CodeFixes;

/// <summary>A fix that offers one change for a report, or none where the code is not as it expects.</summary>
public abstract class SingleFix : CodeFixProvider
{
    /// <inheritdoc/>
    public override FixAllProvider? GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        if (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false) is { } root
            && await FindAsync(context, root).ConfigureAwait(false) is var (title, change))
        {
            context.RegisterCodeFix(CodeAction.Create(title, change, GetType().Name), context.Diagnostics);
        }
    }

    /// <summary>Finds the change.</summary>
    /// <param name="context">The report.</param>
    /// <param name="root">The root of the file that it is in.</param>
    /// <returns>What the change is called, and what makes it; null for none.</returns>
    protected abstract Task<(string Title, Func<CancellationToken, Task<Document>> Change)?> FindAsync(
        CodeFixContext context, SyntaxNode root);
}
