using System.Collections;
using System.Numerics;
using System.Reflection;

namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>A program of one release: its types, its serializer, and the way between plain values and its objects.</summary>
internal sealed class ShopRelease
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly ShopAssembly _types;
    private readonly Dictionary<(string Class, string Name), FieldInfo> _fields = [];
    private readonly Dictionary<Type, string> _ids = [];
    private readonly Dictionary<string, Func<byte[], DeserializerSession?, object?>> _readers = [];
    private readonly Dictionary<Form, Func<string, object?[], object>> _makers = [];

    public ShopRelease(int release, bool dynamicCode)
    {
        Declarations = ContractTable.Parse(release);
        _types = new ShopAssembly(Declarations);
        TypeAliases names = TypeAliases.None;
        foreach (TypeDeclaration type in Declarations.Types.Values)
        {
            _ids[_types[type.Id]] = type.Id;
            if (type.Name != type.Id)
            {
                names = names.Redirect($"Shop.{type.Id}, {_types.Assembly.GetName().Name}", _types[type.Id]);
            }

            foreach (MemberDeclaration member in type.Members)
            {
                _fields[(type.Id, member.Name)] = _types[type.Id].GetField(member.Name, Declared)!;
            }
        }

        Serializer = new Serializer(new SerializerOptions
        {
            DynamicCode = dynamicCode,
            TypeAliases = names,
            TypeFilter = WireTypeFilter.Default.AllowAssembly(_types.Assembly),
        });
    }

    public Declarations Declarations { get; }

    public Serializer Serializer { get; }

    /// <summary>Writes an object of a root type.</summary>
    public byte[] Write(PlainObject value, SerializerSession? session)
    {
        object written = ToObject(value);
        return session is null ? Serializer.Serialize(written) : Serializer.Serialize(written, session);
    }

    /// <summary>Reads a message as a type of this release, as a plain value.</summary>
    public object? Read(string id, byte[] payload, DeserializerSession? session)
    {
        if (!_readers.TryGetValue(id, out Func<byte[], DeserializerSession?, object?>? reader))
        {
            MethodInfo method = GetType().GetMethod(nameof(ReadAs), BindingFlags.Instance | BindingFlags.NonPublic)!;
            reader = method.MakeGenericMethod(_types[id]).CreateDelegate<Func<byte[], DeserializerSession?, object?>>(this);
            _readers.Add(id, reader);
        }

        object read = reader(payload, session)!;
        return FromObject(read);
    }

    private object? ReadAs<T>(byte[] payload, DeserializerSession? session) =>
        session is null ? Serializer.Deserialize<T>(payload) : Serializer.Deserialize<T>(payload, session);

    private object ToObject(PlainObject plain)
    {
        object made = Activator.CreateInstance(_types[plain.Id])!;
        foreach ((TypeDeclaration owner, MemberDeclaration member) in Declarations.AllMembers(plain.Id))
        {
            _fields[(owner.Id, member.Name)].SetValue(made, To(plain.Members[(owner.Id, member.Name)], member.Form));
        }

        return made;
    }

    private object? To(object? value, Form form) => value is null ? null : form.Kind switch
    {
        FormKind.Enum => Enum.ToObject(_types[form], (long)(BigInteger)value),
        FormKind.Maybe => To(value, form.Element!),
        FormKind.Object => ToObject((PlainObject)value),
        FormKind.Sequence or FormKind.Set or FormKind.Map => ToCollection((PlainItems)value, form),
        _ => value,
    };

    private object ToCollection(PlainItems items, Form form)
    {
        if (!_makers.TryGetValue(form, out Func<string, object?[], object>? maker))
        {
            MethodInfo method = form.Kind == FormKind.Map
                ? Method(nameof(CollectionMaker.OfPairs), _types[form.Key!], _types[form.Element!])
                : Method(nameof(CollectionMaker.OfItems), _types[form.Element!]);
            maker = method.CreateDelegate<Func<string, object?[], object>>();
            _makers.Add(form, maker);
        }

        IEnumerable<object?> values = items.Values.Select(
            (value, i) => To(value, form.Kind == FormKind.Map && i % 2 == 0 ? form.Key! : form.Element!));
        return maker(form.Name, [.. values]);
    }

    private static MethodInfo Method(string name, params Type[] arguments) =>
        typeof(CollectionMaker).GetMethod(name)!.MakeGenericMethod(arguments);

    private PlainObject FromObject(object value)
    {
        string id = _ids[value.GetType()];
        return new(id, Declarations.AllMembers(id).ToDictionary(
            each => (each.Class.Id, each.Member.Name),
            each => From(_fields[(each.Class.Id, each.Member.Name)].GetValue(value), each.Member.Form)));
    }

    private object? From(object? value, Form form)
    {
        switch (form.Kind)
        {
            case FormKind.Enum:
                return value is null ? null : Exactness.ToInteger(Convert.ChangeType(value, Declared(form), null));
            case FormKind.Maybe:
                return value is null ? null : From(value, form.Element!);
            case FormKind.Object:
                return value is null ? null : FromObject(value);
            case FormKind.Sequence or FormKind.Set:
                return value is null || CollectionMaker.IsDefault(value) ? null : new PlainItems(
                    form.Kind, [.. ((IEnumerable)value).Cast<object?>().Select(item => From(item, form.Element!))]);
            case FormKind.Map:
                return value is null ? null : new PlainItems(form.Kind, [.. CollectionMaker.Pairs(value).SelectMany(
                    pair => new[] { From(pair.Key, form.Key!), From(pair.Value, form.Element!) })]);
            default:
                return value;
        }

        Type Declared(Form named) => Declarations.Enums[named.Name].Underlying;
    }
}
