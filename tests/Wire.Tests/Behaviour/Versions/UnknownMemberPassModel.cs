namespace Wire.Tests.Behaviour.Versions;

/// <summary>Graphs of a newer program that share everything with everything: classes, sealed classes, arrays, lists and sets.</summary>
public static class NewestPass
{
    public enum Key { A, B }

    // The one in the middle lacks it.
    [WireName("Pass.Leaf")]
    public sealed class Leaf
    {
        public int Number;
        public object? Back;
        public Leaf? Next;
    }

    [WireName("Pass.Node")]
    public class Node
    {
        public string? Name;
        public Node? A;
        public Node[]? Bs;
        public List<object?>? C;
        public object? D;
        public Leaf? E;
        public Dictionary<Key, object?>? EnumMap;
        public Dictionary<object, object?>? ObjMap;
        public object? Z;
        public Leaf? L2;
        public int[]? Arr;
        public Part? Part;
        public Node? Zn;
        public List<Leaf?>? Leaves;
        public Plain? Plain;
        public Plain? Unknown;
        public HashSet<Node>? Set;
        public HashSet<object?>? UnknownSet;
    }

    [WireName("Pass.Part")]
    public sealed class Part
    {
        public int Number;
        public Leaf? Leaf;
        public Node? Node;
        public object? Any;
    }

    // The one in the middle keeps nothing of it.
    [WireName("Pass.Plain")]
    public sealed class Plain
    {
        public string? Name;
        public Node? Node;
        public Leaf? Leaf;
        public object? Known;
        public List<object?>? KnownList;
        public Part[]? KnownParts;
        public Part? KnownPart;
        public Plain? KnownPlain;
    }

    /// <summary>Makes a graph: its root is a node, an array of them, or an array of all.</summary>
    public static object Random(Random random, bool hasSets = true)
    {
        bool hasPlain = random.Next(2) == 0;
        int most = random.Next(2, 6);
        Node[] nodes = [.. Enumerable.Range(0, random.Next(1, 7)).Select(i => new Node { Name = $"n{i}" })];
        Leaf[] leaves = [.. Enumerable.Range(0, nodes.Length + 1).Select(i => new Leaf { Number = i })];
        Part[] parts = [new() { Number = 1 }, new() { Number = 2 }];
        Plain[] plain = [new() { Name = "p0" }, new() { Name = "p1" }];
        int[][] numbers = [[1], [2, 3]];
        object[] shared = [new[] { One(nodes) }, new[] { parts[0] }, new List<object?> { parts[1], nodes[0] }];
        foreach (Leaf leaf in leaves)
        {
            (leaf.Back, leaf.Next) = (Any(), Some(leaves));
        }

        foreach (Part part in parts)
        {
            (part.Leaf, part.Node, part.Any) = (Some(leaves), Some(nodes), Any());
        }

        foreach (Plain one in plain)
        {
            (one.Node, one.Leaf, one.Known, one.KnownPart, one.KnownPlain) = (Some(nodes), Some(leaves), Known(), Some(parts), Some(plain));
            one.KnownList = Has() ? (List<object?>)shared[2] : null;
            one.KnownParts = Has() ? (Part[])shared[1] : null;
        }

        foreach (Node node in nodes)
        {
            (node.A, node.D, node.E, node.Z, node.L2) = (Some(nodes), Known(), Some(leaves), Known(), Some(leaves));
            (node.Part, node.Zn, node.Arr) = (Some(parts), Some(nodes), Some(numbers));
            (node.Plain, node.Unknown) = hasPlain ? (Some(plain), Some(plain)) : (null, null);
            node.Bs = !Has() ? null : random.Next(2) == 0 ? (Node[])shared[0] : [One(nodes), One(nodes)];
            node.C = Has() ? [Any(), Any()] : null;
            node.EnumMap = Has() ? new() { [Key.A] = Any(), [Key.B] = Any() } : null;
            node.ObjMap = Has() ? new() { ["a"] = Any(), [1] = Any() } : null;
            node.Set = hasSets && Has() ? [One(nodes), One(nodes)] : null;
            node.UnknownSet = hasSets && Has() ? [Any(), Any()] : null;
            node.Leaves = Has() ? [Some(leaves), Some(leaves)] : null;
        }

        return random.Next(3) switch
        {
            0 => nodes[0],
            1 => nodes.Cast<object>().ToArray(),
            _ => new object[] { nodes, parts, hasPlain ? plain : 1, nodes[^1] },
        };

        bool Has() => random.Next(most) == 0;

        T One<T>(T[] of) => of[random.Next(of.Length)];

        T? Some<T>(T[] of)
            where T : class => Has() ? One(of) : null;

        // What the one in the middle may hold.
        object? Known() => !Has() ? null : random.Next(8) switch
        {
            0 or 1 => One(nodes),
            2 => One(parts),
            3 => One(numbers),
            4 => new List<object?> { One(parts), One(nodes) },
            5 => One(shared),
            6 when hasPlain => One(plain),
            _ => "text",
        };

        object? Any() => !Has() ? null : random.Next(4) switch
        {
            0 => One(leaves),
            1 => new List<object?> { One(leaves), One(nodes) },
            _ => Known(),
        };
    }
}

/// <summary>What the one in the middle knows of them.</summary>
public static class MiddlePass
{
    [WireName("Pass.Node")]
    public class Node : IUnknownMembers
    {
        public string? Name;
        public Node[]? Bs;
        public object? D;
        public object? Z;
        public Part? Part;
        public Plain? Plain;
        public HashSet<Node>? Set;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Pass.Part")]
    public sealed class Part : IUnknownMembers
    {
        public int Number;
        public Node? Node;

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Pass.Plain")]
    public sealed class Plain
    {
        public string? Name;
        public object? Known;
        public List<object?>? KnownList;
        public Part[]? KnownParts;
        public Part? KnownPart;
        public Plain? KnownPlain;
    }
}
