using System.Collections;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Wire.Comparing;

/// <summary>
/// Looks every key of a collection up in it, as a program does. A table that was filled with hash codes or an order that no longer hold
/// gives everything when it is gone through, and finds nothing.
/// </summary>
internal static class CollectionKeys
{
    private static readonly ConditionalWeakTable<Type, Finder[]> Known = [];

    /// <summary>Whether values of a type find what they hold by keys.</summary>
    public static bool Has(Type type) => FindersOf(type).Length > 0;

    /// <summary>What the one does not find though the other does, or how their comparers differ; null when all is well.</summary>
    public static string? Difference(object expected, object actual)
    {
        foreach (Finder finder in FindersOf(actual.GetType()))
        {
            Found found = Look(finder, actual);
            if (found.Failure is null)
            {
                if (!ReferenceEquals(expected, actual) && Answers(expected, actual) is { } answers)
                {
                    return answers;
                }

                continue;
            }

            // What the original does not find either is the program's own affair: a key that does not equal itself, or has changed.
            if (!ReferenceEquals(expected, actual) && Look(finder, expected) is { Failure: not null } before
                && before.Key is null == found.Key is null)
            {
                continue;
            }

            if (!found.IsByUser && !KeySense.IsNonsense(actual, found.Key))
            {
                return found.Failure;
            }
        }

        return null;
    }

    private static string? Answers(object expected, object actual)
    {
        try
        {
            return KeySense.AnswersOf(expected) is { } left && KeySense.AnswersOf(actual) is { } right && left != right
                ? $"its comparer answers {right} of the first keys, and not {left}"
                : null;
        }
        catch (Exception e) when (IsOfUser(e))
        {
            return null;
        }
    }

    private static Found Look(Finder finder, object collection)
    {
        try
        {
            return finder.Look(collection);
        }
        catch (Exception e)
        {
            return new Found($"looking its keys up throws {e.GetType()}: {e.Message}", null, IsOfUser(e));
        }
    }

    // What code of the types throws is theirs; what .NET's collections throw is not.
    private static bool IsOfUser(Exception e) => new StackTrace(e).GetFrames()
        .Any(frame => frame.GetMethod()?.DeclaringType is { Namespace: { } name } type
            && !name.StartsWith("System", StringComparison.Ordinal)
            && type.Assembly != typeof(CollectionKeys).Assembly);

    private static Finder[] FindersOf(Type type) => Known.GetValue(type, Make);

    private static Finder[] Make(Type type)
    {
        if (type.IsArray || type.IsPrimitive || type == typeof(string))
        {
            return [];
        }

        if (typeof(NameValueCollection).IsAssignableFrom(type))
        {
            return [new Names()];
        }

        if (typeof(StringDictionary).IsAssignableFrom(type))
        {
            return [new Strings()];
        }

        var finders = new List<Finder>();
        for (Type? current = type; current is not null; current = current.BaseType)
        {
            if (current.IsGenericType && current.GetGenericTypeDefinition() == typeof(KeyedCollection<,>))
            {
                finders.Add(Of(typeof(Keyed<,>), current));
            }
            else if (current is { Namespace: "Microsoft.FSharp.Collections", Name: "FSharpSet`1" })
            {
                finders.Add(Of(typeof(Items<>), current));
            }
        }

        // Each of the interfaces leads to a table of its own, where a class has several.
        foreach (Type face in type.GetInterfaces().Where(face => face.IsGenericType))
        {
            Type definition = face.GetGenericTypeDefinition();
            Type? kind = definition == typeof(IReadOnlyDictionary<,>) ? typeof(ReadOnlyPairs<,>)
                : definition == typeof(IDictionary<,>) ? typeof(Pairs<,>)
                : definition == typeof(ISet<>) ? typeof(Items<>)
                : definition == typeof(IReadOnlySet<>) ? typeof(ReadOnlyItems<>)
                : definition == typeof(ILookup<,>) ? typeof(Groups<,>)
                : null;
            if (kind is not null)
            {
                finders.Add(Of(kind, face));
            }
        }

        if (finders.Count == 0 && typeof(IDictionary).IsAssignableFrom(type))
        {
            finders.Add(new Untyped());
        }

        return [.. finders];
    }

    private static Finder Of(Type kind, Type face) => (Finder)Activator.CreateInstance(kind.MakeGenericType(face.GetGenericArguments()))!;

    // Values are those that enumeration gives: the same objects, or equal bits.
    private static bool IsSame(object? expected, object? actual) => ReferenceEquals(expected, actual)
        || (expected is ValueType && actual?.GetType() == expected.GetType() && ScalarAssert.Same(expected, actual) != false);

    private static Found Missing(object? key) => new($"does not find its own key of {key?.GetType().ToString() ?? "null"}", key, false);

    private static Found Other(object? key) =>
        new($"finds another value at its own key of {key?.GetType().ToString() ?? "null"}", key, false);

