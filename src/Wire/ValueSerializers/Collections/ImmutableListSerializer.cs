using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Immutable lists, from and to an array that is used again: to go through the tree, and to balance it for each new element, takes several
/// times as long.
/// </summary>
internal sealed class ImmutableListSerializer<T>(ValueSerializer<T> element) : ValueSerializer<ImmutableList<T>>, ICollectionForm
{
    // As for all collections of nodes.
    private const int MemorySize = Budget.ElementOverhead;

    // Where the input's length is unknown, no more is trusted at first.
    private const int FirstElements = 1024;

    public ValueSerializer AsPart() => this;

    public override void Write(ref WireWriter writer, ImmutableList<T> value)
    {
        writer.WriteCount(value.Count, Unsafe.SizeOf<T>() + MemorySize);
        T[] items = ArrayPool<T>.Shared.Rent(value.Count);
        try
        {
            value.CopyTo(items);
            element.WriteMany(ref writer, items.AsSpan(0, value.Count));
        }
        finally
        {
            Return(items, value.Count);
        }
    }

    public override ImmutableList<T> Read(ref WireReader reader)
    {
        int count = reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>() + MemorySize, out int capacity);
        T[] items = ArrayPool<T>.Shared.Rent(Math.Min(count, capacity));
        int done = 0;
        try
        {
            for (int room = Math.Min(count, capacity); ; room = (int)Math.Min(count, Math.Max(FirstElements, room * 2L)))
            {
                if (room > items.Length)
                {
                    T[] larger = ArrayPool<T>.Shared.Rent(room);
                    items.AsSpan(0, done).CopyTo(larger);
                    Return(items, done);
                    items = larger;
                }

                int start = done;
                done = room;
                element.ReadMany(ref reader, items.AsSpan(start, room - start), start);
                if (room == count)
                {
                    return ImmutableList.Create(items.AsSpan(0, count));
                }
            }
        }
        finally
        {
            Return(items, done);
        }
    }

    internal override bool IsImmutable => element.IsImmutable;

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.AddElements<T>(element, ((ImmutableList<T>)value).ToArray());
        return true;
    }

    internal override ImmutableList<T> Copy(ref GraphCopier copier, ImmutableList<T> value)
    {
        if (element.IsImmutable)
        {
            return value;
        }

        T[] items = ArrayPool<T>.Shared.Rent(value.Count);
        try
        {
            value.CopyTo(items);
            element.CopyMany(ref copier, items.AsSpan(0, value.Count), items);
            return ImmutableList.Create(items.AsSpan(0, value.Count));
        }
        finally
        {
            Return(items, value.Count);
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Sequence(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Sequence
        ? new ImmutableListSerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context))
        : CollectionForms.Adapt(this, writer, context);

    private static void Return(T[] items, int used)
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(items, 0, used);
        }

        ArrayPool<T>.Shared.Return(items);
    }
}
