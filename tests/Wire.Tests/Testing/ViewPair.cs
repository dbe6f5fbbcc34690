using System.Reflection;
using Xunit;

namespace Wire.Tests.Testing;

/// <summary>The values of objects by views, beside the objects that are read.</summary>
public abstract class ViewPair
{
    /// <summary>Makes one for a type of root.</summary>
    public static ViewPair Create(Serializer serializer, Type type) =>
        (ViewPair)Activator.CreateInstance(typeof(ViewPair<>).MakeGenericType(type), [serializer])!;

    /// <summary>Looks at all of a good payload in both ways, and returns how many members were looked at.</summary>
    public abstract int Check(byte[] payload);
}

/// <inheritdoc/>
public sealed class ViewPair<T>(Serializer serializer) : ViewPair
{
    private const int Depth = 3;
    private const int Few = 3;

    private readonly PayloadViews<T> _views = serializer.Views<T>();

    public override int Check(byte[] payload)
    {
        T? whole = serializer.Deserialize<T>(payload);
        return Look(new ViewWalk(serializer), _views.Open(payload), whole, "", Depth) + Look(
            new ViewWalk(serializer), _views.Open(payload), whole, "", Depth);
    }

    internal static int Look(ViewWalk walk, PayloadView<T> view, T? expected, string path, int depth)
    {
        Assert.Equal(expected is null, view.IsNull);
        walk.Same(path, expected, view.ToObject());
        if (view.IsNull || depth == 0)
        {
            return 1;
        }

        if (typeof(T) == typeof(string))
        {
            return 1;
        }

        int seen = 1;
        foreach (ViewPart<T> part in walk.PartsOf<T>())
        {
            seen += part.Look(walk, view, expected!, path, depth - 1);
        }

        return seen;
    }

    // Elements by index and one after the other.
    internal static int LookAtList<TElement>(ViewWalk walk, PayloadView<T> view, T expected, string path, int depth)
    {
        TElement[] elements = [.. (IEnumerable<TElement>)expected!];
        PayloadListView<TElement> list = view.AsList<TElement>();
        Assert.Equal(elements.Length, list.Count);
        int seen = 0;
        foreach (PayloadView<TElement> element in list)
        {
            if (seen < Few)
            {
                ViewPair<TElement>.Look(walk, element, elements[seen], $"{path}[{seen}]", depth);
                ViewPair<TElement>.Look(walk, list[seen], elements[seen], $"{path}[{seen}]", depth);
            }

            seen++;
        }

        Assert.Equal(elements.Length, seen);
        return seen;
    }

    internal static int LookAtDictionary<TKey, TValue>(ViewWalk walk, PayloadView<T> view, T expected, string path, int depth)
        where TKey : notnull
    {
        KeyValuePair<TKey, TValue>[] pairs = [.. (IEnumerable<KeyValuePair<TKey, TValue>>)expected!];
        PayloadDictionaryView<TKey, TValue> map = view.AsDictionary<TKey, TValue>();
        Assert.Equal(pairs.Length, map.Count);
        foreach (KeyValuePair<TKey, TValue> pair in pairs.Take(Few))
        {
            Assert.True(map.TryGetValue(pair.Key, out PayloadView<TValue> value), $"{path}[{pair.Key}]");
            ViewPair<TValue>.Look(walk, value, pair.Value, $"{path}[{pair.Key}]", depth);
        }

        int seen = 0;
        foreach (PayloadDictionaryView<TKey, TValue>.Pair pair in map)
        {
            if (seen < Few)
            {
                TKey key = pair.Key.ToObject()!;
                ViewPair<TValue>.Look(
                    walk, pair.Value, pairs.First(each => walk.AreEqual(each.Key, key)).Value, $"{path}[{key}]", depth);
            }

            seen++;
        }

        Assert.Equal(pairs.Length, seen);
        return seen;
    }
}

/// <summary>A walk by views.</summary>
internal sealed class ViewWalk(Serializer serializer)
{
    private readonly Dictionary<Type, object> _parts = [];

    public bool AreEqual(object? x, object? y) => new GraphEquality(serializer).AreEqual(x, y);

