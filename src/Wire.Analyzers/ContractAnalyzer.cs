using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Microsoft.CodeAnalysis.Text;
using Wire.Analyzers.Contracts;
using Wire.Analyzers.Messages;
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
        [Rules.MemberGone, Rules.MemberRenamed, Rules.MemberRetyped, Rules.DamagedContract, Rules.RequiredMemberAdded];

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
                var options = new UsedOptions();
                var required = new ConcurrentDictionary<(ISymbol Face, ContractFile File), WrittenMember>();
                start.RegisterSymbolAction(
                    symbol => Compare(symbol, (INamedTypeSymbol)symbol.Symbol, files, required), SymbolKind.NamedType);
                start.RegisterOperationAction(
                    assignment => options.Look((ISimpleAssignmentOperation)assignment.Operation), OperationKind.SimpleAssignment);
                start.RegisterAdditionalFileAction(file => Report(file, files));
                start.RegisterCompilationEndAction(end => Report(end, options, required));
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

    // Whether such payloads are refused is known when the whole program has been seen.
    private static void Report(
        CompilationAnalysisContext context,
        UsedOptions options,
        IEnumerable<KeyValuePair<(ISymbol Face, ContractFile File), WrittenMember>> required)
    {
        foreach (KeyValuePair<(ISymbol Face, ContractFile File), WrittenMember> each in required)
        {
            (ISymbol face, ContractFile file) = each.Key;
            if (!options.RefusesMissing && !file.RefusesMissing)
            {
                context.ReportDiagnostic(Diagnostic.Create(
                    Rules.RequiredMemberAdded,
                    face.Locations[0],
                    face.Name,
                    Path.GetFileName(file.Path),
                    options.UsesConstructors || file.UsesConstructors ? "as its constructor does" : each.Value.Unset));
            }
        }
    }

    private static void Compare(
        SymbolAnalysisContext context,
        INamedTypeSymbol type,
        ImmutableArray<ContractFile> files,
        ConcurrentDictionary<(ISymbol Face, ContractFile File), WrittenMember> required)
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
                WrittenMember[] added = Compare(context, type, members, entry, Path.GetFileName(file.Path));

                // A payload that has nothing in common with the type is refused.
                if (entry.Members.Count == 0 || members.Any(member => entry.Members.ContainsKey(NameOf(member))))
                {
                    foreach (WrittenMember member in added.Where(member => member.IsRequired))
                    {
                        required[(member.Face, file)] = member;
                    }
                }
            }
        }
    }

    // Returns the members that are new, and not renamed.
    private static WrittenMember[] Compare(
        SymbolAnalysisContext context, INamedTypeSymbol type, WrittenMember[] members, ContractEntry entry, string file)
    {
        HashSet<string> now = [.. members.Select(NameOf)];
        string[] gone = [.. entry.Members.Keys.Where(name => !now.Contains(name)).OrderBy(name => name, StringComparer.Ordinal)];
        WrittenMember[] added = [.. members.Where(member => !entry.Members.ContainsKey(NameOf(member)))];
        var renamed = new HashSet<WrittenMember>();
        foreach (string name in gone)
        {
            string words = Bare(entry.Members[name]);
            WrittenMember[] alike = [.. added.Where(member => ContractNames.Describe(member.Type) == words && member.Given is null)];
            if (alike.Length == 1 && gone.Count(each => Bare(entry.Members[each]) == words) == 1
                && SymbolEqualityComparer.Default.Equals(alike[0].Face.ContainingType, type))
            {
                renamed.Add(alike[0]);
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

        return [.. added.Where(member => !renamed.Contains(member))];
    }

    private static bool IsKnown(ITypeSymbol type, Compilation compilation) => type.SpecialType == SpecialType.System_ValueType
        || SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);

    private static string NameOf(WrittenMember member) => member.Given?.Name() ?? member.Face.Name;

    private static string Bare(string words) =>
        words.EndsWith("?", StringComparison.Ordinal) ? words.Substring(0, words.Length - 1) : words;
}
