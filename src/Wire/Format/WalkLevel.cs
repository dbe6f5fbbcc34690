namespace Wire.Format;

/// <summary>
/// A value that a <see cref="LayoutWalker"/> is inside of: an object, a value with parts, or both where the object's content has parts.
/// </summary>
/// <param name="end">What its end is: that of an object or level, or that of its parts.</param>
internal struct WalkLevel(WalkStep end)
{
    /// <summary>Gets what its end is: that of an object or level, or that of its parts.</summary>
    public readonly WalkStep End => end;

    /// <summary>Gets or sets what the caller has to remember of the object.</summary>
    public int Mark { get; set; }

    /// <summary>Gets or sets the shape that has the parts; null where there are none, before them and behind them.</summary>
    public Shape? Shape { get; set; }

    /// <summary>Gets or sets what the caller has to remember of the value with parts.</summary>
    public int PartsMark { get; set; }

    /// <summary>Gets or sets the number of comparers that are still to come.</summary>
    public byte Comparers { get; set; }

    /// <summary>Gets or sets whether there are two comparers.</summary>
    public bool IsPair { get; set; }

    /// <summary>Gets or sets whether the number of parts is known.</summary>
    public bool HasCount { get; set; }

    /// <summary>Gets or sets the number of parts that are still to come; of a map, keys and values.</summary>
    public uint Left { get; set; }

    /// <summary>Gets or sets the number of parts that have begun.</summary>
    public uint Begun { get; set; }

    /// <summary>Begins the next part.</summary>
    /// <param name="index">Its index among the elements or pairs; -1 for a member, and for the value of a pair.</param>
    public Shape Take(out int index)
    {
        Left--;
        uint part = Begun++;
        Shape shape = Shape!;
        index = -1;
        if (shape.Members.Length > 0)
        {
            return shape.Members[part].Shape;
        }

        if (shape.Value is not { } value)
        {
            index = (int)part;
            return shape.Element!;
        }

        if ((part & 1) != 0)
        {
            return value;
        }

        index = (int)(part >> 1);
        return shape.Element!;
    }
}
