using Wire.Compilation;

namespace Wire.ValueSerializers;

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
}