    /// <summary>What became of looking: no failure, or the first with its key.</summary>
    private readonly record struct Found(string? Failure, object? Key, bool IsByUser);

    private abstract class Finder
    {
        public abstract Found Look(object collection);
    }

    private sealed class Pairs<TKey, TValue> : Finder
    {
        public override Found Look(object collection)
        {
            var pairs = (IDictionary<TKey, TValue>)collection;
            foreach ((TKey key, TValue value) in pairs)
            {
                if (!pairs.TryGetValue(key, out TValue? found) || !pairs.ContainsKey(key))
                {
                    return Missing(key);
                }

                if (!IsSame(value, found))
                {
                    return Other(key);
                }
            }

            return default;
        }
    }

    private sealed class ReadOnlyPairs<TKey, TValue> : Finder
    {
        public override Found Look(object collection)
        {
            var pairs = (IReadOnlyDictionary<TKey, TValue>)collection;
            foreach ((TKey key, TValue value) in pairs)
            {
                if (!pairs.TryGetValue(key, out TValue? found))
                {
                    return Missing(key);
                }

                if (!IsSame(value, found))
                {
                    return Other(key);
                }
            }

            return default;
        }
    }

    private sealed class Items<T> : Finder
    {
        public override Found Look(object collection)
        {
            var items = (ICollection<T>)collection;
            foreach (T item in items)
            {
                if (!items.Contains(item))
                {
                    return Missing(item);
                }

                // Found is its own element, and not another that looks like it.
                T? own = item;
                bool isFound = collection switch
                {
                    HashSet<T> set => set.TryGetValue(item, out own),
                    SortedSet<T> set => set.TryGetValue(item, out own),
                    _ => true,
                };
                if (!isFound || !IsSame(item, own))
                {
                    return Other(item);
                }
            }

            return default;
        }
    }

    private sealed class ReadOnlyItems<T> : Finder
    {
        public override Found Look(object collection)
        {
            var items = (IReadOnlySet<T>)collection;
            foreach (T item in items)
            {
                if (!items.Contains(item))
                {
                    return Missing(item);
                }
            }

            return default;
        }
    }

    private sealed class Groups<TKey, TElement> : Finder
    {
        public override Found Look(object collection)
        {
            var groups = (ILookup<TKey, TElement>)collection;
            foreach (IGrouping<TKey, TElement> group in groups)
            {
                if (!groups.Contains(group.Key))
                {
                    return Missing(group.Key);
                }

                if (!ReferenceEquals(groups[group.Key], group))
                {
                    return Other(group.Key);
                }
            }

            return default;
        }
    }

    private sealed class Keyed<TKey, TItem> : Finder
        where TKey : notnull
    {
        private static readonly MethodInfo KeyOf =
            typeof(KeyedCollection<TKey, TItem>).GetMethod("GetKeyForItem", BindingFlags.Instance | BindingFlags.NonPublic)!;

        public override Found Look(object collection)
        {
            var items = (KeyedCollection<TKey, TItem>)collection;
            Func<TItem, TKey?> keyOf = KeyOf.CreateDelegate<Func<TItem, TKey?>>(items);
            foreach (TItem item in items)
            {
                // A key that is another whenever it is asked for, to a comparer of references, is in no table.
                if (keyOf(item) is not { } key || !items.Comparer.Equals(key, keyOf(item)))
                {
                    continue;
                }

                if (!items.TryGetValue(key, out TItem? found))
                {
                    return Missing(key);
                }

                if (!IsSame(item, found))
                {
                    return Other(key);
                }
            }

            return default;
        }
    }

    private sealed class Untyped : Finder
    {
        public override Found Look(object collection)
        {
            var pairs = (IDictionary)collection;
            foreach (DictionaryEntry entry in pairs)
            {
                if (!pairs.Contains(entry.Key))
                {
                    return Missing(entry.Key);
                }

                if (!ReferenceEquals(pairs[entry.Key], entry.Value))
                {
                    return Other(entry.Key);
                }
            }

            return default;
        }
    }

    private sealed class Names : Finder
    {
        public override Found Look(object collection)
        {
            var names = (NameValueCollection)collection;
            for (int i = 0; i < names.Count; i++)
            {
                string? key = names.GetKey(i);
                if (!(names.GetValues(key) ?? []).SequenceEqual(names.GetValues(i) ?? []))
                {
                    return Missing(key);
                }
            }

            return default;
        }
    }

    private sealed class Strings : Finder
    {
        public override Found Look(object collection)
        {
            var pairs = (StringDictionary)collection;
            foreach (DictionaryEntry entry in pairs)
            {
                if (!pairs.ContainsKey((string)entry.Key) || !ReferenceEquals(pairs[(string)entry.Key], entry.Value))
                {
                    return Missing(entry.Key);
                }
            }

            return default;
        }
    }
}
