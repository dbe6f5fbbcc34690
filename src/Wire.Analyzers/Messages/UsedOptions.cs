using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Wire.Analyzers.Symbols;

namespace Wire.Analyzers.Messages;

/// <summary>
/// Knows what a program says, anywhere, about how types are written: options that it sets, and types that it does not have written member
/// by member. Thread-safe.
/// </summary>
internal sealed class UsedOptions
{
    private const string MissingMembers = "MissingMembers";

    private readonly ConcurrentDictionary<string, bool> _set = new();
    private readonly ConcurrentDictionary<ITypeSymbol, bool> _replaced = new(SymbolEqualityComparer.Default);

    /// <summary>Gets whether delegates are written, or left out.</summary>
    public bool WritesDelegates => _set.ContainsKey("AllowDelegates") || _set.ContainsKey("IgnoreDelegateMembers");

    /// <summary>Gets whether methods, constructors and so on are written.</summary>
    public bool WritesMemberInfos => _set.ContainsKey("AllowMemberInfos");

    /// <summary>Gets whether expression trees are written.</summary>
    public bool WritesExpressions => _set.ContainsKey("AllowExpressions");

    /// <summary>Gets whether the program says, by any value, what happens where a payload lacks members.</summary>
    public bool SaysOfMissing => _set.ContainsKey(MissingMembers);

    /// <summary>Gets whether payloads without required members may be refused: by an option, or since they have no schema.</summary>
    public bool RefusesMissing { get; private set; }

    /// <summary>Gets whether a constructor makes objects whose payload lacks members.</summary>
    public bool UsesConstructors => _set.ContainsKey("UseConstructors");

    /// <summary>Gets or sets whether the program has a factory of its own, which may write anything.</summary>
    public bool HasFactory { get; set; }

    /// <summary>Notes an option that is set.</summary>
    /// <returns>Its name; null where something else is assigned.</returns>
    public string? Look(ISimpleAssignmentOperation assignment)
    {
        if (assignment.Target is not IPropertyReferenceOperation { Property: { } property }
            || !property.ContainingType.IsWire("SerializerOptions"))
        {
            return null;
        }

        Set(property.Name, assignment.Value);
        return property.Name;
    }

    /// <summary>Notes that a type is written in another way than member by member.</summary>
    public void Replace(ITypeSymbol type) => _replaced[type.OriginalDefinition] = true;

    /// <summary>Returns whether a type, or what it derives from, is written in another way.</summary>
    public bool IsReplaced(ITypeSymbol type) => HasFactory
        || _replaced.Keys.Any(type.IsOrDerivesFrom)
        || (_set.ContainsKey("UseSerializable")
            && type.AllInterfaces.Any(each => each.FullName() == "System.Runtime.Serialization.ISerializable"));

    /// <summary>Notes what a type of the program says about others: that it is a stand-in, or writes them.</summary>
    public void Look(INamedTypeSymbol type)
    {
        foreach (INamedTypeSymbol face in type.AllInterfaces)
        {
            if (face.IsWire("ISurrogate") && face.TypeArguments.Length == 2)
            {
                Replace(face.TypeArguments[1]);
            }
        }

        foreach (ITypeSymbol current in type.AndBases().Skip(1))
        {
            if (current is INamedTypeSymbol { TypeArguments.Length: 1 } writing && writing.IsWire("ValueSerializer"))
            {
                Replace(writing.TypeArguments[0]);
            }
            else if (current.IsWire("ValueSerializerFactory"))
            {
                HasFactory = true;
            }
        }
    }

    private void Set(string name, IOperation value)
    {
        // What is no constant may be anything. Never set to false: others are looked at meanwhile.
        if (name == MissingMembers ? value.ConstantValue is not { HasValue: true, Value: 0 }
            : name == "VersionTolerance" && value.ConstantValue is not { HasValue: true, Value: true })
        {
            RefusesMissing = true;
        }

        if (value.ConstantValue is { HasValue: true, Value: false })
        {
            return;
        }

        _set[name] = true;
        if (name == "Singletons")
        {
            foreach (IOperation part in value.DescendantsAndSelf())
            {
                if (part is IConversionOperation { Operand.Type: { } type })
                {
                    Replace(type);
                }
            }
        }
    }
}
