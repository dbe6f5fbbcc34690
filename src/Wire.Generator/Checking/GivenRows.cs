using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;
using Wire.Generator.Parsing;

namespace Wire.Generator.Checking;

/// <summary>The rows that code of a program makes or takes from elsewhere, beside its contexts. Thread-safe.</summary>
internal sealed class GivenRows
{
    private readonly ConcurrentDictionary<string, bool> _names = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<ITypeSymbol, bool> _types = new(SymbolEqualityComparer.Default);

    /// <summary>Gets whether there are any.</summary>
    public bool Any => !_names.IsEmpty;

    /// <summary>Gets whether there are tables of another assembly that no attribute names.</summary>
    public bool AreElsewhere { get; private set; }

    /// <summary>Notes a method or property that code uses.</summary>
    /// <param name="used">What is used.</param>
    /// <param name="type">The type of its value.</param>
    /// <param name="compilation">The program.</param>
    public void Look(ISymbol used, ITypeSymbol type, Compilation compilation)
    {
        if (type.IsWire("WireTypeRow") && used is IMethodSymbol method)
        {
            _names[method.Name] = true;
            foreach (ITypeSymbol argument in method.TypeArguments)
            {
                Add(argument);
            }
        }
        else if ((type.IsWire("SerializerOptions") || type.IsWire("Serializer") || type.AndBases().Any(each => each.IsWire("WireTypes")))
            && used.ContainingAssembly is { Name: not "Wire" } assembly
            && !SymbolEqualityComparer.Default.Equals(assembly, compilation.Assembly))
        {
            AreElsewhere = true;
        }
    }

    /// <summary>
    /// Returns whether a row is there: a row by hand may be another one than a context would have, as long as the types in it are named.
    /// </summary>
    public bool Have(NeededRow row)
    {
        ITypeSymbol[] values = [.. row.Types.Where(type => type.IsValueType)];
        return values.Length == 0
            ? _names.ContainsKey(row.Name) && row.Types.All(_types.ContainsKey)
            : values.All(_types.ContainsKey);
    }

    private void Add(ITypeSymbol type)
    {
        _types[type] = true;
        foreach (ITypeSymbol part in type is IArrayTypeSymbol array ? [array.ElementType] : (type as INamedTypeSymbol)?.TypeArguments ?? [])
        {
            Add(part);
        }
    }
}