    public void Same(string path, object? expected, object? actual) =>
        Assert.True(AreEqual(expected, actual), $"At '{path}' a view has {actual}, and the object {expected}.");

    /// <summary>Lists the public properties and fields of a type, and what it is a collection of.</summary>
    public List<ViewPart<T>> PartsOf<T>()
    {
        if (_parts.TryGetValue(typeof(T), out object? known))
        {
            return (List<ViewPart<T>>)known;
        }

        var parts = new List<ViewPart<T>>();
        _parts.Add(typeof(T), parts);
        foreach (PropertyInfo property in typeof(T).GetProperties(BindingFlags.Instance | BindingFlags.Public))
        {
            if (property.GetIndexParameters().Length == 0 && property.GetMethod?.IsPublic == true && CanHold(property.PropertyType))
            {
                Add(typeof(ViewMemberPart<,>), [property.PropertyType], property, property.GetValue);
            }
        }

        foreach (FieldInfo field in typeof(T).GetFields(BindingFlags.Instance | BindingFlags.Public).Where(each => CanHold(each.FieldType)))
        {
            Add(typeof(ViewMemberPart<,>), [field.FieldType], field, field.GetValue);
        }

        if (typeof(T).IsSZArray)
        {
            Add(typeof(ViewListPart<,>), [typeof(T).GetElementType()!], null, null);
        }
        else if (typeof(T).IsConstructedGenericType && typeof(T).GetGenericTypeDefinition() is var definition)
        {
            if (definition == typeof(List<>) || definition == typeof(HashSet<>) || definition == typeof(IReadOnlyList<>))
            {
                Add(typeof(ViewListPart<,>), typeof(T).GetGenericArguments(), null, null);
            }
            else if (definition == typeof(Dictionary<,>) || definition == typeof(IReadOnlyDictionary<,>))
            {
                Add(typeof(ViewDictionaryPart<,,>), typeof(T).GetGenericArguments(), null, null);
            }
        }

        return parts;

        void Add(Type part, Type[] arguments, MemberInfo? member, Func<object?, object?>? read) => parts.Add((ViewPart<T>)
            Activator.CreateInstance(part.MakeGenericType([typeof(T), .. arguments]), member is null ? [] : [member, read])!);
    }

    private static bool CanHold(Type type) => !type.IsByRefLike && !type.IsPointer && !type.IsByRef && !type.IsFunctionPointer;
}

/// <summary>A part of values that a walk looks at.</summary>
internal abstract class ViewPart<T>
{
    public abstract int Look(ViewWalk walk, PayloadView<T> view, T whole, string path, int depth);
}

internal sealed class ViewMemberPart<T, TValue>(MemberInfo member, Func<object?, object?> read) : ViewPart<T>
{
    private readonly PayloadViewMember<T, TValue> _member = new(member.GetCustomAttribute<WireNameAttribute>()?.Name ?? member.Name);

    public override int Look(ViewWalk walk, PayloadView<T> view, T whole, string path, int depth)
    {
        TValue? value;
        try
        {
            value = view.Get(_member);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException)
        {
            // No part of payloads, or of none with members.
            return 0;
        }

        path = $"{path}.{_member.Name}";
        TValue? expected = (TValue?)read(whole);
        walk.Same(path, expected, value);
        if (_member is PayloadViewMember<T, string> text)
        {
            Assert.Equal((string?)(object?)expected, view.GetText(text).ToString());
        }

        return ViewPair<TValue>.Look(walk, view.GetView(_member), expected, path, depth);
    }
}

internal sealed class ViewListPart<T, TElement> : ViewPart<T>
{
    public override int Look(ViewWalk walk, PayloadView<T> view, T whole, string path, int depth) =>
        ViewPair<T>.LookAtList<TElement>(walk, view, whole, path, depth);
}

internal sealed class ViewDictionaryPart<T, TKey, TValue> : ViewPart<T>
    where TKey : notnull
{
    public override int Look(ViewWalk walk, PayloadView<T> view, T whole, string path, int depth) =>
        ViewPair<T>.LookAtDictionary<TKey, TValue>(walk, view, whole, path, depth);
}
