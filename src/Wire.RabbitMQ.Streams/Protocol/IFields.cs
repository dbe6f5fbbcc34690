using System.Numerics;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>
/// An operation on the fields of a command, in order: writing or reading. The members are the protocol's types.
/// </summary>
internal interface IFields
{
    /// <summary>An integer, most significant byte first.</summary>
    void Number<T>(ref T value)
        where T : unmanaged, IBinaryInteger<T>;

    /// <summary>A string: an int16 for the length and UTF-8, or -1 for null.</summary>
    void Text(ref string? value);

    /// <summary>Bytes: an int32 for the length, or -1 for null.</summary>
    void Bytes(ref byte[]? value);

    /// <summary>An array: an int32 for the count, and the items.</summary>
    void List<TItem>(ref IReadOnlyList<TItem>? items)
        where TItem : struct, IFieldGroup<TItem>;
}

/// <summary>Fields that belong together. They are described once; how they are written and read follows from that.</summary>
/// <typeparam name="TSelf">The group itself.</typeparam>
internal interface IFieldGroup<TSelf>
    where TSelf : struct, IFieldGroup<TSelf>
{
    /// <summary>Visits the fields in the order of the protocol. A group without fields omits it.</summary>
    static virtual void Fields<TFields>(ref TSelf group, ref TFields fields)
        where TFields : struct, IFields, allows ref struct
    {
    }
}

/// <summary>A command, or the result of an answer in addition to its code.</summary>
internal interface ICommand<TSelf> : IFieldGroup<TSelf>
    where TSelf : struct, ICommand<TSelf>
{
    /// <summary>Which command it is.</summary>
    static abstract CommandKey Key { get; }

    /// <summary>The version of its layout: 1 unless it says otherwise.</summary>
    static virtual ushort Version => 1;
}

/// <summary>A command that is answered.</summary>
/// <typeparam name="TSelf">The command itself.</typeparam>
/// <typeparam name="TResponse">The result in addition to the code.</typeparam>
internal interface IRequest<TSelf, TResponse> : ICommand<TSelf>
    where TSelf : struct, IRequest<TSelf, TResponse>
    where TResponse : struct, IFieldGroup<TResponse>;
