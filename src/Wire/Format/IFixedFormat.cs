namespace Wire.Format;

/// <summary>The layout of the values of one type in a fixed number of bytes. One implementation per wire shape, not per type.</summary>
internal interface IFixedFormat<T>
{
    /// <summary>The number of bytes.</summary>
    static abstract int Size { get; }

    /// <summary>
    /// Gets whether the memory layout is the wire format and every bit pattern is a value, so that arrays are block copies.
    /// </summary>
    static abstract bool IsRaw { get; }

    /// <summary>Stores the value in <see cref="Size"/> bytes, without a bounds check.</summary>
    static abstract void Store(ref byte destination, T value);

    /// <summary>Loads a value from <see cref="Size"/> bytes, without a bounds check.</summary>
    /// <exception cref="WireFormatException">The bytes are not a valid value of the type.</exception>
    static abstract T Load(ref byte source);
}
