using System.Collections;
using System.Globalization;
using System.Numerics;

namespace Wire.Tests.Contracting;

/// <summary>
/// What a value of one version has to be when another version reads it, by the rules of docs/versioning.md and nothing of the library: a
/// text that shows every bit of it, or null where the value must be refused.
/// </summary>
internal sealed class VersionOracle(VersionTypes writer, VersionTypes reader)
{
    private static readonly VarSpec Root = new(VarKind.Leaf, typeof(void));

    /// <summary>Shows a value of the reader's root.</summary>
    public string ShowRoot(object value) => ShowFields(reader, VarKind.Leaf, value);

    /// <summary>Shows what has to come of a value of the writer's root; null where it must be refused.</summary>
    public string? ExpectRoot(object value) => Members(VarKind.Leaf, value);

    private string? Expect(VarSpec from, object? value, VarSpec to)
    {
        if (from.Kind == VarKind.Nullable)
        {
            return value is null ? (to.Kind == VarKind.Nullable ? "null" : null) : Expect(from.Element!, value, to);
        }

        if (to.Kind == VarKind.Nullable)
        {
            return Expect(from, value, to.Element!);
        }

        if (value is null)
        {
            return to.Kind == VarKind.Immutable ? "default" : to.IsValue ? null : "null";
        }

        if (IsSequence(from) && IsSequence(to))
        {
            from = from.Kind == VarKind.Interface ? Unnamed(from) : from;
            return Sequence(from, (IEnumerable)value, to);
        }

        switch (from.Kind, to.Kind)
        {
            case (VarKind.Leaf, VarKind.Leaf) when from.Leaf == to.Leaf:
                return ShowLeaf(value);
            case (VarKind.Leaf, VarKind.Leaf) when to.Leaf == typeof(object) && from.Leaf == typeof(Uri):
                return ShowLeaf(value);
            case (VarKind.Array or VarKind.List or VarKind.Set or VarKind.Interface or VarKind.Map, VarKind.Leaf)
                when to.Leaf == typeof(object):
                return Expect(from, value, Unnamed(from));
            case (VarKind.Leaf, VarKind.Leaf):
                return Number(value, to.Leaf!);
            case (VarKind.Enum, VarKind.Leaf):
                return Number(value, to.Leaf!);
            case (VarKind.Leaf, VarKind.Enum):
                return value is float or double or Half or decimal ? null
                    : Number(value, reader.Spec.Enum.Underlying) is null ? null : ShowInteger(Integer(value)!.Value);
            case (VarKind.Enum, VarKind.Enum):
                return Enum(Integer(value)!.Value);
            case (VarKind.Class, VarKind.Class) or (VarKind.Struct, VarKind.Struct):
                return Members(from.Kind, value);
            case (VarKind.Class, VarKind.Leaf) when to.Leaf == typeof(object):
                return Members(VarKind.Class, value);
            case (VarKind.Map, VarKind.Map):
                return Map(from, (IDictionary)value, to);
            case (VarKind.Tuple, VarKind.Tuple):
                return Tuple(from, (System.Runtime.CompilerServices.ITuple)value, to);
            default:
                return null;
        }
    }

    // An element is found by its name, and by its place where the writer has no name for that.
    private string? Tuple(VarSpec from, System.Runtime.CompilerServices.ITuple value, VarSpec to)
    {
        string[] names = [from.First ?? "Item1", from.Second ?? "Item2"];
        VarSpec[] own = [to.Element!, to.Value!];
        int[] found = [Find(to.First, "Item1"), Find(to.Second, "Item2")];
        if (found is [< 0, < 0])
        {
            return null;
        }

        string?[] shown =
        [
            .. found.Select((at, i) => at >= 0
                ? Expect(at == 0 ? from.Element! : from.Value!, value[at], own[i])
                : Show(reader, own[i], own[i].IsValue ? Activator.CreateInstance(reader.Find(own[i])) : null)),
        ];
        return shown.Contains(null) ? null : $"({shown[0]}, {shown[1]})";

        int Find(string? name, string place) =>
            name is not null && Array.IndexOf(names, name) is >= 0 and var at ? at : Array.IndexOf(names, place);
    }

    // Objects in a variable of an interface have no names of elements.
    private static VarSpec Unnamed(VarSpec type) => type with
    {
        First = null,
        Second = null,
        Element = type.Element is { } element ? Unnamed(element) : null,
        Value = type.Value is { } value ? Unnamed(value) : null,
    };

    private static bool IsSequence(VarSpec type) =>
        type.Kind is VarKind.Array or VarKind.List or VarKind.Set or VarKind.Interface or VarKind.Immutable;

    private string? Sequence(VarSpec from, IEnumerable value, VarSpec to)
    {
        var shown = new List<string>();
        foreach (object? element in value)
        {
            if (Expect(from.Element!, element, to.Element!) is not { } text)
            {
                return null;
            }

            shown.Add(text);
        }

        return to.Kind != VarKind.Set ? $"[{string.Join(", ", shown)}]"
            : shown.Distinct().Count() < shown.Count ? null
            : ShowSet(shown);
    }

