using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;
using Wire.Analyzers.Contracts;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers;

/// <summary>
/// Compares the members of types with the contracts beside the project, which are additional files named <c>*.contract</c> or
/// <c>*.contract.txt</c>.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ContractAnalyzer : DiagnosticAnalyzer
{
    /// <summary>The key of the name in payloads that a member has had, for the fix.</summary>
    internal const string OldName = "OldName";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [Rules.MemberGone, Rules.MemberRenamed, Rules.MemberRetyped, Rules.DamagedContract];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            ImmutableArray<ContractFile> files =
            [
                .. start.Options.AdditionalFiles.Where(ContractFile.IsOne).Select(file => ContractFile.Read(file, start.CancellationToken)),
            ];
            if (!files.IsEmpty)
            {
                start.RegisterSymbolAction(symbol => Compare(symbol, (INamedTypeSymbol)symbol.Symbol, files), SymbolKind.NamedType);
                start.RegisterAdditionalFileAction(file => Report(file, files));
            }
        });
    }

    private static void Report(AdditionalFileAnalysisContext context, ImmutableArray<ContractFile> files)
    {
        if (files.FirstOrDefault(file => file.Path == context.AdditionalFile.Path)?.Damage is (TextLine line, string reason))
        {
            context.ReportDiagnostic(Diagnostic.Create(
                Rules.DamagedContract,
                Location.Create(context.AdditionalFile.Path, line.Span, line.Text!.Lines.GetLinePositionSpan(line.Span)),
                line.LineNumber + 1,
                reason));
        }
    }

    private static void Compare(SymbolAnalysisContext context, INamedTypeSymbol type, ImmutableArray<ContractFile> files)
    {
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || ContractNames.KeyOf(type) is not { } key
            || !type.AndBases().All(each => IsKnown(each, context.Compilation)))
        {
            return;
        }

        WrittenMember[] members = [.. type.AndBases().SelectMany(each => WrittenMember.Of((INamedTypeSymbol)each))];
        foreach (ContractFile file in files)
        {
            // A name that two classes of a type have is written with the class.
            if (file.Find(key) is { } entry
                && (entry.Assembly is null || entry.Assembly == context.Compilation.AssemblyName)
                && !entry.Members.Keys.Any(name => name.IndexOf('@') >= 0 || name.StartsWith("<", StringComparison.Ordinal)))
            {
                Compare(context, type, members, entry, Path.GetFileName(file.Path));
            }
        }
    }

    private static void Compare(
        SymbolAnalysisContext context, INamedTypeSymbol type, WrittenMember[] members, ContractEntry entry, string file)
    {
        HashSet<string> now = [.. members.Select(NameOf)];
        string[] gone = [.. entry.Members.Keys.Where(name => !now.Contains(name)).OrderBy(name => name, StringComparer.Ordinal)];
        WrittenMember[] added = [.. members.Where(member => !entry.Members.ContainsKey(NameOf(member)))];
        foreach (string name in gone)
        {
            string words = Bare(entry.Members[name]);
            WrittenMember[] alike = [.. added.Where(member => ContractNames.Describe(member.Type) == words && member.Given is null)];
            if (alike.Length == 1 && gone.Count(each => Bare(entry.Members[each]) == words) == 1
                && SymbolEqualityComparer.Default.Equals(alike[0].Face.ContainingType, type))
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.MemberRenamed,
                    alike[0].Face.Locations[0],
                    ImmutableDictionary<string, string?>.Empty.Add(OldName, name),
                    alike[0].Face.Name,
                    file,
                    name));
            }
            else
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.MemberGone, type.Locations[0], type.Name, name, file));
            }
        }

        foreach (WrittenMember member in members)
        {
            if (SymbolEqualityComparer.Default.Equals(member.Face.ContainingType, type)
                && entry.Members.TryGetValue(NameOf(member), out string? before)
                && ContractNames.Describe(member.Type) is { } words && words != Bare(before))
            {
                context.ReportDiagnostic(
                    Diagnostic.Create(Rules.MemberRetyped, member.Face.Locations[0], member.Face.Name, words, file, before));
            }
        }
    }

    private static bool IsKnown(ITypeSymbol type, Compilation compilation) => type.SpecialType == SpecialType.System_ValueType
        || SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);

    private static string NameOf(WrittenMember member) => member.Given?.Name() ?? member.Face.Name;

    private static string Bare(string words) =>
        words.EndsWith("?", StringComparison.Ordinal) ? words.Substring(0, words.Length - 1) : words;
}
