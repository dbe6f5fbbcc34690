using System.Reflection.Metadata;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Resolution;
using Wire.Types;

namespace Wire.Migration.Reading;

/// <summary>
/// Finds the types that records name, by the resolver of the serializer, so that its filter, aliases and redirects apply. A type that has a
/// name of its own in payloads of Wire had its full name in those of BinaryFormatter.
/// </summary>
internal sealed class OldNames(TypeRegistry registry, Type root)
{
    private readonly Dictionary<string, string> _renamed = Renamed(registry, root);

    // The records of one class share its name.
    private readonly Dictionary<TypeName, Type> _found = new(ReferenceEqualityComparer.Instance);

    /// <summary>Finds the type of a record.</summary>
    /// <exception cref="TypeRefusedException">The filter does not allow it.</exception>
    /// <exception cref="WireFormatException">The name is not well formed, or no type has it.</exception>
    public Type Resolve(TypeName name)
    {
        if (!_found.TryGetValue(name, out Type? type))
        {
            type = registry.Resolver.Resolve(Whole(name), root, out _);
            _found.Add(name, type);
        }

        return type;
    }

    // Types that can be unloaded are not kept alive, nor are the registries of serializers that are gone.
    private static readonly ConditionalWeakTable<TypeRegistry, ConditionalWeakTable<Type, Dictionary<string, string>>> Tables = [];

    private static Dictionary<string, string> Renamed(TypeRegistry registry, Type root) =>
        Tables.GetValue(registry, static _ => []).GetValue(root, asked =>
        {
            var renamed = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (Type type in registry.Resolver.DeclaredBy(asked))
            {
                string name = TypeNames.GetDefinitionName(type, registry.Options.TypeAliases);
                if (type.FullName is { } full && name != full && !name.Contains(',', StringComparison.Ordinal))
                {
                    renamed[$"{full}, {type.Assembly.GetName().Name}"] = name;
                }
            }

            return renamed;
        });

    // The names have a bounded number of parts.
    private string Whole(TypeName name) => Parts(name) is var (text, home) && home is null ? text : $"{text}, {home}";

    private (string Name, string? Assembly) Parts(TypeName name)
    {
        if (name.IsArray)
        {
            (string element, string? home) = Parts(name.GetElementType());
            string rank = name.IsSZArray ? "" : name.GetArrayRank() == 1 ? "*" : new string(',', name.GetArrayRank() - 1);
            return ($"{element}[{rank}]", home);
        }

        if (name.IsConstructedGenericType)
        {
            (string definition, string? home) = Parts(name.GetGenericTypeDefinition());
            var text = new StringBuilder(definition).Append('[');
            text.AppendJoin(',', name.GetGenericArguments().Select(argument => $"[{Whole(argument)}]"));
            return (text.Append(']').ToString(), home);
        }

        return name.AssemblyName?.Name is not { } assembly ? (name.FullName, null)
            : _renamed.TryGetValue($"{name.FullName}, {assembly}", out string? renamed) ? (renamed, null)
            : GivenName(name.FullName, assembly) is { } given ? (given, null)
            : (name.FullName, assembly);
    }

    // A rule of the filter may allow it, although no option or member names it. Metadata says it: nothing is loaded for that.
    private static string? GivenName(string fullName, string assembly) => FrameworkTypes.IsHome(assembly)
        ? null
        : AppDomain.CurrentDomain.GetAssemblies()
            .Select(AssemblyTypes.ForAssembly)
            .Where(place => place.Name == assembly)
            .Select(place => place.GivenNameOf(fullName))
            .FirstOrDefault(given => given is not null);
}
