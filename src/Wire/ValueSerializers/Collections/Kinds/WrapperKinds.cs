using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>A collection over a list, which may be any list.</summary>
internal readonly struct CollectionKind<T> : IWrapperKind<Collection<T>, IList<T>>
{
    public static bool IsForm => true;

    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.GetInner<T>(inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Items")]
    public static extern IList<T> Unwrap(Collection<T> wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(Collection<T> target, IList<T> inner);
}

internal readonly struct ReadOnlyCollectionKind<T> : IWrapperKind<ReadOnlyCollection<T>, IList<T>>
{
    public static bool IsForm => true;

    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.GetInner<T>(inner);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Items")]
    public static extern IList<T> Unwrap(ReadOnlyCollection<T> wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(ReadOnlyCollection<T> target, IList<T> inner);
}

/// <summary>The wrapped list is not copied; event handlers are not written.</summary>
internal readonly struct ObservableCollectionKind<T> : IWrapperKind<ObservableCollection<T>, IList<T>>
{
    public static bool IsForm => true;

    public static IList<T>? Empty => [];

    public static object? Within(object inner) => ListsWithin.GetInner<T>(inner);

    public static IList<T> Unwrap(ObservableCollection<T> wrapper) => CollectionKind<T>.Unwrap(wrapper);

    public static void Construct(ObservableCollection<T> target, IList<T> inner) => CollectionKind<T>.Construct(target, inner);
}

internal readonly struct ReadOnlyObservableCollectionKind<T> : IWrapperKind<ReadOnlyObservableCollection<T>, ObservableCollection<T>>
{
    public static bool IsForm => true;

    public static ObservableCollection<T>? Empty => [];

    // The two delegates that subscribe to the wrapped list.
    public static int Overhead => 2 * 64;

    public static object? Within(object inner) => ListsWithin.GetInner<T>(inner);

    public static ObservableCollection<T> Unwrap(ReadOnlyObservableCollection<T> wrapper) =>
        (ObservableCollection<T>)ReadOnlyCollectionKind<T>.Unwrap(wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(ReadOnlyObservableCollection<T> target, ObservableCollection<T> inner);
}

internal readonly struct ReadOnlyDictionaryKind<TKey, TValue> : IWrapperKind<ReadOnlyDictionary<TKey, TValue>, IDictionary<TKey, TValue>>
    where TKey : notnull
{
    public static bool IsForm => true;

    public static IDictionary<TKey, TValue>? Empty => new Dictionary<TKey, TValue>();

    public static object? Within(object inner) =>
        inner is ReadOnlyDictionary<TKey, TValue> wrapper ? Unwrap(wrapper) ?? Wrapping.NotRead : null;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Dictionary")]
    public static extern IDictionary<TKey, TValue> Unwrap(ReadOnlyDictionary<TKey, TValue> wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(ReadOnlyDictionary<TKey, TValue> target, IDictionary<TKey, TValue> inner);
}

internal readonly struct ReadOnlySetKind<T> : IWrapperKind<ReadOnlySet<T>, ISet<T>>
{
    public static bool IsForm => true;

    public static ISet<T>? Empty => new HashSet<T>();

    public static object? Within(object inner) => inner is ReadOnlySet<T> wrapper ? Unwrap(wrapper) ?? Wrapping.NotRead : null;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_Set")]
    public static extern ISet<T> Unwrap(ReadOnlySet<T> wrapper);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(ReadOnlySet<T> target, ISet<T> inner);
}

/// <summary>Evaluated when it is written; restored with its value.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2091", Justification = TrimmingAdvice.Inside)]
internal readonly struct LazyKind<T> : IWrapperKind<Lazy<T>, T>
{
    public static bool AllowsNull => true;

    public static T Unwrap(Lazy<T> wrapper) => wrapper.Value;

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    public static extern void Construct(Lazy<T> target, T inner);
}

/// <summary>The lists that wrappers contain.</summary>
internal static class ListsWithin
{
    public static object? GetInner<T>(object list) => list switch
    {
        Collection<T> collection => CollectionKind<T>.Unwrap(collection) ?? Wrapping.NotRead,
        ReadOnlyCollection<T> collection => ReadOnlyCollectionKind<T>.Unwrap(collection) ?? Wrapping.NotRead,
        _ => null,
    };
}
