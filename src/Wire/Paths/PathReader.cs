using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Values;

namespace Wire.Paths;

/// <summary>Reads the value at the end of a path, without a session.</summary>
internal abstract class PathReader<T>
{
    /// <summary>Reads it; false where that is left to the general way.</summary>
    public abstract bool TryRead(ref PathCursor at, out T? value);
}

/// <summary>Reads a value of a fixed size, or null, as flat messages have it.</summary>
internal sealed class FlatPathReader<T>(FlatPart part) : PathReader<T>
{
    public override bool TryRead(ref PathCursor at, out T? value)
    {
        value = default;
        var input = new FlatInput(1, null);
        try
        {
            return part.Read(ref input, ref at.Here, at.Left, ref Unsafe.As<T?, byte>(ref value)) >= 0;
        }
        catch (WireFormatException)
        {
            // The general way says where it is.
            return false;
        }
    }
}

/// <summary>Reads text as a string.</summary>
internal sealed class TextPathReader(PathLimits limits) : PathReader<string>
{
    public override bool TryRead(ref PathCursor at, out string? value)
    {
        value = null;
        if (!at.TryReadText(out PayloadText text) || !limits.AllowText(text.Length, at.Objects))
        {
            return false;
        }

        value = text.ToString();
        return true;
    }
}

/// <summary>Reads a value of a fixed size, or null, that the writer has declared as another type.</summary>
internal sealed class AdaptedPathReader<T>(Serializer serializer, ValueSerializer<T> adapted) : PathReader<T>
{
    public override bool TryRead(ref PathCursor at, out T? value)
    {
        var reader = new WireReader(serializer.ThreadReading(), MemoryMarshal.CreateReadOnlySpan(ref at.Here, at.Left), null);
        try
        {
            value = adapted.Read(ref reader);
            return true;
        }
        catch (WireFormatException)
        {
            // The general way says where it is.
            value = default;
            return false;
        }
    }
}

/// <summary>Stands for bytes, which are read where they lie or in the general way.</summary>
internal sealed class BytesPathReader : PathReader<byte[]>
{
    public override bool TryRead(ref PathCursor at, out byte[]? value)
    {
        value = null;
        return false;
    }
}
