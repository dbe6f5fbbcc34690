using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>An assembly with the types of one release, under the names that all releases give them, in a load context of its own.</summary>
internal sealed class ShopAssembly
{
    private const string Name = "Wire.Made.Shop";

    private static readonly Dictionary<string, Type> Collections = new()
    {
        ["List"] = typeof(List<>),
        ["Queue"] = typeof(Queue<>),
        ["IReadOnlyList"] = typeof(IReadOnlyList<>),
        ["ImmutableArray"] = typeof(ImmutableArray<>),
        ["HashSet"] = typeof(HashSet<>),
        ["SortedSet"] = typeof(SortedSet<>),
        ["ImmutableHashSet"] = typeof(ImmutableHashSet<>),
        ["Dictionary"] = typeof(Dictionary<,>),
        ["SortedDictionary"] = typeof(SortedDictionary<,>),
        ["IReadOnlyDictionary"] = typeof(IReadOnlyDictionary<,>),
        ["ImmutableDictionary"] = typeof(ImmutableDictionary<,>),
    };

    private readonly Dictionary<string, Type> _types = [];

    public ShopAssembly(Declarations declarations)
    {
        byte[] file = MadeAssembly.Make(Name, module => Define(module, declarations));
        Assembly = new AssemblyLoadContext($"release {declarations.Release}").Load(file);
        _types.Clear();
        foreach (string name in declarations.Enums.Keys)
        {
            _types[name] = Assembly.GetType($"Shop.{name}", throwOnError: true)!;
        }

        foreach (TypeDeclaration type in declarations.Types.Values)
        {
            _types[type.Id] = Assembly.GetType($"Shop.{type.Name}", throwOnError: true)!;
        }
    }

    public Assembly Assembly { get; }

    /// <summary>The type of a variable.</summary>
    public Type this[Form form] => form.Kind switch
    {
        FormKind.Number => Form.Numbers[form.Name],
        FormKind.Text => typeof(string),
        FormKind.Maybe => typeof(Nullable<>).MakeGenericType(this[form.Element!]),
        FormKind.Map => Collections[form.Name].MakeGenericType(this[form.Key!], this[form.Element!]),
        FormKind.Sequence when form.Name == "[]" => this[form.Element!].MakeArrayType(),
        FormKind.Sequence or FormKind.Set => Collections[form.Name].MakeGenericType(this[form.Element!]),
        _ => _types[form.Name],
    };

    /// <summary>The type of an id.</summary>
    public Type this[string id] => _types[id];

    private void Define(ModuleBuilder module, Declarations declarations)
    {
        foreach (EnumDeclaration declared in declarations.Enums.Values)
        {
            _types[declared.Name] = Define(module, declared);
        }

        Dictionary<string, TypeBuilder> builders = declarations.Types.Values.ToDictionary(
            type => type.Id, type => module.DefineType($"Shop.{type.Name}", Attributes(type.Kind), Parent(type.Kind)));
        foreach ((string id, TypeBuilder builder) in builders)
        {
            _types[id] = builder;
        }

        foreach (TypeDeclaration type in declarations.Types.Values)
        {
            TypeBuilder builder = builders[type.Id];
            if (type.Base is not null)
            {
                builder.SetParent(builders[type.Base]);
            }

            foreach (MemberDeclaration member in type.Members)
            {
                FieldBuilder field = builder.DefineField(
                    member.Name, this[member.Form], member.Name[0] == '_' ? FieldAttributes.Private : FieldAttributes.Public);
                if (member.Name != member.WireName)
                {
                    field.SetCustomAttribute(GivenName(member.WireName));
                }
            }
        }

        foreach (TypeBuilder builder in builders.Values)
        {
            builder.CreateType();
        }
    }

    private static Type Define(ModuleBuilder module, EnumDeclaration declared)
    {
        EnumBuilder made = module.DefineEnum($"Shop.{declared.Name}", TypeAttributes.Public, declared.Underlying);
        if (declared.IsFlags)
        {
            made.SetCustomAttribute(new CustomAttributeBuilder(typeof(FlagsAttribute).GetConstructor([])!, []));
        }

        foreach (EnumMember member in declared.Members)
        {
            FieldBuilder field = made.DefineLiteral(member.Name, Convert.ChangeType(member.Value, declared.Underlying, null));
            if (member.Name != member.WireName)
            {
                field.SetCustomAttribute(GivenName(member.WireName));
            }
        }

        return made.CreateType();
    }

    private static CustomAttributeBuilder GivenName(string name) =>
        new(typeof(WireNameAttribute).GetConstructor([typeof(string)])!, [name]);

    private static Type Parent(TypeKind kind) => kind == TypeKind.Struct ? typeof(ValueType) : typeof(object);

    private static TypeAttributes Attributes(TypeKind kind) => TypeAttributes.Public | kind switch
    {
        TypeKind.Abstract => TypeAttributes.Abstract,
        TypeKind.Sealed => TypeAttributes.Sealed,
        TypeKind.Struct => TypeAttributes.Sealed | TypeAttributes.SequentialLayout,
        _ => TypeAttributes.Class,
    };
}
