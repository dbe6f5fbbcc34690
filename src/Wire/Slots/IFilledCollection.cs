namespace Wire.Slots;

/// <summary>
/// A value serializer of a collection that can also be constructed from elements that exist already: those that were read from another
/// format. The checks of keys are those of a payload.
/// </summary>
internal interface IFilledCollection
{
    /// <summary>Gets the type of an element; of a dictionary, the pair.</summary>
    Type ElementType { get; }

    /// <summary>Gets whether elements must be complete before they are added, because their parts are hashed or compared.</summary>
    bool ComparesParts { get; }

    /// <summary>Constructs a collection in place, in an object that may be of a derived class, and adds the elements.</summary>
    /// <param name="session">The session that counts the costs.</param>
    /// <param name="target">The object.</param>
    /// <param name="comparer">The comparer; null is the default one.</param>
    /// <param name="elements">An array of the type of the elements.</param>
    /// <exception cref="WireFormatException">An element cannot be added.</exception>
    void Fill(DeserializerSession session, object target, object? comparer, Array elements);
}

/// <summary>A value serializer of a class around one object, which can also be constructed over one that exists already.</summary>
internal interface IFilledWrapper
{
    /// <summary>Gets the type of the variable inside.</summary>
    Type InnerType { get; }

    /// <summary>Constructs a wrapper in place, in an object that may be of a derived class.</summary>
    /// <exception cref="WireFormatException">The object inside does not fit.</exception>
    void Fill(DeserializerSession session, object target, object inner);
}
