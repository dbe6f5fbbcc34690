namespace Wire.Tests.Contracting;

/// <summary>Chooses a version of types at random, and the next one by a few changes.</summary>
internal sealed class VersionChoices(Random random)
{
    private static readonly Type[] Numbers =
    [
        typeof(int), typeof(long), typeof(short), typeof(byte), typeof(uint), typeof(ulong), typeof(sbyte), typeof(ushort), typeof(Int128),
        typeof(UInt128), typeof(float), typeof(double), typeof(Half), typeof(decimal), typeof(nint), typeof(nuint),
    ];

    private static readonly Type[] Others =
    [
        typeof(string), typeof(bool), typeof(char), typeof(Guid), typeof(DateTime), typeof(TimeSpan), typeof(DateOnly), typeof(Uri),
        typeof(object),
    ];

    private static readonly Type[] Underlying = [typeof(int), typeof(byte), typeof(long), typeof(short), typeof(uint)];

    private int _names;

    public VersionSpec Version() => new(
        Fields(1 + random.Next(5), level: 0), Fields(1 + random.Next(3), level: 1), Fields(1 + random.Next(2), level: 2), NewEnum(),
        random.Next(2) == 0);

    public VersionSpec Next(VersionSpec version)
    {
        for (int changes = random.Next(1, 5); changes > 0; changes--)
        {
            version = random.Next(8) switch
            {
                < 4 => version with { Root = Changed(version.Root, 0) },
                4 => version with { Class = Changed(version.Class, 1) },
                5 => version with { Struct = Changed(version.Struct, 2) },
                6 => version with { Enum = Changed(version.Enum) },
                _ => version with { IsClassSealed = random.Next(2) == 0 },
            };
        }

        return version;
    }

    private List<FieldSpec> Fields(int count, int level)
    {
        var fields = new List<FieldSpec>();
        for (int i = 0; i < count; i++)
        {
            AddField(fields, level);
        }

        return fields;
    }

    private void AddField(List<FieldSpec> fields, int level)
    {
        bool inBase = level == 0 && random.Next(3) == 0;
        string name = $"F{_names++}";

        // A private field of the same name in the other class, as two fields that back properties often have.
        if (level == 0 && random.Next(8) == 0
            && fields.Find(f => f.Given is null && !fields.Exists(other => other != f && other.Name == f.Name)) is { } twin)
        {
            (name, inBase) = (twin.Name, !twin.InBase);
        }

        fields.Add(new FieldSpec(name, null, NewVariable(level, 0), inBase));
    }

    private List<FieldSpec> Changed(IReadOnlyList<FieldSpec> before, int level)
    {
        List<FieldSpec> fields = [.. before];
        int at = random.Next(fields.Count);
        FieldSpec field = fields[at];
        switch (random.Next(9))
        {
            case 0:
                AddField(fields, level);
                break;
            case 1 when fields.Count > 1:
                fields.RemoveAt(at);
                break;
            case 2:
                fields[at] = field with { Name = $"F{_names++}" };
                break;
            case 3 when fields.Count(other => other.Name == field.Name) == 1:
                fields[at] = field with { Name = $"F{_names++}", Given = field.Plain };
                break;
            case 4:
                fields.RemoveAt(at);
                fields.Insert(random.Next(fields.Count + 1), field);
                break;
            case 5 when level == 0 && fields.Count(other => other.Name == field.Name) == 1:
                fields[at] = field with { InBase = !field.InBase };
                break;
            case 6:
                fields[at] = field with { Type = NewVariable(level, 0) };
                break;
            default:
                fields[at] = field with { Type = Near(field.Type, level) };
                break;
        }

        return fields;
    }

    private EnumSpec NewEnum() => new(
        random.Next(2) == 0 ? typeof(int) : Underlying[random.Next(Underlying.Length)],
        [.. Enumerable.Range(0, 1 + random.Next(4)).Select(i => ($"M{_names++}", (string?)null, i))]);

    private EnumSpec Changed(EnumSpec spec)
    {
        var members = spec.Members.ToList();
        int at = random.Next(members.Count);
        switch (random.Next(6))
        {
            case 0:
                members.Add(($"M{_names++}", null, members.Max(m => m.Value) + 1));
                break;
            case 1 when members.Count > 1:
                members.RemoveAt(at);
                break;
            case 2:
                members[at] = members[at] with { Name = $"M{_names++}" };
                break;
            case 3:
                members[at] = ($"M{_names++}", members[at].Given ?? members[at].Name, members[at].Value);
                break;
            case 4:
                members[at] = members[at] with { Value = random.Next(6) };
                break;
            default:
                return spec with { Underlying = Underlying[random.Next(Underlying.Length)] };
        }

        return spec with { Members = members };
    }

