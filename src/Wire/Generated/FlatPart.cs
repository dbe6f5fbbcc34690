using System.ComponentModel;

namespace Wire;

/// <summary>
/// The code for one variable of flat messages, which lie in one piece of memory and need no session. Only Wire derives from it, and its
/// members may change with any release.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class FlatPart
{
    /// <summary>Stands for a value that is not flat.</summary>
    internal const int NotFlat = int.MinValue;

    /// <summary>Stands for too little room below the root, where it is not known how much more is needed.</summary>
    internal const int TooLittle = NotFlat + 1;

    private protected FlatPart()
    {
    }

    /// <summary>Writes the value of the variable.</summary>
    /// <param name="output">What the parts of the message share.</param>
    /// <param name="start">Where the first byte goes.</param>
    /// <param name="room">The number of bytes that may be written from there on; negative where there are fewer than none.</param>
    /// <param name="variable">The variable.</param>
    /// <returns>
    /// The number of bytes written; negative where the message is not written as a flat one: minus the number of bytes that are missing,
    /// or one of two numbers that stand for other reasons.
    /// </returns>
    public abstract int Write(ref FlatOutput output, ref byte start, int room, ref byte variable);

    /// <summary>Reads a value into the variable.</summary>
    /// <param name="input">What the parts of the message share.</param>
    /// <param name="start">Where the first byte is.</param>
    /// <param name="room">The number of bytes that may be read from there on.</param>
    /// <param name="variable">The variable; undefined where the value is not read.</param>
    /// <returns>The number of bytes read; negative where the message is not read as a flat one.</returns>
    /// <exception cref="WireFormatException">The bytes are not a value. The exception has no position.</exception>
    public abstract int Read(ref FlatInput input, ref byte start, int room, ref byte variable);
}
