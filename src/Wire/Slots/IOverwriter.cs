namespace Wire.Slots;

/// <summary>A value serializer that can read an object into one that exists, of exactly its type, instead of making another.</summary>
internal interface IOverwriter
{
    /// <summary>Gets whether the objects can be read into at all.</summary>
    bool CanOverwrite { get; }

    /// <summary>
    /// Gets whether an object inside of the caller's may be read into. One that cannot change may be shared by the whole program.
    /// </summary>
    bool MayOverwrite { get; }

    /// <summary>Reads an object.</summary>
    /// <param name="reader">The reader, at the object's body.</param>
    /// <param name="there">The object to read into, which nothing else of the message has been read into.</param>
    /// <returns>That object; another one where it cannot hold what is read, such as an array of another length.</returns>
    object ReadOver(ref WireReader reader, object there);
}

/// <summary>A value serializer that reads into a variable of the caller, over what that holds.</summary>
internal interface IOverwritingSlot
{
    /// <summary>Reads a value: the message has <see cref="DeserializerSession.Overwritten"/>.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="variable">The variable, of the type of the value serializer.</param>
    void ReadOver(ref WireReader reader, ref byte variable);
}

/// <summary>A value serializer that reads elements of collections over those of the caller in a way of its own.</summary>
internal interface IOverwritingElements<T>
{
    /// <summary>Reads elements.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements of the caller.</param>
    /// <param name="start">The index of the first of them.</param>
    void ReadManyOver(ref WireReader reader, Span<T> values, int start);
}
