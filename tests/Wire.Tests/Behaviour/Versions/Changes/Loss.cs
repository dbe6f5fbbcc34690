using System.Collections;
using System.Collections.Immutable;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>
/// The members by which a value that was read differs from the one that was written, as a person would compare the two: by the names that
/// members and enums have in payloads, by the worth of numbers, and without regard to the kind of a collection. It knows nothing of how
/// the library matches them.
/// </summary>
internal static class Loss
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    public static IReadOnlyList<string> Between(object? written, object? read)
    {
        List<string> names = [];
        Compare("", written, read, names);
        return [.. names.Distinct()];
    }

    private static void Compare(string name, object? written, object? read, List<string> names)
    {
        if (written is null || read is null)
        {
            Note(written is null && read is null);
        }
        else if (written is Enum || read is Enum)
        {
            Note(IsSameEnum(written, read));
        }
        else if (IsScalar(written) || IsScalar(read))
        {
            Note(IsScalar(written) && IsScalar(read) && IsSameScalar(written, read));
        }
        else
        {
            if (!HasSameItems(written, read))
            {
                // The elements of a class that derives from a collection are a member of it.
                names.Add(IsOfLibrary(written) && IsOfLibrary(read) ? name : "<items>");
            }

            CompareMembers(written, read, names);
        }

        void Note(bool isSame)
        {
            if (!isSame)
            {
                names.Add(name);
            }
        }
    }

    private static void CompareMembers(object written, object read, List<string> names)
    {
        if (IsOfLibrary(written) || IsOfLibrary(read))
        {
            return;
        }

        if (written is ElementsByName != read is ElementsByName)
        {
            CompareByPlace(written, read, names);
            return;
        }

        List<Member> before = Members(written);
        List<Member> after = Members(read);
        foreach (Member member in before)
        {
            int at = after.FindIndex(other => other.Name == member.Name && other.Class == member.Class);
            at = at >= 0 || before.Count(other => other.Name == member.Name) > 1 ? at : after.FindIndex(other => other.Name == member.Name);
            if (at < 0)
            {
                names.Add(member.Name);
                continue;
            }

            Compare(member.Name, member.Value, after[at].Value, names);
            after.RemoveAt(at);
        }

        // The elements of a tuple that a reader lacks are called by their places.
        names.AddRange(after.Select(member => read is ElementsByName ? member.Class : member.Name));
    }

    // Elements that have names in one release only.
    private static void CompareByPlace(object written, object read, List<string> names)
    {
        foreach ((Member before, Member after) in Members(written).Zip(Members(read)))
        {
            Compare(before.Name, before.Value, after.Value, names);
        }
    }

    private static bool HasSameItems(object written, object read)
    {
        (List<object?>? before, List<object?>? after) = (ItemsOf(written), ItemsOf(read));
        if (before is null || after is null)
        {
            return (before ?? after ?? []).Count == 0;
        }

        if (before.Count != after.Count)
        {
            return false;
        }

        if (!IsUnordered(written) && !IsUnordered(read))
        {
            return before.Zip(after).All(pair => Between(pair.First, pair.Second).Count == 0);
        }

        return before.TrueForAll(item => after.FindIndex(other => Between(item, other).Count == 0) is >= 0 and int at && RemoveAt(at));

        bool RemoveAt(int at)
        {
            after.RemoveAt(at);
            return true;
        }
    }

    private static List<object?>? ItemsOf(object value) => value switch
    {
        Stack or not IEnumerable when value is not Memory<byte> => null,
        Memory<byte> memory => [.. memory.ToArray()],
        IEnumerable items when value.GetType() is { IsGenericType: true } type && type.GetGenericTypeDefinition() == typeof(Stack<>) =>
            [.. items.Cast<object?>().Reverse()],
        IEnumerable items => [.. items.Cast<object?>()],
        _ => null,
    };

    private static bool IsUnordered(object value) => Array.Exists(value.GetType().GetInterfaces(), face => face.IsGenericType
        && (face.GetGenericTypeDefinition() == typeof(IReadOnlySet<>)
            || face.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)
            || face.GetGenericTypeDefinition() == typeof(IImmutableSet<>)));

    // Names where both have one, and numbers where not: an enum of the program means its names.
    private static bool IsSameEnum(object written, object read) =>
        NamesOf(written) is { } before && NamesOf(read) is { } after
            ? before.SetEquals(after)
            : NumberOf(written) is { } number && number == NumberOf(read);

    private static HashSet<string>? NamesOf(object value)
    {
        if (value is not Enum || !value.GetType().IsDefined(typeof(FlagsAttribute)))
        {
            return value is Enum && Enum.GetName(value.GetType(), value) is { } name ? [Given(value.GetType(), name)] : null;
        }

        string text = $"{value}";
        return char.IsAsciiDigit(text[0]) ? null : [.. text.Split(", ").Select(part => Given(value.GetType(), part))];
    }

    private static string Given(Type type, string name) =>
        type.GetField(name)!.GetCustomAttribute<WireNameAttribute>()?.Name ?? name;

    private static BigInteger? NumberOf(object value) => value switch
    {
        Enum => NumberOf(Convert.ChangeType(value, Enum.GetUnderlyingType(value.GetType()), null)),
        sbyte or byte or short or ushort or int or uint or long => Convert.ToInt64(value, null),
        ulong number => number,
        Int128 number => (BigInteger)number,
        _ => null,
    };

    private static bool IsSameScalar(object written, object read)
    {
        if (written.GetType() == read.GetType())
        {
            return written.Equals(read);
        }

        return NumberOf(written) is { } before && NumberOf(read) is { } after
            ? before == after
            : IsNumber(written) && IsNumber(read) && Exact(written) == Exact(read);
    }

    // Powers of two with a fraction, and decimals with few digits: enough for the values of the cases.
    private static decimal Exact(object value) => value switch
    {
        Half half => (decimal)(double)half,
        float single => (decimal)(double)single,
        double number => (decimal)number,
        decimal number => number,
        _ => (decimal)NumberOf(value)!.Value,
    };

    private static bool IsNumber(object value) => value is Half or float or double or decimal || NumberOf(value) is not null;

    private static bool IsScalar(object value) =>
        IsNumber(value) || value is string or Uri or Version or Type || (value is ValueType && IsOfLibrary(value)
            && value is not ITuple and not IEnumerable and not Memory<byte>
            && !value.GetType().Name.StartsWith("KeyValuePair", StringComparison.Ordinal));

    private static bool IsOfLibrary(object value) =>
        value.GetType().Assembly != typeof(Loss).Assembly
        && value is not ITuple
        && !value.GetType().Name.StartsWith("KeyValuePair", StringComparison.Ordinal);

    private static List<Member> Members(object value)
    {
        if (value is ElementsByName named)
        {
            return [.. named.Elements];
        }

        List<Member> members = [];
        for (Type? type = value.GetType(); type is not null && type.Assembly == value.GetType().Assembly; type = type.BaseType)
        {
            members.AddRange(
                from field in type.GetFields(Declared)
                let face = Face(field)
                where field.FieldType != typeof(UnknownMembers)
                where !field.IsDefined(typeof(IgnoreMemberAttribute)) && !face.IsDefined(typeof(IgnoreMemberAttribute))
                let given = field.GetCustomAttribute<WireNameAttribute>() ?? face.GetCustomAttribute<WireNameAttribute>()
                let own = field.GetValue(value)
                select new Member(
                    given?.Name ?? face.Name.Replace("m_", "", StringComparison.Ordinal),
                    type.Name,
                    own is ITuple ? NamedTuple(own, field) ?? own : own));
        }

        return members;
    }

    // The names of a tuple's elements belong to the member.
    private static ElementsByName? NamedTuple(object tuple, FieldInfo field) =>
        field.GetCustomAttribute<TupleElementNamesAttribute>()?.TransformNames is { } names
            ? new([.. names.Select((name, i) => new Member($"{name}", $"Item{i + 1}", ((ITuple)tuple)[i]))])
            : null;

    private static MemberInfo Face(FieldInfo field) =>
        field.Name.StartsWith('<') ? field.DeclaringType!.GetProperty(field.Name[1..field.Name.IndexOf('>')], Declared)! : field;

    private sealed record ElementsByName(List<Member> Elements);

    private sealed record Member(string Name, string Class, object? Value);
}
