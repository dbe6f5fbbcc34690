using Wire.Buffers;
using Wire.Errors;

namespace Wire.Sessions;

/// <summary>
/// The nested blocks that are being written: each has its own buffer, because its length precedes it. Definitions inside a block are
/// forgotten at its end, because a reader may skip it.
/// </summary>
internal sealed class WrittenBlocks(SerializerSession session)
{
    private readonly Stack<Block> _open = new();
    private readonly Stack<ArrayOutput> _free = new();

    /// <summary>Sends what follows to a buffer of its own.</summary>
    /// <returns>The number of enclosing blocks.</returns>
    public int BeginBlock(ref WireWriter writer)
    {
        if (!_free.TryPop(out ArrayOutput? output))
        {
            output = new ArrayOutput();
        }

        Output outer = writer.Redirect(output);
        _open.Push(new Block(output, outer, session.Types.Count, session.Objects.Count, session.Path.Depth));
        return _open.Count - 1;
    }

    /// <summary>
    /// Closes the innermost block and writes it to the enclosing buffer: the number of bytes, unless that is fixed, the number of object
    /// numbers when references are preserved, and the bytes.
    /// </summary>
    public void EndBlock(ref WireWriter writer, ValueSerializer serializer, int outer)
    {
        Block block = _open.Peek();
        if (_open.Count != outer + 1 || session.Path.Depth != block.Depth)
        {
            ThrowHelper.WentOn(serializer);
        }

        writer.Redirect(block.Outer);
        writer.TakeBack(block.Output.Written.Length);
        session.Types.Truncate(block.Manifests);
        ReadOnlySpan<byte> bytes = block.Output.Written;
        int objects = session.Objects.Count - block.Objects;
        if (serializer.FixedSize == 0)
        {
            writer.WriteVarUInt32((uint)bytes.Length);
            if (session.TracksReferences)
            {
                writer.WriteVarUInt32((uint)objects);
            }
        }
        else if (serializer.FixedSize != bytes.Length || objects > 0)
        {
            throw new InvalidOperationException(objects > 0
                ? $"{serializer.GetType()} has a FixedSize but wrote objects that need numbers of their own. Leave FixedSize out."
                : $"{serializer.GetType()} has a FixedSize of {serializer.FixedSize} and wrote {bytes.Length} byte(s).");
        }

        writer.WriteBytes(bytes);
        Close();
    }

    /// <summary>Forgets the open blocks, after a failure.</summary>
    public void Abandon()
    {
        while (_open.Count > 0)
        {
            Close();
        }
    }

    private void Close()
    {
        ArrayOutput output = _open.Pop().Output;
        output.Reset();
        _free.Push(output);
    }

    /// <summary>A block that is being written, and the state at its beginning.</summary>
    private sealed record Block(ArrayOutput Output, Output Outer, int Manifests, int Objects, int Depth);
}
