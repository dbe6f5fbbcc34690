namespace Wire.Slots;

/// <summary>
/// Writes an object; compiled for one class. The counterpart of <see cref="ObjectWriter"/>: an object needs no variable.
/// </summary>
internal delegate void BodyWriter(ref WireWriter writer, object value);

/// <summary>Reads an object; compiled for one class and one writer's schema of it.</summary>
internal delegate object BodyReader(ref WireReader reader);

/// <summary>A value serializer that can read an object into one that exists, of exactly its type, instead of making another.</summary>
internal interface IOverwriter
{
    /// <summary>Gets whether the objects can be read into at all.</summary>
    bool CanOverwrite { get; }

    /// <summary>
    /// Gets whether an object inside of the caller's may be read into. One that cannot change may be shared by the whole program.
    /// </summary>
    bool MayOverwrite => CanOverwrite;

    /// <summary>Reads an object.</summary>
    /// <param name="reader">The reader, at the object's body.</param>
    /// <param name="there">The object to read into, which nothing else of the message has been read into.</param>
    /// <returns>That object; another one where it cannot hold what is read, such as an array of another length.</returns>
    object ReadOver(ref WireReader reader, object there);
}
