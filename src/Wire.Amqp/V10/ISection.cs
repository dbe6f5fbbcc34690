namespace Wire.Amqp.V10;

/// <summary>
/// A section of a message. Each is described once, by <see cref="Contents"/>; its size, its bytes and its reading follow from that.
/// </summary>
/// <typeparam name="TSelf">The section itself.</typeparam>
public interface ISection<TSelf>
    where TSelf : struct, ISection<TSelf>
{
    /// <summary>Which section it is.</summary>
    static abstract SectionKind Kind { get; }

    /// <summary>Hands over the value that is the section.</summary>
    /// <param name="section">The section, whose contents are handed over by reference.</param>
    /// <param name="contents">What is done with them.</param>
    static abstract void Contents<TContents>(ref TSelf section, ref TContents contents)
        where TContents : struct, IContents, allows ref struct;
}

/// <summary>An operation on the value of a section: it is measured, written or read.</summary>
public interface IContents
{
    /// <summary>A list of fields.</summary>
    void Fields<TFields>(ref TFields fields)
        where TFields : struct, IFieldList<TFields>;

    /// <summary>A map.</summary>
    void Map(ref AmqpMap map);

    /// <summary>Binary.</summary>
    void Binary(ref System.Buffers.ReadOnlySequence<byte> bytes);

    /// <summary>A list.</summary>
    void List(ref AmqpList list);

    /// <summary>A value of any type.</summary>
    void Value(ref AmqpValue value);
}
