using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Collections;

/// <summary>A collection over a list, which may be any list.</summary>
internal readonly struct CollectionKind<T> : IWrapperKind<Collection<T>, IList<T>>
{
    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.Of<T>(inner);

    public static IList<T> Unwrap(Collection<T> wrapper) => Items(wrapper);

    public static void Construct(Collection<T> target, IList<T> inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Items")]
    private static extern IList<T> Items(Collection<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Collection<T> target, IList<T> list);
}

internal readonly struct ReadOnlyCollectionKind<T> : IWrapperKind<ReadOnlyCollection<T>, IList<T>>
{
    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.Of<T>(inner);

    public static IList<T> Unwrap(ReadOnlyCollection<T> wrapper) => Items(wrapper);

    public static void Construct(ReadOnlyCollection<T> target, IList<T> inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Items")]
    private static extern IList<T> Items(ReadOnlyCollection<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ReadOnlyCollection<T> target, IList<T> list);
}

/// <summary>Its list without copying it; whoever listens for changes is not written.</summary>
internal readonly struct ObservableCollectionKind<T> : IWrapperKind<ObservableCollection<T>, IList<T>>
{
    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.Of<T>(inner);

    public static IList<T> Unwrap(ObservableCollection<T> wrapper) => CollectionKind<T>.Unwrap(wrapper);

    public static void Construct(ObservableCollection<T> target, IList<T> inner) => CollectionKind<T>.Construct(target, inner);
}

internal readonly struct ReadOnlyObservableCollectionKind<T> : IWrapperKind<ReadOnlyObservableCollection<T>, ObservableCollection<T>>
{
    public static ObservableCollection<T>? Empty => [];

    // The two delegates by which it listens to what is inside.
    public static int Overhead => 2 * 64;

    public static object? Within(object inner) => ListsWithin.Of<T>(inner);

    public static ObservableCollection<T> Unwrap(ReadOnlyObservableCollection<T> wrapper) => (ObservableCollection<T>)ReadOnlyCollectionKind<T>.Unwrap(wrapper);

    public static void Construct(ReadOnlyObservableCollection<T> target, ObservableCollection<T> inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ReadOnlyObservableCollection<T> target, ObservableCollection<T> list);
}

internal readonly struct ReadOnlyDictionaryKind<TKey, TValue> : IWrapperKind<ReadOnlyDictionary<TKey, TValue>, IDictionary<TKey, TValue>>
    where TKey : notnull
{
    public static IDictionary<TKey, TValue>? Empty => new Dictionary<TKey, TValue>();

    public static object? Within(object inner) =>
        inner is ReadOnlyDictionary<TKey, TValue> wrapper ? Unwrap(wrapper) ?? Wrapping.NotRead : null;

    public static IDictionary<TKey, TValue> Unwrap(ReadOnlyDictionary<TKey, TValue> wrapper) => Inner(wrapper);

    public static void Construct(ReadOnlyDictionary<TKey, TValue> target, IDictionary<TKey, TValue> inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Dictionary")]
    private static extern IDictionary<TKey, TValue> Inner(ReadOnlyDictionary<TKey, TValue> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ReadOnlyDictionary<TKey, TValue> target, IDictionary<TKey, TValue> dictionary);
}

internal readonly struct ReadOnlySetKind<T> : IWrapperKind<ReadOnlySet<T>, ISet<T>>
{
    public static ISet<T>? Empty => new HashSet<T>();

    public static object? Within(object inner) => inner is ReadOnlySet<T> wrapper ? Unwrap(wrapper) ?? Wrapping.NotRead : null;

    public static ISet<T> Unwrap(ReadOnlySet<T> wrapper) => Inner(wrapper);

    public static void Construct(ReadOnlySet<T> target, ISet<T> inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Set")]
    private static extern ISet<T> Inner(ReadOnlySet<T> target);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(ReadOnlySet<T> target, ISet<T> set);
}

/// <summary>Forced when it is written; it comes back with its value.</summary>
internal readonly struct LazyKind<T> : IWrapperKind<Lazy<T>, T>
{
    public static bool AllowsNull => true;

    public static T Unwrap(Lazy<T> wrapper) => wrapper.Value;

    public static void Construct(Lazy<T> target, T inner) => Constructor(target, inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(Lazy<T> target, T value);
}

/// <summary>The lists that lists stand around.</summary>
internal static class ListsWithin
{
    public static object? Of<T>(object list) => list switch
    {
        Collection<T> collection => CollectionKind<T>.Unwrap(collection) ?? Wrapping.NotRead,
        ReadOnlyCollection<T> collection => ReadOnlyCollectionKind<T>.Unwrap(collection) ?? Wrapping.NotRead,
        _ => null,
    };
}
