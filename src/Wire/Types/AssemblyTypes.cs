using System.Collections.Frozen;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// The types that a loaded assembly defines, by the names under which payloads have them. The names come from metadata, so that
/// looking for one loads neither a type nor what the types of the assembly derive from. Thread-safe.
/// </summary>
internal sealed class AssemblyTypes
{
    private static readonly ConditionalWeakTable<Assembly, AssemblyTypes> Known = [];

    // The runtime lists an assembly that is being unloaded when nobody else holds it any more.
    private readonly WeakReference<Assembly> _assembly;
    private FrozenDictionary<string, int>? _tokens;

    private AssemblyTypes(Assembly assembly)
    {
        _assembly = new(assembly, trackResurrection: true);
        Name = assembly.GetName().Name ?? "";
        IsFramework = BuiltInFactory.IsFramework(assembly);
    }

    /// <summary>The assembly, which the one who asks holds.</summary>
    public Assembly Assembly => _assembly.TryGetTarget(out Assembly? assembly) ? assembly : throw new InvalidOperationException("The assembly has been unloaded.");

    /// <summary>Its simple name.</summary>
    public string Name { get; }

    /// <summary>Whether it is part of .NET.</summary>
    public bool IsFramework { get; }

    public static AssemblyTypes Of(Assembly assembly) => Known.GetValue(assembly, static asked => new AssemblyTypes(asked));

    /// <summary>Finds a type's definition.</summary>
    /// <param name="key">The name, as <see cref="TypeNames.OfDefinition"/> has it without aliases.</param>
    public DefinedType? Find(string key)
    {
        // What is being unloaded has no types any more, and is listed all the same.
        if (!_assembly.TryGetTarget(out Assembly? assembly))
        {
            return null;
        }

        if (assembly.IsDynamic)
        {
            // Its types are made as the program goes on. They are all there, so that nothing is loaded by asking for them.
            return Made(assembly).FirstOrDefault(type => IsNamed(type, key)) is { } made ? new DefinedType(assembly, 0, made) : null;
        }

        return Tokens(assembly).TryGetValue(key, out int token) ? new DefinedType(assembly, token, null) : null;
    }

    /// <summary>The metadata token of the definition of a type with its own name; 0 when there is none.</summary>
    public int TokenOf(string fullName) => _assembly.TryGetTarget(out Assembly? assembly)
        ? Tokens(assembly).GetValueOrDefault(IsFramework ? fullName : $"{fullName}, {Name}")
        : 0;

    private FrozenDictionary<string, int> Tokens(Assembly assembly) =>
        _tokens ??= AssemblyMetadata.Read(assembly, this, static (reader, self) => self.Tokens(reader)) ?? FrozenDictionary<string, int>.Empty;

    private static IEnumerable<Type> Made(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            // Another thread may just be making one, which no payload can have yet.
            return e.Types.OfType<Type>();
        }
    }

    private static bool IsNamed(Type type, string key)
    {
        try
        {
            return TypeNames.OfDefinition(type, TypeAliases.None) == key;
        }
        catch (UnsupportedTypeException)
        {
            // Its [WireName] is none, so that no payload can have it.
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
            if (AssemblyMetadata.WireName(reader, type) is { } given)
            {
                tokens.TryAdd(type.GetGenericParameters().Count is > 0 and var arity ? $"{given}`{arity}" : given, token);
            }
        }

        return tokens.ToFrozenDictionary();
    }
}
