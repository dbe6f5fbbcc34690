using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Tests.Contracting;

/// <summary>Random values of a version's types.</summary>
internal sealed class VersionValues(VersionTypes types, Random random)
{
    public object Root() => Filled(types.Root, VarKind.Leaf);

    private object Filled(Type type, VarKind kind)
    {
        object value = RuntimeHelpers.GetUninitializedObject(type);
        foreach (var field in types.Fields(kind))
        {
            field.Field.SetValue(value, Value(field.Spec.Type));
        }

        return value;
    }

    private object? Value(VarSpec type)
    {
        Type actual = types.Find(type);
        switch (type.Kind)
        {
            case VarKind.Leaf:
                return Leaf(type.Leaf!);
            case VarKind.Enum:
                int pick = random.Next(types.Spec.Enum.Members.Count + 1);
                return Enum.ToObject(actual, pick == types.Spec.Enum.Members.Count ? random.Next(7) : types.Spec.Enum.Members[pick].Value);
            case VarKind.Struct or VarKind.Class:
                return type.Kind == VarKind.Class && random.Next(4) == 0 ? null : Filled(actual, type.Kind);
            case VarKind.Nullable:
                return random.Next(3) == 0 ? null : Value(type.Element!);
            case VarKind.Map:
                if (random.Next(5) == 0)
                {
                    return null;
                }

                var map = (IDictionary)Activator.CreateInstance(actual)!;
                for (int i = random.Next(4); i > 0; i--)
                {
                    map[Value(type.Element!) ?? ""] = Value(type.Value!);
                }

                return map;
            case VarKind.Tuple:
                return Activator.CreateInstance(actual, Value(type.Element!), Value(type.Value!));
            default:
                return type.Kind != VarKind.Immutable && random.Next(5) == 0 ? null : Sequence(type, actual);
        }
    }

    private object Sequence(VarSpec type, Type actual)
    {
        Type element = types.Find(type.Element!);
        var array = Array.CreateInstance(element, random.Next(4));
        for (int i = 0; i < array.Length; i++)
        {
            array.SetValue(Value(type.Element!), i);
        }

        return type.Kind switch
        {
            VarKind.Array => array,
            VarKind.Interface => random.Next(2) == 0 ? array : Activator.CreateInstance(typeof(List<>).MakeGenericType(element), array)!,
            VarKind.Immutable => typeof(VersionValues).GetMethod(nameof(Immutable), BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(element).Invoke(null, [array])!,
            _ => Activator.CreateInstance(actual, array)!,
        };
    }

    private static System.Collections.Immutable.ImmutableArray<T> Immutable<T>(T[] array) => [.. array];

    private object? Leaf(Type type)
    {
        // Small numbers fit many types; large ones and fractions few.
        long number = random.Next(4) switch
        {
            0 => random.Next(100),
            1 => random.Next(-100, 100),
            2 => random.Next(70_000),
            _ => random.NextInt64(long.MinValue, long.MaxValue),
        };
        return type == typeof(string) ? (random.Next(5) == 0 ? null : $"s{random.Next(20)}")
            : type == typeof(bool) ? random.Next(2) == 0
            : type == typeof(char) ? (char)random.Next(1, 500)
            : type == typeof(Guid) ? new Guid(random.Next(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
            : type == typeof(DateTime) ? new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc)
            : type == typeof(TimeSpan) ? new TimeSpan(number)
            : type == typeof(DateOnly) ? DateOnly.FromDayNumber(random.Next(100_000))
            : type == typeof(Uri) ? (random.Next(3) == 0 ? null : new Uri($"http://a/{random.Next(10)}"))
            : type == typeof(object) ? (random.Next(3) switch { 0 => null, 1 => random.Next(), _ => "text" })
            : Number(type, number);
    }

    private object Number(Type type, long number)
    {
        unchecked
        {
            return type == typeof(int) ? (int)number
                : type == typeof(long) ? number
                : type == typeof(short) ? (short)number
                : type == typeof(byte) ? (byte)number
                : type == typeof(uint) ? (uint)number
                : type == typeof(ulong) ? (ulong)number
                : type == typeof(sbyte) ? (sbyte)number
                : type == typeof(ushort) ? (ushort)number
                : type == typeof(Int128) ? (random.Next(3) == 0 ? (Int128)number * number : number)
                : type == typeof(UInt128) ? (random.Next(3) == 0 ? (UInt128)(ulong)number << 60 : (UInt128)(ulong)number)
                : type == typeof(float) ? Fraction(number)
                : type == typeof(double) ? random.Next(5) == 0 ? (double)number : (double)Fraction(number)
                : type == typeof(Half) ? (Half)(random.Next(3) == 0 ? random.Next(-50, 50) / 4f : random.Next(-50, 50))
                : type == typeof(decimal) ? (random.Next(3) == 0 ? number / 8m : number)
                : type == typeof(nint) ? (nint)number
                : (object)(nuint)(ulong)number;
        }
    }

    private float Fraction(long number) => random.Next(6) switch
    {
        0 => float.NaN,
        1 => number / 4f,
        2 => -0f,
        _ => number,
    };
}
