namespace Wire.Format;

/// <summary>A position in a payload, from which a <see cref="LayoutWalker"/> reads. What is read is behind it then.</summary>
internal interface IPayloadCursor
{
    /// <summary>Gets the number of bytes in front of the position.</summary>
    long Offset { get; }

    byte ReadByte();

    /// <summary>Reads the byte in front of a value that may be null: 0 or 1.</summary>
    bool ReadBoolean();

    /// <summary>Reads a variable-length integer of 32 bits.</summary>
    uint ReadVarUInt32();

    /// <summary>Reads the number of elements or pairs, which is within the limits, and for which the payload has room.</summary>
    /// <param name="elementSize">The least number of bytes of each.</param>
    uint ReadCount(int elementSize);

    /// <summary>Reads the lengths and lower bounds of an array, and returns the number of elements, as <see cref="ReadCount"/>.</summary>
    /// <param name="elementSize">The least number of bytes of each.</param>
    uint ReadBounds(int elementSize);

    void Skip(long count);

    /// <summary>Passes over a value of a built-in type of varying size.</summary>
    /// <param name="tag">The tag of the type.</param>
    /// <param name="isTagged">True if the value is behind its tag, so that a string is not null.</param>
    void SkipScalar(byte tag, bool isTagged);

    /// <summary>Takes note of the index of the element or pair that begins here, for errors in it.</summary>
    void AtElement(int index);

    /// <summary>Takes note that a tag begins here.</summary>
    void AtTag();

    /// <summary>Takes note that the tag stands for an object, or for a reference to one.</summary>
    void AtObject();
}
