using System.Collections.Immutable;
using System.Reflection;
using System.Reflection.Emit;

namespace Wire.Tests.Contracting;

/// <summary>The types of a version, made at run time, and a serializer that knows them by the names that all versions have.</summary>
internal sealed class VersionTypes
{
    private const string RootName = "T.Root", BaseName = "T.Base", ClassName = "T.Class", StructName = "T.Struct", EnumName = "T.Enum";

    private static readonly ConstructorInfo WireName = typeof(WireNameAttribute).GetConstructor([typeof(string)])!;

    private static readonly ConstructorInfo TupleElementNames =
        typeof(System.Runtime.CompilerServices.TupleElementNamesAttribute).GetConstructor([typeof(string[])])!;

    private readonly Type _enum;
    private readonly Type _struct;
    private readonly Type _class;

    public VersionTypes(VersionSpec spec, ModuleBuilder module, string prefix, SerializerOptions options)
    {
        Spec = spec;
        EnumBuilder builder = module.DefineEnum($"{prefix}.Enum", TypeAttributes.Public, spec.Enum.Underlying);
        foreach ((string name, string? given, int value) in spec.Enum.Members)
        {
            Name(builder.DefineLiteral(name, Convert.ChangeType(value, spec.Enum.Underlying, null)), given);
        }

        _enum = builder.CreateType();
        const TypeAttributes Struct = TypeAttributes.Public | TypeAttributes.Sealed | TypeAttributes.SequentialLayout;
        _struct = Make(module.DefineType($"{prefix}.Struct", Struct, typeof(ValueType)), spec.Struct);
        _class = Make(module.DefineType(
            $"{prefix}.Class", TypeAttributes.Public | (spec.IsClassSealed ? TypeAttributes.Sealed : 0), typeof(object)), spec.Class);
        Base = Make(module.DefineType($"{prefix}.Base", TypeAttributes.Public | TypeAttributes.Abstract, typeof(object)),
            spec.Root.Where(field => field.InBase));
        Root = Make(module.DefineType($"{prefix}.Root", TypeAttributes.Public, Base), spec.Root.Where(field => !field.InBase));
        Serializer = new Serializer(options with
        {
            TypeAliases = TypeAliases.None.Alias(Root, RootName).Alias(Base, BaseName).Alias(_class, ClassName)
                .Alias(_struct, StructName).Alias(_enum, EnumName),
        });
    }

    public VersionSpec Spec { get; }

    public Type Root { get; }

    public Type Base { get; }

    public Serializer Serializer { get; }

    /// <summary>The types that a message may have to name.</summary>
    public Type[] Named => [Root, _class, _struct, _enum];

    /// <summary>The runtime type of a variable.</summary>
    public Type Find(VarSpec type) => type.Kind switch
    {
        VarKind.Leaf => type.Leaf!,
        VarKind.Enum => _enum,
        VarKind.Struct => _struct,
        VarKind.Class => _class,
        VarKind.Nullable => typeof(Nullable<>).MakeGenericType(Find(type.Element!)),
        VarKind.Array => Find(type.Element!).MakeArrayType(),
        VarKind.List => typeof(List<>).MakeGenericType(Find(type.Element!)),
        VarKind.Set => typeof(HashSet<>).MakeGenericType(Find(type.Element!)),
        VarKind.Interface => typeof(IReadOnlyList<>).MakeGenericType(Find(type.Element!)),
        VarKind.Immutable => typeof(ImmutableArray<>).MakeGenericType(Find(type.Element!)),
        VarKind.Map => typeof(Dictionary<,>).MakeGenericType(Find(type.Element!), Find(type.Value!)),
        _ => typeof(ValueTuple<,>).MakeGenericType(Find(type.Element!), Find(type.Value!)),
    };

    /// <summary>The fields of a type, by their names in payloads, and the names of the classes that declare them.</summary>
    public List<(string Name, string Plain, string Class, FieldSpec Spec, FieldInfo Field)> Fields(VarKind kind)
    {
        IReadOnlyList<FieldSpec> fields = kind switch
        {
            VarKind.Leaf => Spec.Root,
            VarKind.Class => Spec.Class,
            _ => Spec.Struct,
        };
        string own = kind switch
        {
            VarKind.Leaf => RootName,
            VarKind.Class => ClassName,
            _ => StructName,
        };
        Type type = kind switch
        {
            VarKind.Leaf => Root,
            VarKind.Class => _class,
            _ => _struct,
        };
        return
        [
            .. fields.Select(field =>
            {
                string home = field.InBase ? BaseName : own;
                bool isShared = field.Given is null && fields.Any(other => !ReferenceEquals(other, field) && other.Plain == field.Plain);
                return (
                    isShared ? $"{field.Plain}@{home}" : field.Plain,
                    field.Plain,
                    home,
                    field,
                    (field.InBase ? Base : type).GetField(field.Name, BindingFlags.Instance | BindingFlags.NonPublic)!);
            }),
        ];
    }

    private Type Make(TypeBuilder builder, IEnumerable<FieldSpec> fields)
    {
        foreach (FieldSpec field in fields)
        {
            FieldBuilder made = builder.DefineField(field.Name, Find(field.Type), FieldAttributes.Private);
            Name(made, field.Given);
            if (field.Type.Names.Any(name => name is not null))
            {
                made.SetCustomAttribute(new CustomAttributeBuilder(TupleElementNames, [field.Type.Names.ToArray()]));
            }
        }

        return builder.CreateType();
    }

    private static void Name(FieldBuilder field, string? given)
    {
        if (given is not null)
        {
            field.SetCustomAttribute(new CustomAttributeBuilder(WireName, [given]));
        }
    }
}
