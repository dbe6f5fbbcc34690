using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>Says when code of a class runs that a serializer has no business to run.</summary>
internal static class Forbidden
{
    [ThreadStatic]
    private static bool _armed;

    /// <summary>Runs something during which no constructor and no overridden method may run.</summary>
    public static T During<T>(Func<T> action)
    {
        _armed = true;
        try
        {
            return action();
        }
        finally
        {
            _armed = false;
        }
    }

    public static void Run()
    {
        if (_armed)
        {
            throw new InvalidOperationException("Code of a derived collection ran.");
        }
    }
}

public class TitledList : List<object?>
{
    public TitledList() => Forbidden.Run();

    public string? Title { get; set; }
}

/// <summary>As the base of a base, generic, and with a field of the same name.</summary>
public class ListOf<T> : List<T>
{
    public T? Favourite { get; set; }
}

public sealed class DeepList : ListOf<int>
{
    public new string? Favourite { get; set; }
}

public sealed class TitledDictionary : Dictionary<string, object?>
{
    public TitledDictionary(IEqualityComparer<string>? comparer = null)
        : base(comparer) => Forbidden.Run();

    public string? Title { get; set; }
}

public sealed class TitledSet(IEqualityComparer<string>? comparer) : HashSet<string>(comparer)
{
    public int Number { get; set; }
}

public sealed class TitledQueue : Queue<int>
{
    public string? Title { get; set; }
}

public sealed class TitledStack : Stack<int>
{
    public string? Title { get; set; }
}

public sealed class TitledSortedSet(IComparer<string>? comparer) : SortedSet<string>(comparer)
{
    public string? Title { get; set; }
}

public sealed class TitledLinkedList : LinkedList<string>
{
    public string? Title { get; set; }
}

public sealed class TitledConcurrentDictionary : ConcurrentDictionary<int, string>
{
    public string? Title { get; set; }
}

public sealed class TitledPriorityQueue : PriorityQueue<string, int>
{
    public string? Title { get; set; }
}

public sealed class GuardedCollection : Collection<object?>
{
    public string? Title { get; set; }

    protected override void InsertItem(int index, object? item)
    {
        Forbidden.Run();
        base.InsertItem(index, item);
    }
}

public sealed class GuardedObservable : ObservableCollection<int>
{
    public GuardedObservable() => Forbidden.Run();

    public string? Title { get; set; }

    protected override void InsertItem(int index, int item)
    {
        Forbidden.Run();
        base.InsertItem(index, item);
    }
}

public sealed class TitledView(IList<int> list) : ReadOnlyCollection<int>(list)
{
    public string? Title { get; set; }
}

public sealed record Part(string Key, int Count);

public sealed class Parts : KeyedCollection<string, Part>
{
    public Parts()
        : base(StringComparer.OrdinalIgnoreCase) => Forbidden.Run();

    public string? Title { get; set; }

    protected override string GetKeyForItem(Part item) => item.Key;

    protected override void InsertItem(int index, Part item)
    {
        Forbidden.Run();
        base.InsertItem(index, item);
    }
}

public sealed class GuardedArrayList : ArrayList
{
    public string? Title { get; set; }

    public override int Add(object? value)
    {
        Forbidden.Run();
        return base.Add(value);
    }

    public override object?[] ToArray()
    {
        Forbidden.Run();
        return base.ToArray();
    }
}

public sealed class GuardedHashtable : Hashtable
{
    public string? Title { get; set; }

    public override void Add(object key, object? value)
    {
        Forbidden.Run();
        base.Add(key, value);
    }

    public override IDictionaryEnumerator GetEnumerator()
    {
        Forbidden.Run();
        return base.GetEnumerator();
    }
}

public sealed class GuardedQueue : Queue
{
    public string? Title { get; set; }

    public override void Enqueue(object? obj)
    {
        Forbidden.Run();
        base.Enqueue(obj);
    }
}

public sealed class GuardedStack : Stack
{
    public string? Title { get; set; }

    public override void Push(object? obj)
    {
        Forbidden.Run();
        base.Push(obj);
    }
}

public sealed class GuardedSortedList : SortedList
{
    public string? Title { get; set; }

    public override void Add(object key, object? value)
    {
        Forbidden.Run();
        base.Add(key, value);
    }
}

public sealed class GuardedNames : NameValueCollection
{
    public string? Title { get; set; }

    public override void Add(string? name, string? value)
    {
        Forbidden.Run();
        base.Add(name, value);
    }
}

public sealed class TitledBindingList : BindingList<int>
{
    public TitledBindingList() => Forbidden.Run();

    public string? Title { get; set; }

    protected override void InsertItem(int index, int item)
    {
        Forbidden.Run();
        base.InsertItem(index, item);
    }

    protected override void OnListChanged(ListChangedEventArgs e)
    {
        Forbidden.Run();
        base.OnListChanged(e);
    }
}

public sealed class TitledPairs : ListDictionary
{
    public TitledPairs() => Forbidden.Run();

    public string? Title { get; set; }
}

public sealed class GuardedPairs : OrderedDictionary
{
    public string? Title { get; set; }

    public override IDictionaryEnumerator GetEnumerator()
    {
        Forbidden.Run();
        return base.GetEnumerator();
    }
}

public sealed class GuardedTexts : StringDictionary
{
    public string? Title { get; set; }

    public override int Count
    {
        get
        {
            Forbidden.Run();
            return base.Count;
        }
    }

    public override void Add(string key, string? value)
    {
        Forbidden.Run();
        base.Add(key, value);
    }

    public override IEnumerator GetEnumerator()
    {
        Forbidden.Run();
        return base.GetEnumerator();
    }
}

public sealed class OldCollection : CollectionBase
{
    public OldCollection() => Forbidden.Run();

    public string? Title { get; set; }

    protected override void OnInsert(int index, object? value) => Forbidden.Run();
}

public sealed class OldDictionary : DictionaryBase
{
    public OldDictionary() => Forbidden.Run();

    public string? Title { get; set; }

    protected override void OnInsert(object key, object? value) => Forbidden.Run();
}
