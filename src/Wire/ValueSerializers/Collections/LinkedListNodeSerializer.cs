using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Values;

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
                "it is in a list, of which each node would have a copy. Set SerializerOptions.PreserveObjectReferences of the " +
                "writer, or write its Value.");
        }

        NodeIndices indices = session.Objects.Nodes;
        int index = indices.Of(value, list, out int counted);
        if (counted > 0)
        {
            session.Costs.Charge(writer.Member, CostOf(counted));
        }

        slot.Write(ref writer, new(list, index));

        // The same error if it has changed meanwhile.
        indices.Note(list);
    }

    public override LinkedListNode<T> Read(ref WireReader reader)
    {
        var node = new LinkedListNode<T>(default!);
        DeserializerSession session = reader.Session;
        session.Track(node);
        int member = reader.Member;
        ReadLists lists = session.LinkedLists;
        int before = lists.Count;
        NodePlace<T> place = slot.Read(ref reader);

        // Errors from here on belong to the whole value, not to its last part.
        reader.Member = member;
        LinkedList<T> list = place.List ?? throw NotValid("its list is null");
        if (place.Index == Alone && list.Count == 1)
        {
            node.Value = list.First!.Value;
            return node;
        }

        if (!session.IsTracking)
        {
            throw NotValid("it has a place in a list, and the message has no references");
        }

        ReadList? known = lists.Find(list);
        if (known is null && session.Objects.IsOpen(list))
        {
            PutLater(session, node, list, place.Index);
            return node;
        }

        // A list that had been read before this node refers to no object for it, and neither does anything else: its own node is the
        // object, which the program may already know. Otherwise the object that others refer to takes its place.
        if (known is not null && known.Number < before)
        {
            return Take(session, known, list, place.Index);
        }

        Put(session, node, list, place.Index);
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

    // For a reader to find the nodes of a list by their indices.
    private static long CostOf(int count) => ReadLists.PerList + ((long)count * nint.Size);

    private static WireFormatException NotValid(string reason) => ThrowHelper.NotValid(nameof(LinkedListNode<>), reason);

    // In a separate method, so that only these cases allocate the closure. The list is still being read, and what asks a node for its
    // value, such as a set, waits for all of it.
    private static void PutLater(DeserializerSession session, LinkedListNode<T> node, LinkedList<T> list, int index) =>
        session.LinkedLists.Wait(list, () => Put(session, node, list, index));

    private static void Put(DeserializerSession session, LinkedListNode<T> node, LinkedList<T> list, int index)
    {
        // One that a value serializer of the program has read is first seen here.
        ReadList known = session.LinkedLists.Find(list) ?? session.LinkedLists.Add(list);
        LinkedListNode<T> there = Take(session, known, list, index);
        node.Value = there.Value;
        list.AddBefore(there, node);
        list.Remove(there);
        known.Version = ListVersion.Of(list);
    }

    // Returns the node with an index, which no other object can have from now on.
    private static LinkedListNode<T> Take(DeserializerSession session, ReadList known, LinkedList<T> list, int index)
    {
        if (known.Version != ListVersion.Of(list))
        {
            throw NotValid(
                "its list has changed since it was read, in a callback, a surrogate or another method of the program. Change it when the " +
                "whole message has been read");
        }

        if (known.Nodes is null)
        {
            session.Costs.Charge(CostOf(list.Count));
            known.Nodes = NodesOf(list);
        }

        var nodes = (LinkedListNode<T>?[])known.Nodes;
        if ((uint)index >= (uint)nodes.Length)
        {
            throw NotValid($"it is node {index} of a list of {nodes.Length}");
        }

        LinkedListNode<T> there = nodes[index] ?? throw NotValid($"another object is node {index} of its list, too");
        nodes[index] = null;
        return there;
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
