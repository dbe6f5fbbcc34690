namespace Wire.Slots;

/// <summary>A value of a fixed number of bytes, whose reads and writes can be merged with those of its neighbours.</summary>
internal interface IFixedSerializer
{
    int FixedSize { get; }

    /// <summary>Gets whether some bytes are not a valid value.</summary>
    bool CanFail { get; }

    /// <summary>Checks the bytes of values, one behind the other.</summary>
    /// <exception cref="WireFormatException">Some of them are no value.</exception>
    void Check(ReadOnlySpan<byte> values);

    /// <summary>The code for such a value or null.</summary>
    IWindowSerializer Nullable { get; }

    /// <summary>Emits the store: the stack holds a reference to the destination and the value.</summary>
    void EmitStore(ICompiler<ObjectWriter> compiler);

    /// <summary>Emits the load: the value replaces the reference to the source on the stack.</summary>
    void EmitLoad(ICompiler<ObjectReader> compiler);
}
