using Wire.Compilation.Emit;

namespace Wire.Slots;

/// <summary>
/// Code for values of variable size that starts at a position in the window and leaves the position after the value: emitted code keeps it
/// in a local (see <see cref="EmittedPosition{TDelegate}"/>).
/// </summary>
internal interface IWindowSerializer
{
    /// <summary>
    /// Emits the code that writes a value. The evaluation stack holds references to the writer and to the position, the value and the
    /// member's number; a reference to the position after the value replaces them.
    /// </summary>
    void EmitWriteAt(ICompiler<ObjectWriter> compiler);

    /// <summary>
    /// Emits the code that reads a value. The evaluation stack holds references to the reader and to the position, the member's number and
    /// a reference to a local for the value; a reference to the position after the value replaces them.
    /// </summary>
    void EmitReadAt(ICompiler<ObjectReader> compiler);

    /// <summary>Gets the maximal number of bytes of a value in a flat object; of a string, those in front of the characters.</summary>
    int MaxFlatSize { get; }

    /// <summary>
    /// Emits the code that writes a value of a flat object. The evaluation stack holds a reference to the position, where there is room,
    /// and the value; the number of bytes written replaces them.
    /// </summary>
    void EmitWriteFlat(ICompiler<ObjectWriter> compiler);

    /// <summary>
    /// Emits the code that reads a value of a flat object. The evaluation stack holds a reference to the position of its first byte, the
    /// number of bytes behind that, and a reference to a local for the value. It is replaced by the number of bytes of the value behind the
    /// first one, negative when there are too few or it is not read here.
    /// </summary>
    /// <param name="compiler">The method that is being emitted.</param>
    /// <param name="countsText">True if long text is counted, and not read here.</param>
    /// <param name="keepsText">True if the local has text, which stays where the value is equal.</param>
    void EmitReadFlat(ICompiler<ObjectReader> compiler, bool countsText, bool keepsText);
}
