namespace Wire.Equality;

/// <summary>A value that was taken apart to be compared: what must be equal as it is, and parts that are compared in turn.</summary>
internal sealed class GraphParts
{
    /// <summary>Gets the parts in the order in which they are written.</summary>
    public List<Part> Items { get; } = [];

    /// <summary>Gets or sets the comparer of a collection; null is the default one.</summary>
    public object? Comparer { get; set; }

    /// <summary>
    /// Gets or sets what distinguishes values beside their parts, such as the bounds of an array; null where nothing does.
    /// </summary>
    public string? Form { get; set; }

    /// <summary>Gets or sets the hash code of a part, or of its key, in a collection without an order; null where the order counts.</summary>
    public Func<object?, int>? HashOf { get; set; }

    /// <summary>Gets or sets the key of a part, by which it is found in a collection without an order; null where it is the key itself.</summary>
    public Func<object, object?>? KeyOf { get; set; }

    /// <summary>Adds a part.</summary>
    /// <param name="step">The step to it, as in a <see cref="Sessions.GraphPath"/>.</param>
    /// <param name="slot">The value serializer of the variable that holds it.</param>
    /// <param name="value">Its value.</param>
    public void Add(int step, ValueSerializer slot, object? value) => Items.Add(new Part(step, slot, value));

    /// <summary>Adds elements in their order.</summary>
    public void AddElements<T>(ValueSerializer element, IEnumerable<T> values)
    {
        int i = 0;
        foreach (T value in values)
        {
            Add(~i++, element, value);
        }
    }

    internal readonly record struct Part(int Step, ValueSerializer Slot, object? Value);
}
