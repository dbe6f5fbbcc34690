using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Testing.Generated;

/// <summary>Values of any type of an assembly, all of whose fields are random: no constructor has a say.</summary>
/// <param name="random">What decides.</param>
/// <param name="own">The assembly. Objects of others are made by their constructors.</param>
/// <param name="concrete">The types of objects where another is declared; none for those declared alone.</param>
public sealed class RandomValue(Random random, Assembly own, IReadOnlyList<Type>? concrete = null)
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private const int MostDepth = 4;

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

        if (depth > 0 && !type.IsValueType && (depth > MostDepth || random.Next(4) == 0))
        {
            return null;
        }

        return type.IsSZArray ? Elements(type.GetElementType()!, depth)
            : type == typeof(object) ? random.Next(2) == 0 ? random.Next() : "text"
            : depth > 0 && Derived(type) is { } derived ? Filled(derived, depth)
            : type.IsArray || type.IsAbstract || type.IsPointer || type.IsByRefLike || typeof(Delegate).IsAssignableFrom(type) ? null
            : type.Assembly == own ? Filled(type, depth)
            : Collection(type, depth);
    }

    private Type? Derived(Type type)
    {
        if (concrete is null || type.IsValueType || type.Assembly != own)
        {
            return null;
        }

        Type[] all = [.. concrete.Where(each => each != type && type.IsAssignableFrom(each))];
        return all.Length > 0 && (type.IsAbstract || random.Next(3) == 0) ? all[random.Next(all.Length)] : null;
    }

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
                : type == typeof(System.Numerics.Complex) ? new System.Numerics.Complex(number, -number)
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
        var array = Array.CreateInstance(element, random.Next(4));
        for (int i = 0; i < array.Length; i++)
        {
            if (!element.IsPointer)
            {
                array.SetValue(Value(element, depth + 1), i);
            }
        }

        return array;
    }

    private object? Collection(Type type, int depth)
    {
        Type[] arguments = type.IsConstructedGenericType ? type.GetGenericArguments() : [];
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

        if (!typeof(IDictionary).IsAssignableFrom(type) || arguments.Length != 2 || type.GetConstructor(Type.EmptyTypes) is null)
        {
            return null;
        }

        var map = (IDictionary)Activator.CreateInstance(type)!;
        if (Value(arguments[0], depth + 1) is { } key)
        {
            map[key] = Value(arguments[1], depth + 1);
        }

        return map;
    }
}
