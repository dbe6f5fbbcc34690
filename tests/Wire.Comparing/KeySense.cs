using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;

namespace Wire.Comparing;

/// <summary>What the comparer of a collection says of its keys.</summary>
internal static class KeySense
{
    private const int Asked = 6;
    private const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    // How a collection of a type is asked for its comparer; types of the tests may be unloaded.
    private static readonly ConditionalWeakTable<Type, Func<object, object?>> Comparers = [];

    /// <summary>
    /// Whether no table could find the key: it does not equal itself, its hash code is another each time, or the order of the keys is none.
    /// </summary>
    public static bool IsNonsense(object collection, object? key)
    {
        try
        {
            object? comparer = ComparerOf(collection);
            object?[] keys = KeysOf(collection);
            if (IsSorted(collection) || comparer is IComparer)
            {
                Func<object?, object?, int> compare = Compare(comparer, key?.GetType());
                return compare(key, key) != 0
                    || keys.Any(left => keys.Any(right => Math.Sign(compare(left, right)) != -Math.Sign(compare(right, left))))
                    || keys.Any(a => keys.Any(b => compare(a, b) < 0 && keys.Any(c => compare(b, c) < 0 && compare(a, c) >= 0)));
            }

            (Func<object?, object?, bool> equals, Func<object?, int> hash) = Equality(comparer);
            return !equals(key, key) || (key is not null && hash(key) != hash(key));
        }
        catch (Exception e) when (e is TargetInvocationException or InvalidOperationException or ArgumentException)
        {
            // The keys' own code throws.
            return true;
        }
    }

    /// <summary>What the comparer answers about each two of the first keys; null where there is none to ask.</summary>
    public static string? AnswersOf(object collection)
    {
        object? comparer = ComparerOf(collection);
        if (comparer is null || (comparer.GetType().Namespace is { } name && name.StartsWith("System", StringComparison.Ordinal)))
        {
            // Those of .NET are compared by what they are.
            return null;
        }

        object?[] keys = [.. KeysOf(collection).Take(Asked)];
        if (!IsSorted(collection) && TypeFaces.Of(collection.GetType()).Part is { } part
            && CollectionState.Of(collection, part).IsUnordered)
        {
            return null;
        }

        var text = new StringBuilder();
        foreach (object? left in keys)
        {
            foreach (object? right in keys)
            {
                text.Append(IsSorted(collection) ? Math.Sign(Compare(comparer, left?.GetType())(left, right))
                    : Equality(comparer).AreEqual(left, right) ? '=' : '!');
            }
        }

        return text.ToString();
    }

    private static object? ComparerOf(object collection) => Comparers.GetValue(collection.GetType(), FindComparer)(collection);

    private static Func<object, object?> FindComparer(Type collection)
    {
        foreach (string name in new[] { "Comparer", "KeyComparer", "EqualityComparer", "comparer", "_comparer" })
        {
            for (Type? type = collection; type is not null; type = type.BaseType)
            {
                if (type.GetProperty(name, Any | BindingFlags.DeclaredOnly) is { } property)
                {
                    return property.GetValue;
                }

                if (type.GetField(name, Any | BindingFlags.DeclaredOnly) is { } field)
                {
                    return field.GetValue;
                }
            }
        }

        return static _ => null;
    }

    private static bool IsSorted(object collection)
    {
        for (Type? type = collection.GetType(); type is not null; type = type.BaseType)
        {
            if (type.Name.Contains("Sorted", StringComparison.Ordinal) || type.Name is "FSharpSet`1" or "FSharpMap`2")
            {
                return true;
            }
        }

        return false;
    }

    private static object?[] KeysOf(object collection) => collection is IDictionary pairs
        ? [.. pairs.Keys]
        : [.. ((IEnumerable)collection).Cast<object?>().Select(item => item?.GetType() is { IsGenericType: true } type
            && (type.GetGenericTypeDefinition() == typeof(KeyValuePair<,>) || type.GetProperty("Key") is not null
                && type.Name.StartsWith("Grouping", StringComparison.Ordinal))
                ? type.GetProperty("Key")!.GetValue(item)
                : item)];

    // Generic faces first: the others of .NET's comparers take the same object for equal before they ask it.
    private static Func<object?, object?, int> Compare(object? comparer, Type? key) =>
        comparer is not null && Face(comparer, typeof(IComparer<>), key)?.GetMethod("Compare") is { } method
            ? (left, right) => (int)method.Invoke(comparer, [left, right])!
            : ((comparer as IComparer) ?? Comparer.Default).Compare;

    private static (Func<object?, object?, bool> AreEqual, Func<object?, int> Hash) Equality(object? comparer) => comparer switch
    {
        not null when Face(comparer, typeof(IEqualityComparer<>), null) is { } face =>
            ((left, right) => (bool)face.GetMethod("Equals")!.Invoke(comparer, [left, right])!,
                key => (int)face.GetMethod("GetHashCode")!.Invoke(comparer, [key])!),
        IEqualityComparer untyped => (untyped.Equals, key => untyped.GetHashCode(key!)),
        _ => ((left, right) => left?.Equals(right) ?? right is null, key => key!.GetHashCode()),
    };

    private static Type? Face(object comparer, Type definition, Type? key) => comparer.GetType().GetInterfaces()
        .Where(face => face.IsGenericType && face.GetGenericTypeDefinition() == definition)
        .OrderByDescending(face => key is not null && face.GetGenericArguments()[0].IsAssignableFrom(key))
        .FirstOrDefault();
}
