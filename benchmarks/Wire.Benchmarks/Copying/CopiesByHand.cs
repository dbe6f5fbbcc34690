using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Copying;

/// <summary>Copies as a program writes them that knows its classes.</summary>
internal static class CopiesByHand
{
    [ThreadStatic]
    private static Dictionary<TreeNode, TreeNode>? _nodes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Poco Copy(Poco value) => new()
    {
        StringProp = value.StringProp,
        IntProp = value.IntProp,
        GuidProp = value.GuidProp,
        DateProp = value.DateProp,
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<Poco> Copy(List<Poco> values)
    {
        var copy = new List<Poco>(values.Count);
        foreach (Poco value in values)
        {
            copy.Add(Copy(value));
        }

        return copy;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Dictionary<string, Poco> Copy(Dictionary<string, Poco> values)
    {
        var copy = new Dictionary<string, Poco>(values.Count);
        foreach ((string key, Poco value) in values)
        {
            copy.Add(key, Copy(value));
        }

        return copy;
    }

    /// <summary>Any graph of nodes: those that are reached twice have one copy, which a dictionary of the thread knows.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static TreeNode Copy(TreeNode root)
    {
        Dictionary<TreeNode, TreeNode> nodes = _nodes ??= new(ReferenceEqualityComparer.Instance);
        TreeNode copy = CopyNode(root, nodes)!;
        nodes.Clear();
        return copy;
    }

    /// <summary>A tree, in which a child's parent is the node above it: only code for just this knows that.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static TreeNode CopyTree(TreeNode node, TreeNode? parent = null)
    {
        var copy = new TreeNode { Id = node.Id, Name = node.Name, Parent = parent };
        copy.Left = node.Left is null ? null : CopyTree(node.Left, copy);
        copy.Right = node.Right is null ? null : CopyTree(node.Right, copy);
        return copy;
    }

    /// <summary>Each of the classes of mixed messages.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static object Copy(object message) => message switch
    {
        Ping value => new Ping { Sequence = value.Sequence },
        Ack value => new Ack { Message = value.Message, IsAccepted = value.IsAccepted },
        Reading value => new Reading { Sensor = value.Sensor, Value = value.Value, At = value.At },
        Notice value => new Notice { Topic = value.Topic, Text = value.Text },
        Poco value => Copy(value),
        Transfer value => new Transfer { Id = value.Id, From = Copy(value.From), To = Copy(value.To), Amount = value.Amount },
        Samples value => new Samples { Sensor = value.Sensor, Values = new List<int>(value.Values) },
        Basket value => new Basket { Id = value.Id, Customer = value.Customer, Lines = value.Lines.ConvertAll(Copy) },
        _ => throw new ArgumentException($"{message.GetType()} is not one of the classes."),
    };

    private static Account Copy(Account value) => new() { Bank = value.Bank, Number = value.Number };

    private static Line Copy(Line value) => new() { Product = value.Product, Quantity = value.Quantity, Price = value.Price };

    private static TreeNode? CopyNode(TreeNode? node, Dictionary<TreeNode, TreeNode> nodes)
    {
        if (node is null)
        {
            return null;
        }

        ref TreeNode? known = ref CollectionsMarshal.GetValueRefOrAddDefault(nodes, node, out bool isKnown);
        if (isKnown)
        {
            return known;
        }

        var copy = known = new TreeNode { Id = node.Id, Name = node.Name };
        copy.Parent = CopyNode(node.Parent, nodes);
        copy.Left = CopyNode(node.Left, nodes);
        copy.Right = CopyNode(node.Right, nodes);
        return copy;
    }
}