    private string? Map(VarSpec from, IDictionary value, VarSpec to)
    {
        var shown = new List<string>();
        foreach (DictionaryEntry pair in value)
        {
            if (Expect(from.Element!, pair.Key, to.Element!) is not { } key || Expect(from.Value!, pair.Value, to.Value!) is not { } text)
            {
                return null;
            }

            shown.Add($"{key}: {text}");
        }

        return ShowSet(shown);
    }

    private string? Members(VarKind kind, object value)
    {
        var written = writer.Fields(kind);
        var own = reader.Fields(kind);
        var pairs = new Dictionary<string, (VarSpec Type, object? Value)>();
        foreach (var field in written.Where(field => own.Exists(other => other.Name == field.Name)))
        {
            pairs.Add(field.Name, (field.Spec.Type, field.Field.GetValue(value)));
        }

        // The class says which is which where a name does not.
        var left = written.Where(field => !pairs.ContainsKey(field.Name)).ToList();
        var free = own.Where(field => !pairs.ContainsKey(field.Name)).ToList();
        foreach (var field in left.Where(field => field.Name != field.Plain).ToArray())
        {
            int at = free.FindIndex(other => other.Plain == field.Plain && other.Class == field.Class);
            if (at >= 0)
            {
                pairs.Add(free[at].Name, (field.Spec.Type, field.Field.GetValue(value)));
                free.RemoveAt(at);
                left.Remove(field);
            }
        }

        if (left.Exists(field => free.Exists(other => other.Plain == field.Plain))
            || (written.Count > 0 && own.Count > 0 && pairs.Count == 0))
        {
            return null;
        }

        var shown = new List<string>();
        foreach (var field in own)
        {
            string? text = pairs.TryGetValue(field.Name, out var pair)
                ? Expect(pair.Type, pair.Value, field.Spec.Type)
                : Show(reader, field.Spec.Type, field.Spec.Type.IsValue ? Activator.CreateInstance(reader.Find(field.Spec.Type)) : null);
            if (text is null)
            {
                return null;
            }

            shown.Add($"{field.Name}: {text}");
        }

        return ShowSet(shown);
    }

    private string? Enum(BigInteger number)
    {
        string[] names = [.. writer.Spec.Enum.Members.Where(m => m.Value == number).Select(m => m.Given ?? m.Name)];
        int[] found = [.. reader.Spec.Enum.Members.Where(m => names.Contains(m.Given ?? m.Name)).Select(m => m.Value).Distinct()];
        if (names.Length > 0 && found.Length != 1 && (found.Length > 1 || reader.Spec.Enum.Members.Any(m => m.Value == number)))
        {
            return null;
        }

        // A number that the writer has no name for is none that it has a name for elsewhere.
        bool isOther = names.Length == 0 && reader.Spec.Enum.Members.Any(
            m => m.Value == number && writer.Spec.Enum.Members.Any(other => (other.Given ?? other.Name) == (m.Given ?? m.Name)));
        if (isOther)
        {
            return null;
        }

        BigInteger value = found.Length == 1 ? found[0] : number;
        return Fits(value, reader.Spec.Enum.Underlying) ? ShowInteger(value) : null;
    }

    // A number of another type, if it holds that number.
    private static string? Number(object value, Type to)
    {
        bool isFloat = to == typeof(float) || to == typeof(double) || to == typeof(Half);
        if (Integer(value) is { } integer)
        {
            return Fits(integer, to) ? ShowInteger(integer)
                : to == typeof(decimal) && BigInteger.Abs(integer) <= new BigInteger(decimal.MaxValue) ? ShowLeaf((decimal)integer)
                : !isFloat ? null
                : Float((double)integer, to) is { } near && !double.IsInfinity(Value(near)) && new BigInteger(Value(near)) == integer
                    ? ShowLeaf(near)
                : null;
        }

        if (value is decimal exact)
        {
            return decimal.Truncate(exact) == exact && Fits(new BigInteger(exact), to) ? ShowInteger(new BigInteger(exact)) : null;
        }

        if (value is not (float or double or Half))
        {
            return null;
        }

        double source = Value(value);
        if (isFloat)
        {
            object converted = Float(source, to);
            return double.IsNaN(source) || Value(converted).Equals(source) ? ShowLeaf(converted) : null;
        }

        return double.IsInteger(source) && Fits(new BigInteger(source), to)
            ? ShowInteger(new BigInteger(source))
            : null;
    }

    private static object Float(double value, Type to)
    {
        float single = (float)value;
        Half half = (Half)value;
        object[] all = [value, single, half];
        return Array.Find(all, one => one.GetType() == to)!;
    }

    private static double Value(object number) =>
        number is Half half ? (double)half : Convert.ToDouble(number, CultureInfo.InvariantCulture);

