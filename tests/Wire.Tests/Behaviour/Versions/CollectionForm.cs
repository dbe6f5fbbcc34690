using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>A collection in which a program may declare elements, and what comes back in it from another one.</summary>
/// <param name="Declared">The type of the variable.</param>
/// <param name="Made">The type of what a payload with elements in another form is read as; null where it is the declared one.</param>
/// <param name="Order">What is known of the order of its elements.</param>
/// <param name="Make">Makes a value of different elements in rising order.</param>
/// <param name="Items">The elements of a value, in the order in which they are written.</param>
internal sealed record CollectionForm<T>(
    Type Declared, Type? Made, FormOrder Order, Func<T[], object> Make, Func<object, IEnumerable<T>> Items)
{
    /// <summary>All forms of sequences and sets.</summary>
    public static CollectionForm<T>[] All { get; } =
    [
        Of<T[]>(items => items),
        Of<List<T>>(items => [.. items]),
        Of<ImmutableArray<T>>(items => [.. items]),
        Of<ArraySegment<T>>(items => new(items)),
        Of<ReadOnlyMemory<T>>(items => new(items), memory => memory.ToArray()),
        Of<ImmutableList<T>>(items => [.. items]),
        Of<Queue<T>>(items => new(items)),
        Of<Stack<T>>(items => new(items), stack => stack.Reverse()),
        Of<LinkedList<T>>(items => new(items)),
        Of<ConcurrentQueue<T>>(items => new(items)),
        Of<ConcurrentStack<T>>(items => new(items), stack => stack.Reverse()),
        Of<ConcurrentBag<T>>(items => [.. items], bag => bag.Reverse(), FormOrder.None),
        Of<ImmutableQueue<T>>(items => [.. items]),
        Of<ImmutableStack<T>>(items => ImmutableStack.Create(items), stack => stack.Reverse()),
        Of<Collection<T>>(items => [.. items]),
        Of<ObservableCollection<T>>(items => [.. items]),
        Of<ReadOnlyCollection<T>>(items => new(items)),
        Of<ReadOnlyObservableCollection<T>>(items => new([.. items])),

        Of<IEnumerable<T>>(items => new Queue<T>(items), typeof(List<T>)),
        Of<ICollection<T>>(items => new LinkedList<T>(items), typeof(List<T>)),
        Of<IList<T>>(items => items, typeof(List<T>)),
        Of<IReadOnlyCollection<T>>(items => new ReadOnlyCollection<T>([.. items]), typeof(List<T>)),
        Of<IReadOnlyList<T>>(items => new List<T>(items), typeof(List<T>)),
        Of<IImmutableList<T>>(items => ImmutableList.Create(items), typeof(ImmutableList<T>)),
        Of<IImmutableQueue<T>>(items => ImmutableQueue.Create(items), typeof(ImmutableQueue<T>)),
        Of<IImmutableStack<T>>(items => ImmutableStack.Create(items), typeof(ImmutableStack<T>)),

        Of<HashSet<T>>(items => [.. items]) with { Order = FormOrder.None },
        Of<SortedSet<T>>(items => [.. items]),
        Of<FrozenSet<T>>(items => items.ToFrozenSet()) with { Order = FormOrder.None },
        Of<ImmutableHashSet<T>>(items => [.. items]) with { Order = FormOrder.None },
        Of<ImmutableSortedSet<T>>(items => [.. items]),
        Of<ReadOnlySet<T>>(items => new(new HashSet<T>(items))) with { Order = FormOrder.None },
        Of<ISet<T>>(items => new SortedSet<T>(items), typeof(HashSet<T>)) with { Order = FormOrder.None },
        Of<IReadOnlySet<T>>(items => items.ToFrozenSet(), typeof(HashSet<T>)) with { Order = FormOrder.None },
        Of<IImmutableSet<T>>(items => ImmutableSortedSet.Create(items), typeof(ImmutableHashSet<T>)) with { Order = FormOrder.None },
    ];

    /// <inheritdoc/>
    public override string ToString() => Declared.ToString();

    /// <summary>The type as which a value of another form comes back.</summary>
    /// <param name="value">The value.</param>
    /// <param name="written">The form of the variable that it was in; null for none.</param>
    public Type ReadAs(object value, Type? written)
    {
        Type type = value is FrozenSet<T> ? typeof(FrozenSet<T>) : value.GetType();

        // A variable of exactly its type does not say which that is, except of arrays with a tag.
        bool isNamed = written is null || (type != written && !type.IsValueType);
        bool hasTag = value is int[] or string[] or Guid[];
        return type == Declared || ((isNamed || hasTag) && Declared.IsAssignableFrom(type)) ? type : Made ?? Declared;
    }

    private static CollectionForm<T> Of<TCollection>(
        Func<T[], TCollection> make, Func<TCollection, IEnumerable<T>> items, FormOrder order = FormOrder.Kept)
        where TCollection : notnull =>
        new(typeof(TCollection), null, order, from => make(from), value => items((TCollection)value));

    private static CollectionForm<T> Of<TCollection>(Func<T[], TCollection> make, Type? made = null)
        where TCollection : IEnumerable<T> =>
        new(typeof(TCollection), made, FormOrder.Kept, from => make(from), ItemsOf);

    private static IEnumerable<T> ItemsOf(object value) => (IEnumerable<T>)value;
}

/// <summary>What is known of the order of a collection's elements.</summary>
internal enum FormOrder
{
    None,
    Kept,
}
