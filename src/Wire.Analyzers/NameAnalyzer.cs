using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>Looks at the names that the program gives to types and members: those of payloads, by [WireName].</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class NameAnalyzer : DiagnosticAnalyzer
{
    private static readonly char[] Reserved = ['[', ']', ',', '+', '*', '&', '\\'];

    // Where the compiler finds the types of the core library.
    private static readonly string[] Cores = ["System.Private.CoreLib", "System.Runtime"];

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [Rules.MembersOfOneName, Rules.TypesOfOneName, Rules.InvalidName];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Wire.WireNameAttribute") is null)
            {
                return;
            }

            var named = new ConcurrentBag<(INamedTypeSymbol Type, string Name, Location Place)>();
            start.RegisterSymbolAction(
                symbol =>
                {
                    var type = (INamedTypeSymbol)symbol.Symbol;
                    CheckMembers(symbol, type);
                    if (type.WireName() is { } given && given.Name() is { } name && PlaceOf(given) is { } place)
                    {
                        string whole = type.Arity == 0 ? name : $"{name}`{type.Arity}";
                        CheckName(symbol, name, whole, place);
                        named.Add((type, whole, place));
                    }
                },
                SymbolKind.NamedType);
            start.RegisterCompilationEndAction(end => CheckTypes(end, named));
        });
    }

    // A member without a [WireName] makes room for one that has: it is written with the name of its class.
    private static void CheckMembers(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        if (type.TypeKind == TypeKind.Enum)
        {
            CheckConstants(context, type);
            return;
        }

        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct))
        {
            return;
        }

        var names = new Dictionary<string, ISymbol>(StringComparer.Ordinal);
        foreach (ITypeSymbol level in type.AndBases().Reverse())
        {
            foreach (WrittenMember member in WrittenMember.Of((INamedTypeSymbol)level))
            {
                if (member.Given is not { } given || given.Name() is not { } name)
                {
                    continue;
                }

                if (!names.TryGetValue(name, out ISymbol? other))
                {
                    names.Add(name, member.Face);
                }
                else if (SymbolEqualityComparer.Default.Equals(level, type) && PlaceOf(given) is { } place)
                {
                    Report(context, place, member.Face, other, name, type);
                }
            }
        }
    }

    private static void CheckConstants(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        var names = new Dictionary<string, ISymbol>(StringComparer.Ordinal);
        foreach (IFieldSymbol constant in type.GetMembers().OfType<IFieldSymbol>().Where(field => field.IsConst))
        {
            AttributeData? given = constant.WireName();
            string name = given?.Name() ?? constant.Name;
            if (names.TryGetValue(name, out ISymbol? other))
            {
                Report(context, (given is null ? null : PlaceOf(given)) ?? constant.Locations[0], constant, other, name, type);
            }
            else
            {
                names.Add(name, constant);
            }
        }
    }

    private static void Report(
        SymbolAnalysisContext context, Location place, ISymbol member, ISymbol other, string name, INamedTypeSymbol type) =>
        context.ReportDiagnostic(Diagnostic.Create(Rules.MembersOfOneName, place, other.Name, member.Name, name, type.Shown()));

    private static void CheckName(SymbolAnalysisContext context, string name, string whole, Location place)
    {
        string? wrong = string.IsNullOrWhiteSpace(name) ? "is empty"
            : name.IndexOfAny(Reserved) >= 0 ? "has one of the characters [ ] , + * & \\ (a dot is none of them)"
            : context.Compilation.GetTypeByMetadataName(whole) is { ContainingAssembly.Name: { } home } && Array.IndexOf(Cores, home) >= 0
                ? "is that of a type of .NET and would be read as that"
            : null;
        if (wrong is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.InvalidName, place, name, wrong));
        }
    }

    // In two namespaces they may be copies of one contract, as those of an older release in a test: a filter tells which of them is meant.
    private static void CheckTypes(
        CompilationAnalysisContext context, IEnumerable<(INamedTypeSymbol Type, string Name, Location Place)> named)
    {
        foreach (var alike in named.GroupBy(each => (each.Name, Around: each.Type.ContainingSymbol.ToDisplayString())))
        {
            (INamedTypeSymbol Type, string Name, Location Place)[] types =
            [
                .. alike.OrderBy(each => each.Place.SourceTree?.FilePath, StringComparer.Ordinal)
                    .ThenBy(each => each.Place.SourceSpan.Start),
            ];
            foreach ((INamedTypeSymbol type, string name, Location place) in types.Skip(1))
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.TypesOfOneName, place, types[0].Type.Shown(), type.Shown(), name));
            }
        }
    }

    private static Location? PlaceOf(AttributeData attribute) => attribute.ApplicationSyntaxReference is { } reference
        ? Location.Create(reference.SyntaxTree, reference.Span)
        : null;
}