    private static BigInteger? Integer(object value) => value switch
    {
        Enum named => Integer(Convert.ChangeType(named, System.Enum.GetUnderlyingType(named.GetType()), CultureInfo.InvariantCulture)),
        Int128 wide => wide,
        UInt128 wide => wide,
        nint native => native,
        nuint native => native,
        sbyte or byte or short or ushort or int or uint or long => Convert.ToInt64(value, CultureInfo.InvariantCulture),
        ulong large => large,
        _ => null,
    };

    private static bool Fits(BigInteger value, Type type)
    {
        int bits = type == typeof(sbyte) || type == typeof(byte) ? 8
            : type == typeof(short) || type == typeof(ushort) ? 16
            : type == typeof(int) || type == typeof(uint) ? 32
            : type == typeof(long) || type == typeof(ulong) || type == typeof(nint) || type == typeof(nuint) ? 64
            : type == typeof(Int128) || type == typeof(UInt128) ? 128
            : 0;
        bool isSigned = type == typeof(sbyte) || type == typeof(short) || type == typeof(int) || type == typeof(long)
            || type == typeof(nint) || type == typeof(Int128);
        return bits > 0 && (isSigned
            ? value >= -(BigInteger.One << (bits - 1)) && value < BigInteger.One << (bits - 1)
            : value >= 0 && value < BigInteger.One << bits);
    }

    private static string ShowFields(VersionTypes types, VarKind kind, object value) => ShowSet(
        types.Fields(kind).Select(field => $"{field.Name}: {Show(types, field.Spec.Type, field.Field.GetValue(value))}"));

    private static string Show(VersionTypes types, VarSpec type, object? value)
    {
        if (value is null)
        {
            return "null";
        }

        switch (type.Kind)
        {
            case VarKind.Leaf:
                return ShowAny(types, value);
            case VarKind.Enum:
                return ShowInteger(Integer(value)!.Value);
            case VarKind.Struct or VarKind.Class:
                return ShowFields(types, type.Kind, value);
            case VarKind.Nullable:
                return Show(types, type.Element!, value);
            case VarKind.Map:
                var map = (IDictionary)value;
                return ShowSet(map.Keys.Cast<object>().Select(
                    key => $"{Show(types, type.Element!, key)}: {Show(types, type.Value!, map[key])}"));
            case VarKind.Tuple:
                var tuple = (System.Runtime.CompilerServices.ITuple)value;
                return $"({Show(types, type.Element!, tuple[0])}, {Show(types, type.Value!, tuple[1])})";
            default:
                if (type.Kind == VarKind.Immutable && (bool)value.GetType().GetProperty("IsDefault")!.GetValue(value)!)
                {
                    return "default";
                }

                IEnumerable<string> elements = ((IEnumerable)value).Cast<object?>().Select(element => Show(types, type.Element!, element));
                return type.Kind == VarKind.Set ? ShowSet(elements) : $"[{string.Join(", ", elements)}]";
        }
    }

    // What is in a variable of object is shown by its own type.
    private static string ShowAny(VersionTypes types, object? value)
    {
        Type? type = value?.GetType();
        return value is null ? "null"
            : type == types.Find(new VarSpec(VarKind.Class)) ? ShowFields(types, VarKind.Class, value)
            : type == types.Find(new VarSpec(VarKind.Struct)) ? ShowFields(types, VarKind.Struct, value)
            : value is System.Runtime.CompilerServices.ITuple tuple ? $"({ShowAny(types, tuple[0])}, {ShowAny(types, tuple[1])})"
            : value is IDictionary map
            ? ShowSet(map.Keys.Cast<object>().Select(key => $"{ShowAny(types, key)}: {ShowAny(types, map[key])}"))
            : value is string or not IEnumerable ? ShowLeaf(value)
            : type!.Name.StartsWith("ImmutableArray", StringComparison.Ordinal) && (bool)type.GetProperty("IsDefault")!.GetValue(value)!
            ? "default"
            : ((IEnumerable)value).Cast<object?>().Select(element => ShowAny(types, element)) is var elements
                && type.Name.StartsWith("HashSet", StringComparison.Ordinal)
            ? ShowSet(elements)
            : $"[{string.Join(", ", elements)}]";
    }

    private static string ShowSet(IEnumerable<string> parts) => $"{{{string.Join(", ", parts.Order(StringComparer.Ordinal))}}}";

    private static string ShowInteger(BigInteger value) => value.ToString(CultureInfo.InvariantCulture);

    private static string ShowLeaf(object value) => value switch
    {
        float number => float.IsNaN(number) ? "NaN" : $"float {BitConverter.SingleToUInt32Bits(number):X}",
        double number => double.IsNaN(number) ? "NaN" : $"double {BitConverter.DoubleToUInt64Bits(number):X}",
        Half number => Half.IsNaN(number) ? "NaN" : $"half {BitConverter.HalfToUInt16Bits(number):X}",
        decimal number => $"decimal {string.Join('.', decimal.GetBits(number))}",
        DateTime time => time.ToBinary().ToString(CultureInfo.InvariantCulture),
        string text => $"'{text}'",
        _ when Integer(value) is { } integer => ShowInteger(integer),
        _ => $"{value.GetType().Name} {value}",
    };
}
