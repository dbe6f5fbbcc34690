using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <summary>
/// Keys whose hash code and comparison go through what they hold: tuples, records, structs and, for structural comparers, arrays.
/// In a payload with references such a key can hold itself, or be a chain as long as the payload, and its hash code would
/// overflow the stack or never end. Equality that is written by hand is the program's own business.
/// </summary>
internal static class KeyStructure
{
    // No honest key is made of more parts; hashing so many takes a millisecond.
    private const int MaxParts = 1 << 14;

    private const int MaxDepth = 1 << 10;

    private const int CharactersPerPart = 16;

    private static readonly ConditionalWeakTable<Type, FieldInfo[]> Fields = [];

    private static readonly FieldInfo[] None = [];

    /// <summary>What of a key a comparer goes through.</summary>
    public enum Look
    {
        /// <summary>Nothing that the library knows of: the comparer is the program's own, or one of references or texts.</summary>
        None,

        /// <summary>What the key itself compares.</summary>
        Own,

        /// <summary>That, and the elements of arrays.</summary>
        WithArrays,
    }

    /// <summary>What of a key a comparer goes through; null is the default comparer.</summary>
    public static Look For(object? comparer) => comparer switch
    {
        null => Look.Own,
        ComparerPair pair => For(pair.Keys),
        StringComparer or ReferenceEqualityComparer => Look.None,
        _ when comparer == StructuralComparisons.StructuralEqualityComparer || comparer == StructuralComparisons.StructuralComparer => Look.WithArrays,
        _ => BuiltInFactory.IsFramework(comparer.GetType().Assembly) ? Look.Own : Look.None,
    };

    /// <summary>Whether keys of a declared type need a look at all.</summary>
    public static bool MayBeStructural(Type type) => !type.IsPrimitive && !type.IsEnum && type != typeof(string) && BuiltInTypes.Find(type) is not { Prefix: [not Tag.Object] };

    /// <summary>Refuses a key that holds itself or too much.</summary>
    /// <param name="key">The key.</param>
    /// <param name="arraysToo">Whether arrays are compared by their elements.</param>
    /// <returns>How much of it is hashed or compared: its parts, and a part for every few characters of its strings.</returns>
    /// <exception cref="WireFormatException">It does.</exception>
    public static long Check(object? key, bool arraysToo)
    {
        int parts = 0;
        long characters = 0;
        Check(key, arraysToo, 0, ref parts, ref characters);
        return parts + (characters / CharactersPerPart);
    }

    private static void Check(object? value, bool arraysToo, int depth, ref int parts, ref long characters)
    {
        if (value is null)
        {
            return;
        }

        if (value is string text)
        {
            characters += text.Length;
            return;
        }

        if (value is object?[] items)
        {
            foreach (object? item in arraysToo ? items : [])
            {
                Count(depth, ref parts);
                Check(item, arraysToo, depth + 1, ref parts, ref characters);
            }

            return;
        }

        foreach (FieldInfo field in Fields.GetValue(value.GetType(), Structure))
        {
            Count(depth, ref parts);
            Check(field.GetValue(value), arraysToo, depth + 1, ref parts, ref characters);
        }
    }

    // A key that holds itself is as deep as one likes.
    private static void Count(int depth, ref int parts)
    {
        if (depth > MaxDepth || ++parts > MaxParts)
        {
            Throw.InvalidValue("key", $"it holds itself, or more than {MaxParts} parts or {MaxDepth} levels");
        }
    }

    private static FieldInfo[] Structure(Type type)
    {
        if (BuiltInTypes.Find(type) is not null || type.IsEnum)
        {
            return None;
        }

        MethodInfo hash = type.GetMethod(nameof(GetHashCode), Type.EmptyTypes)!;
        bool isStructural = typeof(IStructuralEquatable).IsAssignableFrom(type) || typeof(ITuple).IsAssignableFrom(type)
            || hash.DeclaringType == typeof(ValueType)
            || hash.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false)
            || type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false);
        if (!isStructural)
        {
            return None;
        }

        var fields = new List<FieldInfo>();
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            fields.AddRange(current.GetFields(MemberFinder.DeclaredInstance).Where(field => field.FieldType == typeof(string) || MayBeStructural(field.FieldType)));
        }

        return [.. fields];
    }
}
