using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// The types that a loaded assembly defines, by their names in payloads. The names come from metadata, so a search loads neither types nor
/// their base types. Thread-safe.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal sealed class AssemblyTypes
{
    private static readonly ConditionalWeakTable<Assembly, AssemblyTypes> Known = [];

    private FrozenDictionary<string, int>? _tokens;

    private AssemblyTypes(Assembly assembly)
    {
        Assembly = assembly;
        Name = assembly.GetName().Name ?? "";
        IsFramework = FrameworkAssemblies.Contains(assembly);
    }

    /// <summary>The assembly. The table above releases both together, so that neither keeps the other alive.</summary>
    public Assembly Assembly { get; }

    /// <summary>Its simple name.</summary>
    public string Name { get; }

    /// <summary>Says whether it is part of .NET.</summary>
    public bool IsFramework { get; }

    public static AssemblyTypes ForAssembly(Assembly assembly) => Known.GetValue(assembly, static asked => new AssemblyTypes(asked));

    /// <summary>Finds a type's definition.</summary>
    /// <param name="key">The name, as <see cref="TypeNames.GetDefinitionName"/> has it without aliases.</param>
    public DefinedType? Find(string key)
    {
        if (Assembly.IsDynamic)
        {
            // Its types are created while the program runs. They are in memory, so enumerating them loads nothing.
            return Made(Assembly).FirstOrDefault(type => IsNamed(type, key)) is { } made ? new DefinedType(Assembly, 0, made) : null;
        }

        return Tokens().TryGetValue(key, out int token) ? new DefinedType(Assembly, token, null) : null;
    }

    /// <summary>The metadata token of the definition of a type with its own name; 0 when there is none.</summary>
    public int TokenOf(string fullName) => Tokens().GetValueOrDefault(IsFramework ? fullName : $"{fullName}, {Name}");

    /// <summary>Finds the name that a <see cref="WireNameAttribute"/> gives the type with its own name; null when there is none.</summary>
    public string? GivenNameOf(string fullName)
    {
        int token = Assembly.IsDynamic || IsFramework ? 0 : TokenOf(fullName);
        return token == 0 ? null : AssemblyMetadata.Read(Assembly, token, static (reader, token) =>
            GivenName(reader, reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(token))));
    }

    private FrozenDictionary<string, int> Tokens() =>
        _tokens ??= AssemblyMetadata.Read(Assembly, this, static (reader, self) => self.Tokens(reader))
            ?? FrozenDictionary<string, int>.Empty;

    private static IEnumerable<Type> Made(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            // Another thread may be creating one, which no payload can contain yet.
            return e.Types.OfType<Type>();
        }
    }

    // A payload asks for names that nothing has, so a name is only made where it may be the one.
    private static bool IsNamed(Type type, string key)
    {
        if (!key.StartsWith(type.FullName ?? "", StringComparison.Ordinal) && !type.IsDefined(typeof(WireNameAttribute), inherit: false))
        {
            return false;
        }

        try
        {
            return TypeNames.GetDefinitionName(type, TypeAliases.None) == key;
        }
        catch (UnsupportedTypeException)
        {
            // Its [WireName] is invalid, so no payload can contain it.
            return false;
        }
    }

    private FrozenDictionary<string, int> Tokens(MetadataReader reader)
    {
        var tokens = new Dictionary<string, int>();
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            int token = MetadataTokens.GetToken(handle);
            tokens.TryAdd(AssemblyMetadata.FullName(reader, type) + (IsFramework ? "" : $", {Name}"), token);
            if (GivenName(reader, type) is { } given)
            {
                tokens.TryAdd(given, token);
            }
        }

        return tokens.ToFrozenDictionary();
    }

    private static string? GivenName(MetadataReader reader, TypeDefinition type) => AssemblyMetadata.WireName(reader, type) is not { } given
        ? null
        : type.GetGenericParameters().Count is > 0 and var arity ? $"{given}`{arity}" : given;
}
