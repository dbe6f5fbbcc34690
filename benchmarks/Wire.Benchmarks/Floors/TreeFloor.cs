using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Floors;

/// <summary>
/// Each node where it is met first, and later its number: an identity dictionary on write, a list on read, both kept by the thread.
/// A reference is 0 for null, 1 for a new node, and its number + 2 for one that is known.
/// </summary>
internal readonly struct TreeFloor : IFloor<TreeNode>
{
    [ThreadStatic]
    private static Dictionary<TreeNode, int>? _numbers;

    [ThreadStatic]
    private static List<TreeNode>? _nodes;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(TreeNode value, IBufferWriter<byte> output)
    {
        Dictionary<TreeNode, int> numbers = _numbers ??= new(ReferenceEqualityComparer.Instance);
        var writer = new SpanWriter(output);
        WriteReference(value, numbers, ref writer);
        writer.Finish();
        numbers.Clear();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static TreeNode Read(ReadOnlySpan<byte> payload)
    {
        List<TreeNode> nodes = _nodes ??= [];
        var reader = new SpanReader(payload);
        TreeNode root = ReadReference(nodes, ref reader) ?? throw new ArgumentException("The root is null.");
        nodes.Clear();
        return root;
    }

    private static void WriteReference(TreeNode? node, Dictionary<TreeNode, int> numbers, ref SpanWriter writer)
    {
        writer.Reserve(2 * sizeof(int));
        if (node is null)
        {
            writer.Int32(0);
            return;
        }

        ref int number = ref CollectionsMarshal.GetValueRefOrAddDefault(numbers, node, out bool isKnown);
        if (isKnown)
        {
            writer.Int32(number + 2);
            return;
        }

        number = numbers.Count - 1;
        writer.Int32(1);
        writer.Int32(node.Id);
        writer.Reserve(SpanWriter.Room(node.Name));
        writer.Text(node.Name);
        WriteReference(node.Parent, numbers, ref writer);
        WriteReference(node.Left, numbers, ref writer);
        WriteReference(node.Right, numbers, ref writer);
    }

    private static TreeNode? ReadReference(List<TreeNode> nodes, ref SpanReader reader)
    {
        int reference = reader.Int32();
        if (reference == 0)
        {
            return null;
        }

        if (reference != 1)
        {
            return nodes[reference - 2];
        }

        var node = new TreeNode();
        nodes.Add(node);
        node.Id = reader.Int32();
        node.Name = reader.Text();
        node.Parent = ReadReference(nodes, ref reader);
        node.Left = ReadReference(nodes, ref reader);
        node.Right = ReadReference(nodes, ref reader);
        return node;
    }
}

/// <summary>
/// Each node with a byte that says which children it has: a child's parent is the node above it, which only code for just this knows.
/// </summary>
internal readonly struct ImpliedTreeFloor : IFloor<TreeNode>
{
    private const int HasLeft = 1;
    private const int HasRight = 2;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(TreeNode value, IBufferWriter<byte> output)
    {
        var writer = new SpanWriter(output);
        WriteNode(value, ref writer);
        writer.Finish();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static TreeNode Read(ReadOnlySpan<byte> payload)
    {
        var reader = new SpanReader(payload);
        return ReadNode(null, ref reader);
    }

    private static void WriteNode(TreeNode node, ref SpanWriter writer)
    {
        writer.Reserve(sizeof(int) + SpanWriter.Room(node.Name) + 1);
        writer.Int32(node.Id);
        writer.Text(node.Name);
        writer.Byte((byte)((node.Left is null ? 0 : HasLeft) | (node.Right is null ? 0 : HasRight)));
        if (node.Left is not null)
        {
            WriteNode(node.Left, ref writer);
        }

        if (node.Right is not null)
        {
            WriteNode(node.Right, ref writer);
        }
    }

    private static TreeNode ReadNode(TreeNode? parent, ref SpanReader reader)
    {
        var node = new TreeNode { Id = reader.Int32(), Name = reader.Text(), Parent = parent };
        byte children = reader.Byte();
        node.Left = (children & HasLeft) != 0 ? ReadNode(node, ref reader) : null;
        node.Right = (children & HasRight) != 0 ? ReadNode(node, ref reader) : null;
        return node;
    }
}
