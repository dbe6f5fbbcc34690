using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Format;
using Wire.Manifests;
using Wire.Resolution;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Contracting;

/// <summary>Makes a contract of a program's types, by the value serializers that write them.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal sealed class ContractCollector
{
    // The index of the element of a value tuple that holds the rest of a longer one.
    private const int MaxTuple = 7;

    private readonly TypeRegistry _registry;
    private readonly TypeAliases _aliases;
    private readonly HashSet<Type> _roots;
    private readonly Dictionary<string, Type> _taken = new(StringComparer.Ordinal);
    private readonly Queue<(string Key, Type Type, string?[] Names)> _open = new();
    private readonly NullabilityInfoContext _nullability = new();
    private readonly TypeBounds _bounds;

    private ContractCollector(TypeRegistry registry, IEnumerable<Type> roots)
    {
        _registry = registry;
        _aliases = registry.Options.TypeAliases;
        _roots = [.. roots.Concat(registry.Options.KnownTypes.Values)];
        _bounds = new TypeBounds([.. _roots]);
    }

    /// <summary>Gets the type of each key.</summary>
    public IReadOnlyDictionary<string, Type> Types => _taken;

    /// <summary>Collects the types, and all that their members declare.</summary>
    /// <param name="registry">The registry of the serializer.</param>
    /// <param name="roots">The types of messages.</param>
    /// <param name="types">The type of each key of the contract.</param>
    /// <exception cref="UnsupportedTypeException">One of the types, or a member's, cannot be serialized.</exception>
    public static ContractTypes Collect(TypeRegistry registry, IEnumerable<Type> roots, out IReadOnlyDictionary<string, Type> types)
    {
        var collector = new ContractCollector(registry, roots);
        types = collector.Types;
        return collector.Collect();
    }

    private ContractTypes Collect()
    {
        var contract = new ContractTypes
        {
            IsTolerant = _registry.Options.VersionTolerance,
            HasEnumNames = _registry.Options.EnumsByName,
            Missing = _registry.Options.MissingMembers,
            HasConstructors = _registry.Options.UseConstructors,
            HasReferences = _registry.Options.PreserveObjectReferences,
        };
        foreach (Type root in _roots)
        {
            // Reported here: a part that cannot be written may hold null for ever.
            if (!root.IsInterface && !root.IsAbstract)
            {
                _ = _registry.Entry(root);
            }

            Variable(root);
        }

        while (_open.TryDequeue(out (string Key, Type Type, string?[] Names) next))
        {
            contract.TryAdd(Make(next.Key, next.Type, next.Names));
        }

        var shapes = new ContractShapes(contract);
        foreach (ContractType type in contract.All.ToArray())
        {
            ContractType whole = type.Kind == ContractKind.Collection ? type : type with { Bases = BasesOf(_taken[type.Key], type.Key) };
            if (TupleNames.IsTuple(_taken[type.Key]))
            {
                // The type knows its elements by place: their names are in the schemas of members.
                whole = whole with { Fingerprint = shapes.Fingerprint(whole) };
            }
            else if (type.HasFingerprint)
            {
                Shape schema = _registry.Shape(SerializerOf(_taken[type.Key])!);
                whole = shapes.Build(type).Equals(schema) ? whole : Encoded(whole, schema);
                whole = whole with { Fingerprint = Fingerprint.Compute("", schema.Encode()) };
            }

            contract.Replace(whole);
        }

        foreach (Type root in _roots)
        {
            _registry.Resolver.CheckNames(root);
        }

        return contract;
    }

    private string[] BasesOf(Type type, string key) =>
    [
        .. _taken.Where(other => other.Key != key && !other.Value.IsValueType && other.Value.IsAssignableFrom(type))
            .Select(other => other.Key)
            .Order(StringComparer.Ordinal),
    ];

    // What no words have been found for is kept as the bytes of its schema.
    private static ContractType Encoded(ContractType type, Shape schema) =>
        new(type.Key, type.IsReference ? ContractKind.Custom : ContractKind.Value)
        {
            Name = type.Name,
            Former = type.Former,
            Bases = type.Bases,
            KnownAs = type.KnownAs,
            IsRoot = type.IsRoot,
            IsClosed = type.IsClosed,
            IsReplaced = type.IsReplaced,
            IsReference = type.IsReference,
            Layout = schema,
        };

    // The variable of a type: what it is made of is described too.
    private ContractVariable Variable(Type type, bool mayBeNull = false, IEnumerable<string?>? names = null)
    {
        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Variable(value, names: names) with { MayBeNull = true };
        }

        if (type.IsSZArray && _aliases.Find(type) is null)
        {
            return new ContractVariable($"{Variable(type.GetElementType()!, names: names)}[]", mayBeNull);
        }

        string?[] own = HasNames(type) ? [.. names ?? []] : [];
        return new ContractVariable(TagTypes.Contains(type) ? ContractWords.Describe(type, _aliases) : KeyOf(type, own), mayBeNull);
    }

    // The layouts of tuples and of collections have the names that a member gives to elements. A member of an interface of collections
    // reads them in layouts that lie in place.
    private bool HasNames(Type type) => TupleNames.IsTuple(type)
        || (type.IsConstructedGenericType && (FormOf(type) != ShapeCode.None || SerializerOf(type) is not (null or IOwnSchema)));

    private string KeyOf(Type type, string?[] names)
    {
        // Two assemblies may have types of one name.
        string key = ContractWords.Describe(type, _aliases, new Queue<string?>(names));
        string first = key, home = type.Assembly.GetName().Name ?? "";
        for (; _taken.TryGetValue(key, out Type? other) ? other != type : ContractWords.TagOf(key) is not null; home += "'")
        {
            key = $"{first}@{ContractWords.Escape(home)}";
        }

        if (_taken.TryAdd(key, type))
        {
            _open.Enqueue((key, type, names));
        }

        return key;
    }

    private ContractType Make(string key, Type type, string?[] names)
    {
        ValueSerializer? serializer = SerializerOf(type);
        ContractType made = serializer is null ? Abstract(key, type, names)
            : type.IsEnum && serializer is not IOwnSchema ? Enum(key, type, _registry.Shape(serializer))
            : Described(key, type, serializer, names);
        return made with
        {
            Name = NameOf(type, key),
            Former = _aliases.NamesOf(type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type),
            KnownAs = _registry.Options.KnownTypes.Find(type),
            IsRoot = _roots.Contains(type),
            IsReference = !type.IsValueType,
            IsClosed = made.Kind is not (ContractKind.Class or ContractKind.Custom) || type.IsSealed || serializer is IUnionSerializer,
        };
    }

    // Types of .NET go by their words.
    private string NameOf(Type type, string key)
    {
        Type definition = type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;
        return FrameworkAssemblies.Contains(definition.Assembly) && _aliases.Find(definition) is null && _aliases.Find(type) is null
            ? key
            : TypeNames.GetName(type, _aliases);
    }

    private ValueSerializer? SerializerOf(Type type)
    {
        // Where types become ever larger, the contract ends with a variable of which it says no more.
        if (type == typeof(object) || type.ContainsGenericParameters || type.IsPointer || type.IsByRef || !_bounds.Admit(type))
        {
            return null;
        }

        try
        {
            return _registry.TryExact(type) ?? (_registry.Entry(type) is { IsStandIn: false } entry && entry.Type == type
                ? entry.Serializer
                : null);
        }
        catch (UnsupportedTypeException)
        {
            // A variable of it may hold objects of other types, or null.
            return null;
        }
    }

    private static byte FormOf(Type type)
    {
        Type? definition = type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : null;
        return definition == typeof(IEnumerable<>) || definition == typeof(IReadOnlyCollection<>) || definition == typeof(ICollection<>)
                || definition == typeof(IReadOnlyList<>) || definition == typeof(IList<>) || definition == typeof(IImmutableList<>)
                || definition == typeof(IImmutableQueue<>) || definition == typeof(IImmutableStack<>) ? ShapeCode.Sequence
            : definition == typeof(ISet<>) || definition == typeof(IReadOnlySet<>) || definition == typeof(IImmutableSet<>) ? ShapeCode.Set
            : definition == typeof(IDictionary<,>) || definition == typeof(IReadOnlyDictionary<,>)
                || definition == typeof(IImmutableDictionary<,>) ? ShapeCode.Map
            : ShapeCode.None;
    }

    // Objects in a variable of an interface of collections are collections.
    private ContractType Abstract(string key, Type type, string?[] names)
    {
        byte form = FormOf(type);
        ContractVariable[] parts = form == ShapeCode.None
            ? []
            : [.. type.GetGenericArguments().Select((part, i) => Variable(part, names: NamesOf(type, i, part, names)))];
        Shape first = Shape.Recursion(0);
        return new ContractType(key, ContractKind.Abstract)
        {
            Parts = parts,
            Layout = form switch
            {
                ShapeCode.Sequence => Shape.Sequence(first),
                ShapeCode.Set => Shape.Set(first),
                ShapeCode.Map => Shape.Map(first, Shape.Recursion(1)),
                _ => null,
            },
        };
    }

    private ContractType Enum(string key, Type type, Shape shape)
    {
        Type underlying = type.GetEnumUnderlyingType();
        return new ContractType(key, ContractKind.Enum)
        {
            Underlying = ContractWords.Describe(underlying, _aliases),
            IsFlags = type.IsDefined(typeof(FlagsAttribute), inherit: false),
            Constants = [.. shape.Names.Select(name => new ContractConstant(name.Name, name.ValueOf(shape.Element!.Code)))],
        };
    }

    private ContractType Described(string key, Type type, ValueSerializer serializer, string?[] names)
    {
        if (serializer is IMemberwise { Plan: var plan })
        {
            return new ContractType(key, type.IsValueType ? ContractKind.Struct : ContractKind.Class)
            {
                Members = TupleNames.IsTuple(type) ? Elements(type, names) : [.. plan.Members.Select(member => Member(type, member))],
            };
        }

        var parts = new List<ContractVariable>();
        Shape layout = serializer.Describe(new ShapeBuilder(_registry, replace: Part));
        if (layout.Code == ShapeCode.Union)
        {
            int next = 0;
            return new ContractType(key, ContractKind.Union)
            {
                Cases =
                [
                    .. layout.Members.Select(one => new ContractCase(
                        one.Name, [.. one.Shape.Members.Select(field => new ContractMember(field.Name, parts[next++]))])),
                ],
            };
        }

        return new ContractType(
            key, type.IsValueType ? ContractKind.Value : serializer is IOwnSchema ? ContractKind.Custom : ContractKind.Collection)
        {
            Layout = layout,
            Parts = parts,
            IsReplaced = serializer is ISurrogateSerializer,
        };

        // What is no variable lies in place, as the array inside of a wrapper does.
        Shape? Part(ValueSerializer part)
        {
            if (part is INamedValue || (!part.Type.IsValueType && part.Type != typeof(string) && part is not IObjectSlot))
            {
                return part.Describe(new ShapeBuilder(_registry, replace: Part));
            }

            parts.Add(Variable(part.Type, names: NamesOf(type, parts.Count, part.Type, names)));
            return Shape.Recursion(parts.Count - 1);
        }
    }

    // A tuple has the names of its own elements in front of those inside them.
    private ContractMember[] Elements(Type type, string?[] names)
    {
        Type[] arguments = type.GetGenericArguments();
        bool areNamed = names.Length > 0;
        var inside = new Queue<string?>(names.Skip(arguments.Length));
        return
        [
            .. arguments.Select((argument, i) => new ContractMember(
                (areNamed ? names[i] : null) ?? (i == MaxTuple ? "Rest" : $"Item{i + 1}"),
                Variable(argument, names: areNamed ? [.. NextNames(inside, argument)] : []))),
        ];
    }

    private static IEnumerable<string?> NextNames(Queue<string?> names, Type type)
    {
        for (int count = TupleNames.CountIn(type) ?? 0; count > 0; count--)
        {
            yield return names.Dequeue();
        }
    }

    // A collection has the names of its element, or of its keys and then its values; a converted type has those of the
    // type that it is written as.
    private static string?[] NamesOf(Type type, int part, Type partType, string?[] names)
    {
        Type[] arguments = type.IsGenericType ? type.GetGenericArguments() : type.HasElementType ? [type.GetElementType()!] : [];
        int before = arguments.Length == 2 && part == 1 ? TupleNames.CountIn(arguments[0]) ?? 0 : 0;
        int count = TupleNames.CountIn(partType) ?? 0;
        return before + count <= names.Length ? names[before..(before + count)] : [];
    }

    private ContractMember Member(Type type, WireMember member)
    {
        if (member.Field is not { } field)
        {
            // The state of a .NET base class.
            return new ContractMember(member.Name, Variable(member.Slot.Type)) { IsBase = true };
        }

        MemberInfo face = MemberFinder.FaceOf(field);
        Type declaring = field.DeclaringType!;
        return new ContractMember(member.Name, Variable(field.FieldType, MayBeNull(face), member.TupleNames?.Names))
        {
            IsRequired = face.IsDefined(typeof(RequiredMemberAttribute), inherit: false),
            DeclaredIn = declaring == type ? [] : NamesOf(declaring.IsGenericType ? declaring.GetGenericTypeDefinition() : declaring),
        };
    }

    private bool MayBeNull(MemberInfo face) => face switch
    {
        PropertyInfo property => !property.PropertyType.IsValueType && IsNullable(_nullability.Create(property)),
        FieldInfo field => !field.FieldType.IsValueType && IsNullable(_nullability.Create(field)),
        _ => false,
    };

    private static bool IsNullable(NullabilityInfo info) => info.ReadState != NullabilityState.NotNull;

    // Without assemblies, as they stand beside the names of members.
    private string[] NamesOf(Type definition) =>
    [
        .. _aliases.NamesOf(definition)
            .Select(name => name.IndexOf(", ", StringComparison.Ordinal) is > 0 and var at ? name[..at] : name)
            .Append(definition.FullName!)
            .Prepend(TypeNames.NameOfClass(definition, _aliases))
            .Distinct(),
    ];
}
