using System.Collections;
using System.Collections.ObjectModel;
using System.Collections.Specialized;

namespace Wire.Migration.Samples.Former;

/// <summary>A class whose members have all become other collections.</summary>
[Serializable]
public sealed class Shelf
{
    public Shelf()
    {
        First = new Part { Of = this, Number = 1 };
        Parts = [First, new Part { Of = this, Number = 2 }, First];
        Again = Parts;
        ByName = new() { ["a"] = First };
        ByPart = new() { [First] = "first" };
    }

    public Part First { get; }

    public List<Part> Parts { get; }

    public List<Part> Again { get; }

    public Dictionary<string, Part> ByName { get; }

    public Dictionary<Part, string> ByPart { get; }

    public List<string?> Names { get; } = ["a", null];

    public string[] Words { get; } = ["b", "c"];

    public List<int> Numbers { get; } = [1, 2];

    public int[] Signed { get; } = [1, 2];

    public int[] Counts { get; } = [3, 4];

    public List<int> Big { get; } = [300];

    public int[] Window { get; } = [5, 6];

    public List<int>? Nothing { get; }

    public List<int>? NoSegment { get; }

    public List<int> Present { get; } = [7];

    public ArraySegment<int> Segment { get; } = new([1, 2, 3], 1, 2);

    public HashSet<string> Tags { get; } = new(StringComparer.OrdinalIgnoreCase) { "x", "y" };

    public HashSet<string> Lengths { get; } = new(new ByLength()) { "abc" };

    public HashSet<int> Bag { get; } = [9, 8];

    public Dictionary<string, int> Prices { get; } = new(StringComparer.OrdinalIgnoreCase) { ["A"] = 1 };

    public Dictionary<string, List<int>> Lists { get; } = new() { ["b"] = [1], ["a"] = [] };

    public Queue<int> Queue { get; } = new([1, 2]);

    public Stack<string> Stack { get; } = new(["a", "b"]);

    public Collection<int> Collection { get; } = [1];

    public ReadOnlyCollection<string> View { get; } = new(["v"]);

    public string[] Viewed { get; } = ["w"];

    public List<int>[] Jagged { get; } = [[1, 2], []];

    public List<(int Number, string Name)> Pairs { get; } = [(1, "a")];

    public (int Number, string Name) Pair { get; } = (2, "b");

    public OrderedDictionary Ordered { get; } = new() { ["b"] = 1, ["a"] = 2 };

    public Hashtable Table { get; } = new() { ["a"] = 1 };

    public object Values { get; } = new NameValues(StringComparer.Ordinal, ["a"], [new ArrayList { "1", "2" }]);

    public ArrayList Untyped { get; } = [1, 2];

    public object Boxed { get; } = new List<int> { 1 };
}
