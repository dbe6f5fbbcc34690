using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Wire.Generator.Parsing;

/// <summary>
/// Prints the methods that reach fields, whatever their accessibility: a class of them for each type that declares fields. That of a
/// generic type has its type parameters, since the runtime finds the fields of the definition alone.
/// </summary>
/// <param name="names">The names of types in the code.</param>
/// <param name="prefix">The beginning of the names of the classes.</param>
internal sealed class FieldAccessors(TypeNames names, string prefix)
{
    private const string Accessor = "global::System.Runtime.CompilerServices.UnsafeAccessor";

    private readonly Dictionary<INamedTypeSymbol, (string Name, List<IFieldSymbol> Fields)> _owners = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the classes.</summary>
    public string[] Classes => [.. _owners.Select(owner => Print(owner.Key, owner.Value.Name, owner.Value.Fields))];

    /// <summary>Returns the whole name of the method for a field of a type, which is closed.</summary>
    public string For(INamedTypeSymbol owner, IFieldSymbol field)
    {
        INamedTypeSymbol definition = owner.OriginalDefinition;
        if (!_owners.TryGetValue(definition, out (string Name, List<IFieldSymbol> Fields) known))
        {
            known = ($"{prefix}Fields{_owners.Count}", []);
            _owners.Add(definition, known);
        }

        int index = known.Fields.FindIndex(each => SymbolEqualityComparer.Default.Equals(each, field.OriginalDefinition));
        if (index < 0)
        {
            index = known.Fields.Count;
            known.Fields.Add(field.OriginalDefinition);
        }

        return $"{known.Name}{Bracketed(TypeNames.Arguments(owner).Select(names.OfArgument))}.F{index}";
    }

    /// <summary>Returns whether a class can have the type parameters of a definition.</summary>
    public static bool CanHave(INamedTypeSymbol definition) =>
        TypeNames.Arguments(definition).OfType<ITypeParameterSymbol>().All(parameter => !parameter.AllowsRefLikeType);

    /// <summary>Returns a text as a literal.</summary>
    public static string Quoted(string text) => SymbolDisplay.FormatLiteral(text, quote: true);

    private string Print(INamedTypeSymbol definition, string name, List<IFieldSymbol> fields)
    {
        ITypeParameterSymbol[] parameters = [.. TypeNames.Arguments(definition).OfType<ITypeParameterSymbol>()];
        string constraints = string.Concat(parameters.Select(Constraints));
        var text = new StringBuilder($"private static class {name}{Bracketed(parameters.Select(names.Of))}{constraints}\n{{");
        string owner = $"{(definition.IsValueType ? "ref " : "")}{names.Of(definition)} owner";
        for (int i = 0; i < fields.Count; i++)
        {
            text.Append(i == 0 ? "\n" : "\n\n");
            text.Append($"    [{Accessor}({Accessor}Kind.Field, Name = {Quoted(fields[i].MetadataName)})]\n");
            text.Append($"    public static extern ref {names.Of(fields[i].Type)} F{i}({owner});");
        }

        return text.Append("\n}").ToString();
    }

    private string Constraints(ITypeParameterSymbol parameter)
    {
        string[] all =
        [
            .. parameter.HasUnmanagedTypeConstraint ? ["unmanaged"]
                : parameter.HasValueTypeConstraint ? ["struct"]
                : parameter.HasReferenceTypeConstraint ? ["class"]
                : parameter.HasNotNullConstraint ? ["notnull"]
                : Array.Empty<string>(),
            .. parameter.ConstraintTypes.Select(names.Of),
            .. parameter.HasConstructorConstraint ? ["new()"] : Array.Empty<string>(),
        ];
        return all.Length == 0 ? "" : $" where {names.Of(parameter)} : {string.Join(", ", all)}";
    }

    private static string Bracketed(IEnumerable<string> arguments) =>
        string.Join(", ", arguments) is { Length: > 0 } all ? $"<{all}>" : "";
}
