using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// The types that an assembly of the program defines, by their names in payloads. The names come from metadata, so a search loads neither
/// types nor their base types, nor an assembly that is not loaded yet. Thread-safe.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal sealed class AssemblyTypes
{
    private static readonly ConditionalWeakTable<Assembly, AssemblyTypes> Known = [];

    private readonly PEReader? _file;
    private readonly bool _isListed;
    private List<string>? _references;
    private Names? _names;
    private ILookup<string, Type>? _listed;

    private AssemblyTypes(Assembly assembly)
    {
        Assembly = assembly;
        Name = AssemblyIdentity.NameOf(assembly) ?? "";
        IsFramework = FrameworkAssemblies.Contains(assembly);
        _isListed = !AssemblyMetadata.Has(assembly);
    }

    /// <param name="name">The simple name of an assembly of the program that is not loaded yet.</param>
    /// <param name="file">Its file.</param>
    public AssemblyTypes(string name, PEReader file)
    {
        Name = name;
        _file = file;
    }

    /// <summary>The assembly; null when it is not loaded yet. The table above releases both together, so that neither keeps the other
    /// alive.</summary>
    public Assembly? Assembly { get; }

    /// <summary>Its simple name.</summary>
    public string Name { get; }

    /// <summary>Gets whether it is part of .NET.</summary>
    public bool IsFramework { get; }

    /// <summary>Gets whether its types are created while the program runs.</summary>
    public bool IsDynamic => Assembly is { IsDynamic: true };

    /// <summary>Gets the names that the program gives to types here, each as often as it is given.</summary>
    public IEnumerable<string> GivenNames => _isListed
        ? AssemblyMetadata.Listed(Assembly!).Where(type => type.IsDefined(typeof(WireNameAttribute), inherit: false))
            .Select(NameOf).OfType<string>()
        : Table().Given.SelectMany(pair => pair.Value.Select(_ => pair.Key));

    /// <summary>Gets the simple names of the assemblies other than .NET's own that it refers to.</summary>
    public List<string> References => _references ??= Read("", static (reader, _) => ReferencesOf(reader)) ?? [];

    public static AssemblyTypes ForAssembly(Assembly assembly) => Known.GetValue(assembly, static asked => new AssemblyTypes(asked));

    /// <inheritdoc cref="AssemblyMetadata.Read"/>
    public TResult? Read<TState, TResult>(TState state, Func<MetadataReader, TState, TResult?> read) => _file is not null
        ? read(_file.GetMetadataReader(), state)
        : AssemblyMetadata.Read(Assembly!, state, read);

    /// <summary>Finds the definitions of the types that have a name: more than one only where the program gives it to several.</summary>
    /// <param name="key">The name, as <see cref="TypeNames.GetDefinitionName"/> has it without aliases.</param>
    /// <param name="types">Those that are looked at first.</param>
    public DefinedType[] Find(string key, WireTypes types)
    {
        if (_isListed)
        {
            // To ask for one takes less than to list all, which only a name that the program gives needs.
            if (!IsDynamic && OwnType(key, types) is { } own)
            {
                return [new DefinedType(this, 0, own)];
            }

            // They are in memory, so enumerating them loads nothing. There may be more of a dynamic assembly later.
            IEnumerable<Type> found = IsDynamic
                ? AssemblyMetadata.Listed(Assembly!).Where(type => IsNamed(type, key))
                : (_listed ??= AssemblyMetadata.Listed(Assembly!).ToLookup(type => NameOf(type) ?? ""))[key];
            return [.. found.Select(type => new DefinedType(this, 0, type))];
        }

        return Table() is var names && names.Own.TryGetValue(key, out int token) ? [new DefinedType(this, token, null)]
            : names.Given.GetValueOrDefault(key) is { } tokens ? [.. tokens.Select(given => new DefinedType(this, given, null))]
            : [];
    }

    /// <summary>The metadata token of the definition of a type with its own name; 0 when there is none.</summary>
    public int TokenOf(string fullName) => Table().Own.GetValueOrDefault(IsFramework ? fullName : $"{fullName}, {Name}");

    /// <summary>Finds the name that a <see cref="WireNameAttribute"/> gives the type with its own name; null when there is none.</summary>
    public string? GivenNameOf(string fullName) => IsFramework ? null
        : _isListed ? AttributeOf<WireNameAttribute>(fullName)?.Name
        : Described(fullName, GivenName);

    /// <summary>
    /// Returns whether a type of it has a <see cref="TypeForwardedFromAttribute"/> with the name of an assembly that used to have it.
    /// </summary>
    /// <param name="fullName">The type's own name.</param>
    /// <param name="former">The simple name of the other assembly.</param>
    public bool HasFrom(string fullName, string former) => !IsFramework
        && (_isListed
            ? AttributeOf<TypeForwardedFromAttribute>(fullName)?.AssemblyFullName
            : Described(fullName, static (reader, type) => AssemblyMetadata.TextOf(reader, type, typeof(TypeForwardedFromAttribute))))
            is { } from
        && AssemblyNameInfo.TryParse(from, out AssemblyNameInfo? name)
        && name.Name == former;

    private Type? OwnType(string key, WireTypes types)
    {
        string suffix = IsFramework ? "" : $", {Name}";
        if (!key.EndsWith(suffix, StringComparison.Ordinal))
        {
            return null;
        }

        string fullName = key[..^suffix.Length];
        Type? type = types.Find(fullName) is { } known && known.Home() == Assembly ? known : Assembly!.GetType(fullName);
        return type is not null && NameOf(type) == key ? type : null;
    }

    private string? Described(string fullName, Func<MetadataReader, TypeDefinition, string?> describe)
    {
        int token = TokenOf(fullName);
        return token == 0 ? null : Read((token, describe), static (reader, asked) =>
            asked.describe(reader, reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(asked.token))));
    }

    private Names Table() =>
        _names ??= Read(this, static (reader, self) => self.Table(reader)) ?? new([], []);

    private T? AttributeOf<T>(string fullName)
        where T : Attribute => IsDynamic ? null : Assembly!.GetType(fullName)?.GetCustomAttribute<T>(inherit: false);

    // A payload asks for names that nothing has, so a name is only made where it may be the one.
    private static bool IsNamed(Type type, string key) =>
        (key.StartsWith(type.FullName ?? "", StringComparison.Ordinal) || type.IsDefined(typeof(WireNameAttribute), inherit: false))
        && NameOf(type) == key;

    private static string? NameOf(Type type)
    {
        try
        {
            return TypeNames.GetDefinitionName(type, TypeAliases.None);
        }
        catch (UnsupportedTypeException)
        {
            // Its [WireName] is invalid, so no payload can contain it.
            return null;
        }
    }

    private Names Table(MetadataReader reader)
    {
        var own = new Dictionary<string, int>();
        var given = new Dictionary<string, int[]>();
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            int token = MetadataTokens.GetToken(handle);
            own.TryAdd(AssemblyMetadata.FullName(reader, type) + (IsFramework ? "" : $", {Name}"), token);
            if (GivenName(reader, type) is { } name)
            {
                given[name] = [.. given.GetValueOrDefault(name, []), token];
            }
        }

        return new(own, given);
    }

    // No query: over the structs of metadata, each step of it would have to be compiled for the first message.
    private static List<string> ReferencesOf(MetadataReader reader)
    {
        var names = new List<string>();
        foreach (AssemblyReferenceHandle handle in reader.AssemblyReferences)
        {
            AssemblyReference reference = reader.GetAssemblyReference(handle);
            if (!FrameworkAssemblies.HasKey(reader.GetBlobBytes(reference.PublicKeyOrToken)))
            {
                names.Add(reader.GetString(reference.Name));
            }
        }

        return names;
    }

    private static string? GivenName(MetadataReader reader, TypeDefinition type) =>
        AssemblyMetadata.TextOf(reader, type, typeof(WireNameAttribute)) is not { } given ? null
        : type.GetGenericParameters().Count is > 0 and var arity ? $"{given}`{arity}"
        : given;

    // The metadata tokens of the types by their own names, and by those that the program gives, which several may have.
    private sealed record Names(Dictionary<string, int> Own, Dictionary<string, int[]> Given);
}
