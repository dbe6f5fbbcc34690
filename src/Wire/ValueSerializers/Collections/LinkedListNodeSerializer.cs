using Wire.Contracts;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Messages;
using Wire.Sessions;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// A node of a linked list is written as its list and its index in that, and takes its place in the list that is read. It exists before
/// that list, whose elements may refer to it.
/// </summary>
/// <param name="slot">Writes and reads its place.</param>
internal sealed class LinkedListNodeSerializer<T>(ValueSerializer<NodePlace<T>> slot) : ValueSerializer<LinkedListNode<T>>
{
    // The index of a node without a list, whose value is written as that of a list of its own.
    private const int Alone = -1;

    // For a reader to find the nodes of a list by their indices.
    private const int PerList = 128;

    public override void Write(ref WireWriter writer, LinkedListNode<T> value)
    {
        if (value.List is not { } list)
        {
            slot.Write(ref writer, ToPlace(value));
            return;
        }

        SerializerSession session = writer.Session;
        if (!session.TracksReferences)
        {
            ThrowHelper.Unsupported(
                typeof(LinkedListNode<T>),
                "it is in a list, of which each node would have a copy. Set SerializerOptions.PreserveObjectReferences, on both " +
                "sides, or write its Value.");
        }

        NodeIndices indices = session.Objects.Nodes;
        int index = indices.Of(value, list, out int counted);
        if (counted > 0)
        {
            session.Costs.Charge(writer.Member, CostOf(counted));
        }

        slot.Write(ref writer, new(list, index));
        if (!indices.AreOf(list))
        {
            throw Changes.Seen(typeof(LinkedList<T>), new InvalidOperationException());
        }
    }

    public override LinkedListNode<T> Read(ref WireReader reader)
    {
        var node = new LinkedListNode<T>(default!);
        DeserializerSession session = reader.Session;
        session.Track(node);
        int member = reader.Member;
        int scope = session.Objects.BeginScope();
        NodePlace<T> place = slot.Read(ref reader);
        int lowest = session.Objects.EndScope(scope);

        // Errors from here on belong to the whole value, not to its last part.
        reader.Member = member;
        if (place.Index == Alone && place.List is { Count: 1 })
        {
            node.Value = place.List.First!.Value;
        }
        else if (lowest == ReadObjects.Whole)
        {
            Put(session, node, place);
        }
        else
        {
            PutLater(session, lowest, node, place);
        }

        return node;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var node = (LinkedListNode<T>)value;
        parts.Add(GraphPath.Root, slot, node.List is { } list ? new(list, parts.Nodes.Of(node, list, out _)) : ToPlace(node));
        return true;
    }

    internal override LinkedListNode<T> Copy(ref GraphCopier copier, LinkedListNode<T> value)
    {
        if (value.List is not null)
        {
            throw new CopyGivenUpException();
        }

        var copy = new LinkedListNode<T>(default!);
        copier.Track(copy);
        copy.Value = slot.Copy(ref copier, ToPlace(value)).List!.First!.Value;
        return copy;
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(slot);

    private static NodePlace<T> ToPlace(LinkedListNode<T> alone) => new(new([alone.Value]), Alone);

    private static long CostOf(int count) => PerList + ((long)count * nint.Size);

    // In a separate method, so that only these cases allocate the closure.
    private static void PutLater(DeserializerSession session, int lowest, LinkedListNode<T> node, NodePlace<T> place) =>
        session.Objects.Waiting.Add(lowest, () => Put(session, node, place));

    private static void Put(DeserializerSession session, LinkedListNode<T> node, NodePlace<T> place)
    {
        if (place.List is not { } list)
        {
            ThrowHelper.InvalidValue(nameof(LinkedListNode<>), "its list is null");
            return;
        }

        Dictionary<object, Array> lists = session.LinkedLists;
        if (!lists.TryGetValue(list, out Array? found))
        {
            session.Costs.Charge(CostOf(list.Count));
            lists.Add(list, found = NodesOf(list));
        }

        var nodes = (LinkedListNode<T>?[])found;
        if ((uint)place.Index >= (uint)nodes.Length)
        {
            ThrowHelper.InvalidValue(nameof(LinkedListNode<>), $"it is node {place.Index} of a list of {nodes.Length}");
        }

        if (nodes[place.Index] is not { } there)
        {
            ThrowHelper.InvalidValue(nameof(LinkedListNode<>), $"another object is node {place.Index} of its list, too");
            return;
        }

        nodes[place.Index] = null;
        node.Value = there.Value;
        list.AddBefore(there, node);
        list.Remove(there);
    }

    private static LinkedListNode<T>?[] NodesOf(LinkedList<T> list)
    {
        var nodes = new LinkedListNode<T>?[list.Count];
        int count = 0;
        for (LinkedListNode<T>? next = list.First; next is not null; next = next.Next)
        {
            nodes[count++] = next;
        }

        return nodes;
    }

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new LinkedListNodeSerializer<T>((ValueSerializer<NodePlace<T>>)slot.Adapt(writer, context));
}

/// <summary>The place of a node.</summary>
/// <param name="List">Its list, or one with its value.</param>
/// <param name="Index">Its index in its list; -1 when it has none.</param>
internal readonly record struct NodePlace<T>(LinkedList<T>? List, int Index);
