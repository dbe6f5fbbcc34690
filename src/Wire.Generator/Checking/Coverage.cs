using Microsoft.CodeAnalysis;
using Wire.Analyzers.Messages;
using Wire.Analyzers.Symbols;
using Wire.Generator.Diagnostics;
using Wire.Generator.Parsing;

namespace Wire.Generator.Checking;

/// <summary>Tells which types of messages have all rows that they need: those of contexts, of other assemblies, and by hand.</summary>
internal sealed class Coverage
{
    private readonly Compilation _compilation;
    private readonly UsedOptions _options;
    private readonly GivenRows _given;
    private readonly DerivedTypes _derived;
    private readonly INamedTypeSymbol[] _contexts;
    private readonly bool _hasTableByHand;
    private readonly bool _hasTablesElsewhere;
    private readonly HashSet<ITypeSymbol> _covered = new(SymbolEqualityComparer.Default);
    private readonly HashSet<string> _rows = new(StringComparer.Ordinal);
    private readonly Dictionary<ITypeSymbol, Lack?> _answers = new(SymbolEqualityComparer.Default);

    public Coverage(Compilation compilation, UsedOptions options, GivenRows given, CancellationToken cancellation)
    {
        _compilation = compilation;
        _options = options;
        _given = given;
        _derived = new DerivedTypes(compilation, cancellation);
        ILookup<bool, INamedTypeSymbol> tables = Tables().ToLookup(table => table.HasAttribute("Wire.WireContextAttribute"));
        _contexts = [.. tables[true].OrderBy(context => context.ToDisplayString(), StringComparer.Ordinal)];
        _hasTableByHand = tables[false].Any();
        _hasTablesElsewhere = given.AreElsewhere || new Origins(compilation).Tables().Any();
        foreach (INamedTypeSymbol context in IsUnknown ? [] : _contexts)
        {
            var found = new List<DiagnosticInfo>();
            (TypeWalker walker, RowWriter rows) = Walker(context, found);
            ContextParser.AddRoots(context, walker, _derived, found);
            walker.Walk(cancellation);
            _covered.UnionWith(walker.Seen);
            _rows.UnionWith(rows.Needed.Select(row => row.Words));
        }
    }

    /// <summary>Gets the name of the context to which a type can be added; null where there is none.</summary>
    public string? Context => _contexts.FirstOrDefault()?.Name;

    // Rows that nothing here says may be there.
    private bool IsUnknown => _hasTableByHand || (_contexts.Length == 0 && _given.Any);

    /// <summary>Returns what a type lacks of which messages are; null for nothing, or where that cannot be said.</summary>
    public Lack? Find(ITypeSymbol type, CancellationToken cancellation)
    {
        if (IsUnknown)
        {
            return null;
        }

        if (!_answers.TryGetValue(type, out Lack? lack))
        {
            _answers.Add(type, lack = Look(type, cancellation));
        }

        return lack;
    }

    private Lack? Look(ITypeSymbol type, CancellationToken cancellation)
    {
        var found = new List<DiagnosticInfo>();
        (TypeWalker walker, RowWriter rows) = Walker(null, found);
        walker.LeaveOut(_options.IsReplaced);
        foreach (ITypeSymbol part in PartsOf(type))
        {
            // What is behind it the call does not say.
            if (IsGeneral(part))
            {
                walker.LeaveOut(part);
            }
            else if (!_covered.Contains(part))
            {
                walker.Add(part, MemberPath.Root(part, Location.None));
            }
        }

        walker.Walk(cancellation);
        if (rows.Needed.FirstOrDefault(IsMissing) is { } row)
        {
            return new Lack($"the row WireRow.{row.Words.Replace("global::", "")}()", null);
        }

        return !_hasTablesElsewhere && found.FirstOrDefault(each => each.Descriptor == Descriptors.NoContext) is { } unseen
            ? new Lack($"to know the fields of '{unseen.Arguments[1]}'", unseen)
            : null;
    }

    private bool IsMissing(NeededRow row) =>
        !_rows.Contains(row.Words) && !_given.Have(row) && (!_hasTablesElsewhere || row.Types.Any(IsMadeOfOwn));

    // A type and, of what .NET has around it, each argument: so an interface in a list is as one by itself. A value that may be null is
    // none where it is the message.
    private static IEnumerable<ITypeSymbol> PartsOf(ITypeSymbol type) => type switch
    {
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable => PartsOf(nullable.TypeArguments[0]),
        IArrayTypeSymbol array => PartsOf(array.ElementType).Prepend(type),
        INamedTypeSymbol { IsGenericType: true } named when named.IsOfFramework() =>
            named.TypeArguments.SelectMany(PartsOf).Prepend(type),
        _ => [type],
    };

    private static bool IsGeneral(ITypeSymbol type) => type.TypeKind == TypeKind.Interface || type.IsAbstract;

    // Only tables of this assembly can have rows of these.
    private bool IsMadeOfOwn(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsMadeOfOwn(array.ElementType),
        INamedTypeSymbol named => SymbolEqualityComparer.Default.Equals(named.ContainingAssembly, _compilation.Assembly)
            || TypeNames.Arguments(named).Any(IsMadeOfOwn),
        _ => false,
    };

    private (TypeWalker Walker, RowWriter Rows) Walker(INamedTypeSymbol? context, List<DiagnosticInfo> found)
    {
        var names = new TypeNames(_compilation, context);
        var rows = new RowWriter(_compilation, context, names);
        return (TypeWalker.Create(_compilation, names, rows, _derived, found), rows);
    }

    private IEnumerable<INamedTypeSymbol> Tables()
    {
        var open = new List<INamedTypeSymbol>();
        return _compilation.GetTypeByMetadataName("Wire.WireTypes") is { } table ? [.. _derived.Of(table, open), .. open] : [];
    }
}
