using System.Collections;
using System.Collections.Immutable;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Testing.Generated;

/// <summary>Values of any type of an assembly, all of whose fields are random: no constructor has a say.</summary>
/// <param name="random">What they depend on.</param>
/// <param name="own">The assembly; of other types, the constructors are called.</param>
/// <param name="known">The types of which objects are where a base class, an interface or object is declared.</param>
/// <param name="isShared">Whether an object may be in several places, also in itself.</param>
public sealed class RandomValue(Random random, Assembly own, Type[]? known = null, bool isShared = false)
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const int MostDepth = 4;
    private const int MostObjects = 100;

    private readonly List<object> _made = [];

    /// <summary>Returns a value of exactly a type, or null where there is none.</summary>
    public object? Of(Type type) => Value(type, 0);

    private object? Value(Type type, int depth)
    {
        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return random.Next(3) == 0 ? null : Value(underlying, depth);
        }

        if (type.IsEnum)
        {
            Array defined = Enum.GetValuesAsUnderlyingType(type);
            return Enum.ToObject(type, defined.Length == 0 ? 0 : defined.GetValue(random.Next(defined.Length))!);
        }

        if (Scalar(type) is { } scalar)
        {
            return scalar;
        }

        if (depth > 0 && !type.IsValueType)
        {
            if (depth > MostDepth || _made.Count > MostObjects || random.Next(4) == 0)
            {
                return null;
            }

            if (isShared && random.Next(6) == 0 && _made.Find(type.IsInstanceOfType) is { } again)
            {
                return again;
            }

            type = Behind(type);
        }

        return type.IsSZArray ? Elements(type.GetElementType()!, depth)
            : type.IsArray ? Table(type, depth)
            : type == typeof(object) ? random.Next(2) == 0 ? random.Next() : "text"
            : type.IsAbstract || type.IsPointer || type.IsByRefLike || typeof(Delegate).IsAssignableFrom(type) ? null
            : type.Assembly == own || IsOfParts(type) ? Filled(type, depth)
            : Collection(type, depth);
    }

    // The type of the object in a variable of a type.
    private Type Behind(Type type)
    {
        if (type.IsSealed || type.IsArray || (!type.IsAbstract && random.Next(3) == 0))
        {
            return type;
        }

        Type[] fitting = type.Assembly == own || type == typeof(object) ? [.. (known ?? []).Where(type.IsAssignableFrom)] : [];
        if (fitting.Length == 0 && type.IsInterface && type.IsConstructedGenericType)
        {
            Type[] arguments = type.GetGenericArguments();
            // A set asks for hash codes, which objects with themselves in them may not have: it is not behind what a list is behind.
            Type[] usual = arguments.Length == 2 ? [typeof(Dictionary<,>).MakeGenericType(arguments)]
                : type.Name.Contains("Set", StringComparison.Ordinal) ? [typeof(HashSet<>).MakeGenericType(arguments)]
                : [arguments[0].MakeArrayType(), typeof(List<>).MakeGenericType(arguments)];
            fitting = [.. usual.Where(type.IsAssignableFrom)];
        }

        return fitting.Length == 0 ? type : fitting[random.Next(fitting.Length)];
    }

    private static bool IsOfParts(Type type) =>
        typeof(ITuple).IsAssignableFrom(type)
        || (type.IsConstructedGenericType && type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>));

    private object? Scalar(Type type)
    {
        long number = random.Next(3) == 0 ? random.NextInt64(long.MinValue, long.MaxValue) : random.Next(-100, 100);
        unchecked
        {
            return type == typeof(string) ? Text()
                : type == typeof(bool) ? random.Next(2) == 0
                : type == typeof(char) ? (char)random.Next(char.MaxValue)
                : type == typeof(byte) ? (byte)number
                : type == typeof(sbyte) ? (sbyte)number
                : type == typeof(short) ? (short)number
                : type == typeof(ushort) ? (ushort)number
                : type == typeof(int) ? (int)number
                : type == typeof(uint) ? (uint)number
                : type == typeof(long) ? number
                : type == typeof(ulong) ? (ulong)number
                : type == typeof(nint) ? (nint)number
                : type == typeof(nuint) ? (nuint)number
                : type == typeof(Int128) ? (Int128)number * number
                : type == typeof(UInt128) ? (UInt128)number * 3
                : type == typeof(Half) ? BitConverter.Int16BitsToHalf((short)number)
                : type == typeof(float) ? BitConverter.Int32BitsToSingle((int)number)
                : type == typeof(double) ? BitConverter.Int64BitsToDouble(number)
                : type == typeof(decimal) ? new decimal((int)number, random.Next(), 0, number < 0, (byte)random.Next(29))
                : type == typeof(Guid) ? new Guid((int)number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
                : type == typeof(DateTime) ? new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3))
                : type == typeof(DateTimeOffset) ? new DateTimeOffset(
                    random.NextInt64(DateTime.MaxValue.Ticks / 2) + TimeSpan.TicksPerDay, TimeSpan.FromMinutes(random.Next(-840, 840)))
                : type == typeof(TimeSpan) ? new TimeSpan(number)
                : type == typeof(DateOnly) ? DateOnly.FromDayNumber(random.Next(100_000))
                : type == typeof(TimeOnly) ? new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay))
                : type == typeof(Rune) ? new Rune(random.Next(0xD800))
                : type == typeof(Complex) ? new Complex(number, -number)
                : type == typeof(BigInteger) ? (BigInteger)number * number
                : type == typeof(Version) ? new Version(random.Next(9), random.Next(99))
                : type == typeof(Uri) ? new Uri($"https://example.org/{random.Next(99)}")
                : (object?)null;
        }
    }

    // Null too, but for what is asked for itself.
    private string Text() => random.Next(5) switch
    {
        0 => "",
        1 => "öl λ 𝄞",
        2 => new string('m', random.Next(300)),
        _ => $"s{random.Next(100)}",
    };

    private object Filled(Type type, int depth)
    {
        object value = RuntimeHelpers.GetUninitializedObject(type);
        if (!type.IsValueType)
        {
            // A new object is found first every other time, so that some are in many places.
            _made.Insert(random.Next(2) * _made.Count, value);
        }

        for (Type? current = type; current is not null && current.Assembly == type.Assembly; current = current.BaseType)
        {
            foreach (FieldInfo field in current.GetFields(Declared))
            {
                if (!field.FieldType.IsPointer && !field.FieldType.IsFunctionPointer)
                {
                    object? part = field.FieldType == typeof(string) && random.Next(6) == 0 ? null : Value(field.FieldType, depth + 1);
                    field.SetValue(value, part);
                }
            }
        }

        return value;
    }

    private Array Elements(Type element, int depth)
    {
        var array = Array.CreateInstance(element, depth > MostDepth ? 0 : random.Next(4));
        for (int i = 0; i < array.Length; i++)
        {
            if (!element.IsPointer)
            {
                array.SetValue(Value(element, depth + 1), i);
            }
        }

        return array;
    }

    private Array Table(Type type, int depth)
    {
        int[] lengths = [.. Enumerable.Range(0, type.GetArrayRank()).Select(_ => depth > MostDepth ? 0 : random.Next(3))];
        var array = Array.CreateInstance(type.GetElementType()!, lengths);
        int[] at = new int[lengths.Length];
        for (int i = 0; i < array.Length; i++)
        {
            for (int dimension = 0, rest = i; dimension < at.Length; rest /= lengths[dimension++])
            {
                at[dimension] = rest % lengths[dimension];
            }

            array.SetValue(Value(type.GetElementType()!, depth + 1), at);
        }

        return array;
    }

    private object? Collection(Type type, int depth)
    {
        Type[] arguments = type.IsConstructedGenericType ? type.GetGenericArguments() : [];
        if (arguments.Length > 0 && type.Namespace == typeof(ImmutableArray).Namespace)
        {
            return Immutable(type, arguments, depth);
        }

        if (arguments.Length == 1 && type.GetConstructor([typeof(IEnumerable<>).MakeGenericType(arguments)]) is { } copy)
        {
            return copy.Invoke([Elements(arguments[0], depth)]);
        }

        if (type.IsValueType)
        {
            return arguments.Length == 1 && type.GetField("Empty", BindingFlags.Public | BindingFlags.Static) is { } empty
                ? empty.GetValue(null)
                : Activator.CreateInstance(type);
        }

        return typeof(IDictionary).IsAssignableFrom(type) && arguments.Length == 2 && type.GetConstructor(Type.EmptyTypes) is not null
            ? Map(type, arguments, depth)
            : null;
    }

    private IDictionary Map(Type type, Type[] arguments, int depth)
    {
        var map = (IDictionary)Activator.CreateInstance(type)!;
        for (int left = depth > MostDepth ? 0 : random.Next(1, 4); left > 0; left--)
        {
            if (Value(arguments[0], depth + 1) is { } key)
            {
                map[key] = Value(arguments[1], depth + 1);
            }
        }

        return map;
    }

    // Made of what has the same elements.
    private object? Immutable(Type type, Type[] arguments, int depth)
    {
        string name = type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)];
        object elements = arguments.Length == 1
            ? Elements(arguments[0], depth)
            : Map(typeof(Dictionary<,>).MakeGenericType(arguments), arguments, depth);
        MethodInfo? make = type.Assembly.GetType($"{type.Namespace}.{name}")?.GetMethods().FirstOrDefault(
            method => method.Name == "CreateRange" && method.GetParameters() is [{ ParameterType.IsInterface: true }]);
        return make?.MakeGenericMethod(arguments).Invoke(null, [elements]);
    }
}
