using System.Collections.Immutable;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>The types of a program before some of them changed.</summary>
internal static class Before
{
    [WireName("Nested.Part")]
    public sealed class Part
    {
        public int Id { get; set; }

        public string? Name { get; set; }

        public double Gone { get; set; }

        public Guid Key { get; set; }

        public string? Lost { get; set; }
    }

    [WireName("Nested.Cell")]
    public struct Cell
    {
        public int X { get; set; }

        public string? Text { get; set; }

        public bool Gone { get; set; }
    }

    [WireName("Nested.Node")]
    public class Node
    {
        public int Number { get; set; }

        public string? Gone { get; set; }

        public Node? Next { get; set; }

        public Part? Part { get; set; }
    }

    [WireName("Nested.Leaf")]
    public sealed class NodeLeaf : Node
    {
        public short More { get; set; }
    }

    [WireName("Nested.Document")]
    public sealed class Document
    {
        public Part? One { get; set; }

        public List<Part?>? List { get; set; }

        public Part?[]? Array { get; set; }

        public Dictionary<string, Part?>? Named { get; set; }

        public Dictionary<int, Part?>? Numbered { get; set; }

        public Queue<Part?>? Queue { get; set; }

        public ImmutableList<Part?>? Immutable { get; set; }

        public SortedDictionary<int, Part?>? Sorted { get; set; }

        public List<Cell>? Cells { get; set; }

        public Cell? Cell { get; set; }

        public Node? Node { get; set; }

        public List<Node?>? Nodes { get; set; }

        public object? Any { get; set; }

        public List<object?>? Anything { get; set; }
    }
}

/// <summary>The same ones afterwards.</summary>
internal static class After
{
    [WireName("Nested.Part")]
    public sealed class Part
    {
        public Guid Key { get; set; }

        public int? Added { get; set; }

        public string? Name { get; set; }

        public long Id { get; set; }
    }

    [WireName("Nested.Cell")]
    public struct Cell
    {
        public string? Text { get; set; }

        public string? Added { get; set; }

        public long X { get; set; }
    }

    [WireName("Nested.Node")]
    public class Node
    {
        public Part? Part { get; set; }

        public Node? Next { get; set; }

        public int? Number { get; set; }
    }

    [WireName("Nested.Leaf")]
    public sealed class NodeLeaf : Node
    {
        public int More { get; set; }
    }

    [WireName("Nested.Document")]
    public sealed class Document
    {
        public List<object?>? Anything { get; set; }

        public object? Any { get; set; }

        public List<Node?>? Nodes { get; set; }

        public Node? Node { get; set; }

        public Cell? Cell { get; set; }

        public List<Cell>? Cells { get; set; }

        public SortedDictionary<long, Part?>? Sorted { get; set; }

        public ImmutableList<Part?>? Immutable { get; set; }

        public Queue<Part?>? Queue { get; set; }

        public Dictionary<long, Part?>? Numbered { get; set; }

        public Dictionary<string, Part?>? Named { get; set; }

        public Part?[]? Array { get; set; }

        public List<Part?>? List { get; set; }

        public Part? One { get; set; }

        public string? Added { get; set; }
    }

    public static Part? Of(Before.Part? part) => part is null ? null : new Part { Id = part.Id, Name = part.Name, Key = part.Key };

    public static Cell Of(Before.Cell cell) => new() { X = cell.X, Text = cell.Text };

    public static Node? Of(Before.Node? node) => node switch
    {
        null => null,
        Before.NodeLeaf leaf => new NodeLeaf { Number = leaf.Number, Next = Of(leaf.Next), Part = Of(leaf.Part), More = leaf.More },
        _ => new Node { Number = node.Number, Next = Of(node.Next), Part = Of(node.Part) },
    };

    public static object? OfAny(object? any) => any switch
    {
        Before.Part part => Of(part),
        Before.Node node => Of(node),
        Before.Cell cell => Of(cell),
        _ => any,
    };

    public static Document Of(Before.Document before) => new()
    {
        One = Of(before.One),
        List = before.List?.ConvertAll(Of),
        Array = before.Array?.Select(Of).ToArray(),
        Named = before.Named?.ToDictionary(pair => pair.Key, pair => Of(pair.Value)),
        Numbered = before.Numbered?.ToDictionary(pair => (long)pair.Key, pair => Of(pair.Value)),
        Queue = before.Queue is { } queue ? new(queue.Select(Of)) : null,
        Immutable = before.Immutable is { } list ? [.. list.Select(Of)] : null,
        Sorted = before.Sorted is { } sorted ? new(sorted.ToDictionary(pair => (long)pair.Key, pair => Of(pair.Value))) : null,
        Cells = before.Cells?.ConvertAll(Of),
        Cell = before.Cell is { } cell ? Of(cell) : null,
        Node = Of(before.Node),
        Nodes = before.Nodes?.ConvertAll(Of),
        Any = OfAny(before.Any),
        Anything = before.Anything?.ConvertAll(OfAny),
    };
}