    // A type that is often read as the one before.
    private VarSpec Near(VarSpec type, int level)
    {
        switch (type.Kind)
        {
            case VarKind.Leaf when Array.IndexOf(Numbers, type.Leaf) >= 0:
                return random.Next(4) switch
                {
                    0 => new VarSpec(VarKind.Nullable, Element: type),
                    1 when level < 2 => new VarSpec(VarKind.Enum),
                    _ => Leaf(Numbers),
                };
            case VarKind.Enum:
                return random.Next(2) == 0 ? Leaf(Numbers) : new VarSpec(VarKind.Nullable, Element: type);
            case VarKind.Nullable:
                return random.Next(2) == 0 ? type.Element! : type with { Element = NearValue(type.Element!, level) };
            case VarKind.Array or VarKind.List or VarKind.Set or VarKind.Interface or VarKind.Immutable when random.Next(2) == 0:
                return new VarSpec(NewSequence(type.Element!), Element: type.Element);
            case VarKind.Array or VarKind.List or VarKind.Set or VarKind.Interface or VarKind.Immutable:
                return Sequence(type.Kind, Near(type.Element!, level));
            case VarKind.Map:
                return type with { Value = Near(type.Value!, level) };
            case VarKind.Tuple when random.Next(3) == 0:
                return random.Next(2) == 0
                    ? Named(type)
                    : type with { Element = type.Value, Value = type.Element, First = type.Second, Second = type.First };
            case VarKind.Tuple:
                return random.Next(2) == 0
                    ? type with { Element = Near(type.Element!, level) }
                    : type with { Value = Near(type.Value!, level) };
            case VarKind.Class or VarKind.Struct when random.Next(3) == 0:
                return type.Kind == VarKind.Class && level == 0 && random.Next(2) == 0
                    ? new VarSpec(VarKind.Leaf, typeof(object))
                    : new VarSpec(level < 2 ? VarKind.Struct : VarKind.Enum);
            default:
                return NewVariable(level, 0);
        }
    }

    private VarSpec NearValue(VarSpec type, int level) => Near(type, level) is { IsValue: true, Kind: not VarKind.Nullable } near
        ? near
        : type;

    private VarSpec Leaf(Type[] types) => new(VarKind.Leaf, types[random.Next(types.Length)]);

    // Inner types hold only those further in, so that none contains itself.
    private VarSpec NewVariable(int level, int depth)
    {
        switch (random.Next(depth >= 2 ? 7 : 14))
        {
            case 0 or 1 or 2:
                return Leaf(Numbers);
            case 3:
                return Leaf(Others);
            case 4 when level < 2:
                return new VarSpec(VarKind.Struct);
            case 5 when level < 1:
                return new VarSpec(VarKind.Class);
            case 6:
                return new VarSpec(VarKind.Enum);
            case 7 or 8:
                VarSpec value = NewVariable(level, 2);
                return value.IsValue ? new VarSpec(VarKind.Nullable, Element: value) : value;
            case 9 or 10 or 11:
                VarSpec element = NewVariable(level, depth + 1);
                return Sequence(NewSequence(element), element);
            case 12:
                return new VarSpec(
                    VarKind.Map, Element: random.Next(2) == 0 ? Leaf([typeof(string)]) : Leaf([typeof(int), typeof(long)]),
                    Value: NewVariable(level, depth + 1));
            case 13:
                return Named(new VarSpec(VarKind.Tuple, Element: NewVariable(level, 2), Value: NewVariable(level, 2)));
            default:
                return Leaf([typeof(int), typeof(string), typeof(long)]);
        }
    }

    // Few names, so that they meet.
    private VarSpec Named(VarSpec tuple)
    {
        string[] names = ["X", "Y", "Z"];
        int first = random.Next(6);
        return tuple with
        {
            First = first < 3 ? names[first] : null,
            Second = random.Next(2) == 0 ? names[(first + 1) % 3] : null,
        };
    }

    private VarKind NewSequence(VarSpec element) => random.Next(6) switch
    {
        0 or 1 => VarKind.Array,
        2 => VarKind.List,
        3 => VarKind.Interface,
        4 => VarKind.Immutable,
        _ => CanBeKey(element) ? VarKind.Set : VarKind.List,
    };

    private static VarSpec Sequence(VarKind kind, VarSpec element) =>
        new(kind == VarKind.Set && !CanBeKey(element) ? VarKind.List : kind, Element: element);

    private static bool CanBeKey(VarSpec type) => type.Kind == VarKind.Enum
        || (type.Kind == VarKind.Leaf && (type.Leaf!.IsPrimitive || type.Leaf == typeof(string)) && type.Leaf != typeof(double)
            && type.Leaf != typeof(float));
}
