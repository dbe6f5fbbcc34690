namespace Wire.Slots;

/// <summary>The value serializer of arrays or lists, without the type of their elements: a count, and the elements.</summary>
internal interface ISequenceSerializer
{
    /// <summary>The value serializer of the elements.</summary>
    ValueSerializer Element { get; }

    /// <summary>Gets the number of bytes of memory that an element takes in the collection.</summary>
    int ElementMemory { get; }
}
