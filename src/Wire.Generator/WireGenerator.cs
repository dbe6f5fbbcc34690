using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Wire.Generator.Diagnostics;
using Wire.Generator.Emitting;
using Wire.Generator.Parsing;

namespace Wire.Generator;

/// <summary>
/// Completes each class with [WireContext] by the rows of the types that messages hold, which a native program has to see.
/// </summary>
[Generator(LanguageNames.CSharp)]
public sealed class WireGenerator : IIncrementalGenerator
{
    /// <summary>The step that reads symbols: it runs after each edit.</summary>
    public const string Parsed = nameof(Parsed);

    /// <summary>The step whose results are text: where they are equal, no source is printed.</summary>
    public const string Contexts = nameof(Contexts);

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<ParsedContext> parsed = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                "Wire.WireContextAttribute",
                static (node, _) => node is ClassDeclarationSyntax,
                static (attributed, cancellation) => ContextParser.Parse(
                    (INamedTypeSymbol)attributed.TargetSymbol, attributed.SemanticModel.Compilation, cancellation))
            .WithTrackingName(Parsed);

        context.RegisterSourceOutput(
            parsed.Select(static (each, _) => each.Model).Where(static model => model is not null).WithTrackingName(Contexts),
            static (output, model) => output.AddSource(model!.FileName, ContextEmitter.Emit(model)));

        // Apart, since a place changes with each line above it.
        context.RegisterSourceOutput(
            parsed,
            static (output, each) =>
            {
                foreach (DiagnosticInfo info in each.Diagnostics)
                {
                    output.ReportDiagnostic(info.Create());
                }
            });
    }
}
