using Wire.Errors;

namespace Wire.Values;

/// <summary>The block around the bytes of a user's value serializer.</summary>
internal static class UserBlock
{
    public static int BeginWrite(ref WireWriter writer) => writer.Session.BeginBlock(ref writer);

    public static void EndWrite(ref WireWriter writer, ValueSerializer inner, int outer) =>
        writer.Session.EndBlock(ref writer, inner, outer);

    /// <summary>Reads the header of a block.</summary>
    public static Extent BeginRead(ref WireReader reader, int fixedSize)
    {
        (long end, int objects) = ReadLength(ref reader, fixedSize);
        return new Extent(end, objects, reader.Session.BeginBlock(), reader.Session.Path.Depth);
    }

    private static (long End, int Objects) ReadLength(ref WireReader reader, int fixedSize)
    {
        long size = fixedSize > 0 ? fixedSize : reader.ReadVarUInt32();
        reader.CheckLength(size);
        uint objects = fixedSize == 0 && reader.Session.IsTracking ? reader.ReadVarUInt32() : 0;
        if (objects > size)
        {
            ThrowHelper.Format(WireFormatError.Length, $"A block of {size} byte(s) cannot hold {objects} objects.");
        }

        return (reader.Offset + size, (int)objects);
    }

    /// <summary>Checks that a user's value serializer has read exactly the block.</summary>
    public static void EndRead(ref WireReader reader, Extent block, ValueSerializer inner)
    {
        if (reader.Session.Path.Depth != block.Depth)
        {
            ThrowHelper.WentOn(inner);
        }

        if (reader.Offset != block.End)
        {
            ThrowHelper.Format(
                WireFormatError.Length,
                $"{inner.GetType()} stopped reading {Math.Abs(
                    block.End - reader.Offset)} byte(s) {(reader.Offset < block.End ? "before" : "after")} the end of what was written.");
        }

        reader.Session.EndBlock(block);
    }

    /// <summary>Skips a block.</summary>
    public static void Skip(ref WireReader reader)
    {
        (long end, int objects) = ReadLength(ref reader, fixedSize: 0);
        reader.Skip(end - reader.Offset);
        for (int i = 0; i < objects; i++)
        {
            // Its position in the block is unknown.
            reader.Session.SkippedValues.EndValue(ref reader, reader.Session.Objects.BeginSkipped(null));
        }
    }

    /// <summary>
    /// A block that is being read: its end, its number of object numbers, and the state and depth at its beginning.
    /// </summary>
    public readonly record struct Extent(long End, int Objects, (int Manifests, int Objects) Before, int Depth);
}
