using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Sessions.Objects;

namespace Wire.Equality;

/// <summary>A value that was taken apart to be compared: what must be equal as it is, and parts that are compared in turn.</summary>
/// <param name="nodes">The nodes of the linked lists in its graph.</param>
internal sealed class GraphParts(NodeIndices nodes)
{
    // Most values have none.
    private List<Part>? _items;

    /// <summary>Gets the nodes of the linked lists in its graph.</summary>
    public NodeIndices Nodes => nodes;

    /// <summary>Gets the parts in the order in which they are written.</summary>
    public List<Part> Items => _items ??= [];

    /// <summary>Gets or sets the bytes of a value of fixed size, which has no parts; null for all others.</summary>
    public UInt128? Value { get; set; }

    /// <summary>Gets the elements that are numbers, which are compared at once; null where there are none.</summary>
    public Numbers? Block { get; private set; }

    /// <summary>Gets or sets the comparer of a collection; null is the default one.</summary>
    public object? Comparer { get; set; }

    /// <summary>
    /// Gets or sets what distinguishes values beside their parts, such as the bounds of an array; null where nothing does.
    /// </summary>
    public string? Form { get; set; }

    /// <summary>
    /// Gets or sets the hash code of a part, or of its key, in a collection without an order; null where the order counts.
    /// </summary>
    public Func<object?, int>? HashOf { get; set; }

    /// <summary>Takes another value.</summary>
    public void Clear()
    {
        _items?.Clear();
        (Value, Block, Comparer, Form, HashOf) = (null, null, null, null, null);
    }

    /// <summary>Adds a part.</summary>
    /// <param name="step">The step to it, as in a <see cref="Sessions.GraphPath"/>.</param>
    /// <param name="slot">The value serializer of the variable that holds it; null for a variable of any type.</param>
    /// <param name="value">Its value.</param>
    public void Add(int step, ValueSerializer? slot, object? value) => Items.Add(new Part(step, slot, value));

    /// <summary>Adds elements in their order.</summary>
    public void AddElements<T>(ValueSerializer element, ReadOnlySpan<T> values)
    {
        // Of numbers there are often many. Other value types may have bytes that mean nothing, or several for one value.
        if (typeof(T).IsPrimitive && typeof(T) != typeof(bool) && element.IsImmutable)
        {
            Block = new Numbers<T>(values.ToArray());
            return;
        }

        for (int i = 0; i < values.Length; i++)
        {
            Add(~i, element, values[i]);
        }
    }

    /// <summary>Adds bytes that are compared as they are, around the parts.</summary>
    public void AddBytes(byte[] bytes) => Block = new Numbers<byte>(bytes);

    internal readonly record struct Part(int Step, ValueSerializer? Slot, object? Value);

    /// <summary>Elements that are numbers.</summary>
    internal abstract class Numbers
    {
        public abstract int Count { get; }

        public abstract object? this[int index] { get; }

        public abstract ReadOnlySpan<byte> Bytes { get; }

        /// <summary>Returns the index of the first element with other bits; -1 when there is none.</summary>
        public abstract int FindDifference(Numbers other);
    }

    private sealed class Numbers<T>(T[] values) : Numbers
    {
        public override int Count => values.Length;

        public override object? this[int index] => values[index];

        public override ReadOnlySpan<byte> Bytes => MemoryMarshal.CreateReadOnlySpan(
            ref MemoryMarshal.GetArrayDataReference((Array)values), values.Length * Unsafe.SizeOf<T>());

        public override int FindDifference(Numbers other)
        {
            int same = Bytes.CommonPrefixLength(other.Bytes);
            return same == Bytes.Length ? -1 : same / Unsafe.SizeOf<T>();
        }
    }
}
