using Wire.Format;
using Wire.Messages;

namespace Wire.Diagnostics;

/// <summary>
/// A value of a dump with parts still to be shown. They are kept here and not on the stack, which a payload could overflow.
/// </summary>
/// <param name="shape">The layout of the value; that of its one part where <paramref name="label"/> names it.</param>
/// <param name="above">The nested values around the parts.</param>
/// <param name="label">The name of its one part; null where the layout names the parts.</param>
internal sealed class DumpNest(Shape shape, Skipper.Levels? above, string? label = null)
{
    /// <summary>The layout of the value.</summary>
    public Shape Shape => shape;

    /// <summary>The nested values around the parts.</summary>
    public Skipper.Levels? Above => above;

    /// <summary>Gets the number of parts.</summary>
    public long Count { get; init; } = 1;

    /// <summary>Gets the number of the next part.</summary>
    public long Next { get; set; }

    /// <summary>Gets the number of parts that are shown.</summary>
    public long Shown { get; init; } = long.MaxValue;

    /// <summary>Gets the position of the parts that are not shown.</summary>
    public int Start { get; set; }

    /// <summary>The collection that continues after this value, which is its comparer.</summary>
    public DumpHead? CollectionBehind { get; init; }

    /// <summary>The next part.</summary>
    /// <param name="name">The name of the part.</param>
    /// <param name="withName">True if the name will be shown.</param>
    public Shape TakePart(bool withName, out string name)
    {
        long index = Next++;
        if (label is not null)
        {
            name = label;
            return shape;
        }

        if (shape.Code == ShapeCode.Members)
        {
            ShapeMember member = shape.Members[(int)index];
            name = withName ? $"{DumpText.Plain(member.Name)}: " : "";
            return member.Shape;
        }

        bool isMap = shape.Code == ShapeCode.Map;
        bool isValue = isMap && (index & 1) != 0;
        name = !withName ? "" : !isMap ? $"[{index}]: " : $"[{index >> 1}] {(isValue ? "value" : "key")}: ";
        return isValue ? shape.Value! : shape.Element!;
    }
}

/// <summary>The head of a set or map, while its comparers are read.</summary>
/// <param name="label">The name of the collection.</param>
/// <param name="shape">Its layout.</param>
/// <param name="above">The nested values around its elements.</param>
internal sealed class DumpHead(string label, Shape shape, Skipper.Levels? above)
{
    /// <summary>Gets the name of the collection.</summary>
    public string Label => label;

    /// <summary>The layout of the collection.</summary>
    public Shape Shape => shape;

    /// <summary>The nested values around the elements.</summary>
    public Skipper.Levels? Above => above;

    /// <summary>Gets the number of comparers that are still to come.</summary>
    public int Left { get; set; } = 1;

    /// <summary>Gets the comparers that have come.</summary>
    public string? Comparers { get; private set; }

    /// <summary>Adds a comparer: in a pair, that of the keys and then that of the values.</summary>
    public void Add(string comparer)
    {
        Left--;
        Comparers = Comparers is null ? comparer : $"{Comparers}, values: {comparer}";
    }
}
