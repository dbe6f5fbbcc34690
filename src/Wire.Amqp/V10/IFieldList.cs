namespace Wire.Amqp.V10;

/// <summary>Fields as elements of a list in a fixed order: a composite type of the specification.</summary>
/// <typeparam name="TSelf">The type with the fields.</typeparam>
public interface IFieldList<TSelf>
    where TSelf : struct, IFieldList<TSelf>
{
    /// <summary>Goes through the fields in the order in which they are written.</summary>
    /// <param name="self">What has the fields, which are handed over by reference.</param>
    /// <param name="fields">What is done with them.</param>
    static abstract void Fields<TFields>(ref TSelf self, ref TFields fields)
        where TFields : struct, IFields, allows ref struct;
}

/// <summary>
/// An operation on fields in order: measuring, writing or reading. An unset field is null; after the last one that is set, nothing is
/// written.
/// </summary>
public interface IFields
{
    /// <summary>A boolean.</summary>
    void Boolean(ref bool? value);

    /// <summary>A ubyte.</summary>
    void UByte(ref byte? value);

    /// <summary>A uint.</summary>
    void UInt(ref uint? value);

    /// <summary>A timestamp.</summary>
    void Timestamp(ref Timestamp? value);

    /// <summary>Binary.</summary>
    void Binary(ref ReadOnlyMemory<byte>? value);

    /// <summary>A string.</summary>
    void String(ref AmqpString value);

    /// <summary>A symbol.</summary>
    void Symbol(ref AmqpSymbol value);

    /// <summary>A message's identity: a ulong, uuid, binary or string.</summary>
    void MessageId(ref AmqpValue value);
}
