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
    // What the serializer allows: the characters of a type's name, and the bytes of a definition, which has the names of all members.
    private const int MaxTypeName = 16_384;
    private const int MaxDefinition = 1 << 18;

    private const string Malformed = "has half of a surrogate pair, or U+FFFD, which stands for one";

    // Of a name, in a message.
    private const int MaxShown = 100;

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
                    if (type.WireName() is { } given && PlaceOf(given) is { } place)
                    {
                        string name = given.Name() ?? "";
                        string whole = WithArity(name, type);
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

                bool isOwn = SymbolEqualityComparer.Default.Equals(level, type);
                if (isOwn)
                {
                    CheckMemberName(context, name, PlaceOf(given));
                }

                if (!names.TryGetValue(name, out ISymbol? other))
                {
                    names.Add(name, member.Face);
                }
                else if (isOwn && PlaceOf(given) is { } place)
                {
                    Report(context, place, member.Face, other, name, type);
                }
            }
        }

        CheckNamesOfClasses(context, type);
    }

    // A name that several classes of a type have is written with the class: no other member may have been given that.
    private static void CheckNamesOfClasses(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        HashSet<string> before = [.. type.BaseType is { } above ? ClashesOf(above).Select(clash => clash.Name) : []];
        foreach ((WrittenMember member, AttributeData given, ISymbol other, string name) in ClashesOf(type))
        {
            if (!before.Contains(name))
            {
                // Those of a base class may be in another project.
                Location? place = new[] { PlaceOf(given), other.Locations[0] }.FirstOrDefault(
                    each => each?.SourceTree is { } tree && context.Compilation.ContainsSyntaxTree(tree));
                Report(context, place ?? type.Locations[0], member.Face, other, name, type);
            }
        }
    }

    private static IEnumerable<(WrittenMember Member, AttributeData Given, ISymbol Other, string Name)> ClashesOf(INamedTypeSymbol type)
    {
        WrittenMember[] members = [.. type.AndBases().SelectMany(level => WrittenMember.Of((INamedTypeSymbol)level))];
        foreach (WrittenMember member in members)
        {
            if (member.Given is { } given && given.Name() is { } name && name.IndexOf('@') is > 0 and var at)
            {
                WrittenMember[] alike = [.. members.Where(each => (each.Given?.Name() ?? each.Face.Name) == name.Substring(0, at))];
                if (alike.Length > 1 && alike.FirstOrDefault(each => each.Given?.Name() is null
                    && NameOfClass(each.Face.ContainingType) == name.Substring(at + 1)) is { } other)
                {
                    yield return (member, given, other.Face, name);
                }
            }
        }
    }

    private static string NameOfClass(INamedTypeSymbol type) =>
        type.WireName()?.Name() is { } given ? WithArity(given, type) : type.MetadataName('+');

    // With the parameters of the types around it, as the runtime counts them.
    private static string WithArity(string name, INamedTypeSymbol type)
    {
        int arity = 0;
        for (INamedTypeSymbol? current = type; current is not null; current = current.ContainingType)
        {
            arity += current.Arity;
        }

        return arity == 0 ? name : $"{name}`{arity}";
    }

    private static void CheckConstants(SymbolAnalysisContext context, INamedTypeSymbol type)
    {
        var names = new Dictionary<string, ISymbol>(StringComparer.Ordinal);
        foreach (IFieldSymbol constant in type.GetMembers().OfType<IFieldSymbol>().Where(field => field.IsConst))
        {
            AttributeData? given = constant.WireName();
            string name = given?.Name() ?? constant.Name;
            if (given is not null)
            {
                CheckMemberName(context, name, PlaceOf(given));
            }

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
            : name.Trim() != name ? "begins or ends with a space"
            : !IsWellFormed(name) ? Malformed
            : whole.Length > MaxTypeName ? "is longer than the 16,384 characters that a name of a type may have"
            : name.IndexOfAny(Reserved) >= 0 ? "has one of the characters [ ] , + * & \\ (a dot is none of them)"
            : context.Compilation.GetTypeByMetadataName(whole) is { ContainingAssembly.Name: { } home } && Array.IndexOf(Cores, home) >= 0
                ? "is that of a type of .NET and would be read as that"
            : null;
        Report(context, place, name, wrong);
    }

    // That of a member, or of a value of an enum, may be any text.
    private static void CheckMemberName(SymbolAnalysisContext context, string name, Location? place) => Report(
        context,
        place,
        name,
        !IsWellFormed(name) ? Malformed
            : name.Length > MaxDefinition ? "is longer than the 262,144 bytes that the definition of a type may have"
            : null);

    private static void Report(SymbolAnalysisContext context, Location? place, string name, string? wrong)
    {
        if (wrong is not null && place is not null)
        {
            string shown = name.Length > MaxShown ? name.Substring(0, MaxShown) + "..." : name;
            context.ReportDiagnostic(Diagnostic.Create(Rules.InvalidName, place, shown, wrong));
        }
    }

    // The compiler writes UTF-8, and each kind of program reads something else in place of a half.
    private static bool IsWellFormed(string name)
    {
        for (int i = 0; i < name.Length; i++)
        {
            if (char.IsHighSurrogate(name[i]) && i + 1 < name.Length && char.IsLowSurrogate(name[i + 1]))
            {
                i++;
            }
            else if (char.IsSurrogate(name[i]) || name[i] == '\uFFFD')
            {
                return false;
            }
        }

        return true;
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
