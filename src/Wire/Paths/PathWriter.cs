using Wire.Format;

namespace Wire.Paths;

/// <summary>Collects the instructions of a part of a path's program.</summary>
internal sealed class PathWriter
{
    private readonly List<PathInstruction> _code = [];

    /// <summary>Gets the number of bytes of fixed values behind the last instruction.</summary>
    public int Before { get; private set; }

    /// <summary>Gets the instructions.</summary>
    public PathInstruction[] Code => [.. _code];

    /// <summary>Adds an instruction.</summary>
    public void Add(PathCode next, Shape? shape = null, uint index = 0, PathKey? key = null)
    {
        _code.Add(new PathInstruction(next, Before, shape, index, key));
        Before = 0;
    }

    /// <summary>Passes over a value.</summary>
    public void Pass(Shape passed)
    {
        // More fixed bytes than a payload has need no sum.
        if (passed.FixedSize is > 0 and int size && Before <= int.MaxValue - size)
        {
            Before += size;
        }
        else if (passed.Code == Tag.String)
        {
            Add(PathCode.Text);
        }
        else if (passed is { Code: ShapeCode.Nullable, Element.FixedSize: > 0 })
        {
            Add(PathCode.Nullable, passed, (uint)passed.Element.FixedSize);
        }
        else
        {
            Add(PathCode.Value, passed);
        }
    }
}
