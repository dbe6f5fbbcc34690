using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Paths;

/// <summary>Reads the value at the end of a path.</summary>
internal abstract class PathReader
{
    /// <summary>Gets the number of bytes of values whose memory is what the payload has; 0 for others.</summary>
    public virtual int RawSize => 0;
}

/// <summary>Reads the value at the end of a path, without a session.</summary>
internal abstract class PathReader<T> : PathReader
{
    /// <summary>Reads it; false where that is left to the general way.</summary>
    /// <param name="rest">The payload from the value on.</param>
    /// <param name="objects">The number of objects that begin in front of it.</param>
    /// <param name="value">The value.</param>
    public abstract bool TryRead(ReadOnlySpan<byte> rest, int objects, out T? value);
}

/// <summary>Reads a value of a fixed size, or null, as flat messages have it.</summary>
/// <param name="part">What reads it.</param>
/// <param name="rawSize">The number of bytes of values whose memory is what the payload has; 0 for others.</param>
internal sealed class FlatPathReader<T>(FlatPart part, int rawSize) : PathReader<T>
{
    public override int RawSize => rawSize;

    public override bool TryRead(ReadOnlySpan<byte> rest, int objects, out T? value)
    {
        value = default;
        var input = new FlatInput(1, null);
        try
        {
            return part.Read(ref input, ref MemoryMarshal.GetReference(rest), rest.Length, ref Unsafe.As<T?, byte>(ref value)) >= 0;
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
    public override bool TryRead(ReadOnlySpan<byte> rest, int objects, out string? value)
    {
        value = null;
        if (!PayloadText.TryRead(rest, out PayloadText text, out _) || !limits.AllowText(text.Length, objects))
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
    public override bool TryRead(ReadOnlySpan<byte> rest, int objects, out T? value)
    {
        var reader = new WireReader(serializer.ThreadReading(), rest, null);
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
    public override bool TryRead(ReadOnlySpan<byte> rest, int objects, out byte[]? value)
    {
        value = null;
        return false;
    }
}
