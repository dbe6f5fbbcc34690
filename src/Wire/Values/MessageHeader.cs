using System.Buffers;
using System.IO.Pipelines;
using Wire.AsyncSequences;
using Wire.Errors;
using Wire.Format;
using Wire.Framing;

namespace Wire.Values;

/// <summary>
/// The byte that begins a message, which tells the session how to read it, and what is around a value that async sequences follow.
/// </summary>
internal static class MessageHeader
{
    /// <summary>Reads the header of a payload with a typed or untyped root.</summary>
    public static void Read(ref WireReader reader, bool isTyped) => CheckTyped(Read(ref reader), isTyped);

    private static void CheckTyped(bool isSo, bool isTyped)
    {
        if (isSo != isTyped)
        {
            ThrowHelper.Format(WireFormatError.Header, isTyped
                ? "The payload carries its own root type: read it with Deserialize, not DeserializeTyped."
                : "The payload was written by SerializeTyped: read it with DeserializeTyped.");
        }
    }

    /// <summary>Reads the header of a payload whose root carries its type, and the one around it where async sequences follow.</summary>
    /// <returns>The offset of the end of the value, where its sequences begin; -1 where it has none.</returns>
    public static long ReadOuter(ref WireReader reader)
    {
        byte header = reader.ReadByte();
        long end = -1;
        DeserializerSession session = reader.Session;
        if (header == PayloadHeader.AsyncSequences && session.Sequences is null)
        {
            reader.ReadRef(SequencesHeader.Size - 1);
            session.Sequences = new ReadSequences(SequencesHeader.Read(reader.Behind(SequencesHeader.Size - 1)));
            end = ReadLength(ref reader) + reader.Offset;
            header = reader.ReadByte();
        }

        if (session.Sequences is not null && (header & PayloadHeader.Session) != 0)
        {
            ThrowHelper.Format(
                WireFormatError.Header, "The value in front of async sequences is a message of a session: it has to stand alone.");
        }

        if (Begin(ref reader, header))
        {
            CheckTyped(isSo: true, isTyped: false);
        }

        return end;
    }

    /// <summary>Reads the async sequences behind a value, and keeps those to which it leads.</summary>
    /// <param name="reader">The reader, behind the value.</param>
    /// <param name="end">Where the value has to end.</param>
    public static void ReadSequences(ref WireReader reader, long end)
    {
        reader.Member = Sessions.GraphPath.Root;
        if (reader.Offset != end)
        {
            ThrowHelper.InvalidValue("payload with async sequences", $"its value ends at {reader.Offset}, and its header says at {end}");
        }

        ReadSequences sequences = reader.Session.Sequences!;
        reader.Session.Sequences = null;
        for (uint number = 0; number < sequences.Count; number++)
        {
            ArrayBufferWriter<byte>? kept = sequences.LeadsTo(number) ? new() : null;
            while (TryReadFrame(ref reader, kept))
            {
            }

            if (kept is not null)
            {
                var pipe = PipeReader.Create(new ReadOnlySequence<byte>(kept.WrittenMemory));
                var source = new FrameSource(pipe, reader.Session.Limits.MaxFrameBytes);
                sequences.Find(number).Source = new OrderedFrames(source, number, last: number, count: 0);
            }
        }
    }

    // False behind the empty one at the end.
    private static bool TryReadFrame(ref WireReader reader, ArrayBufferWriter<byte>? kept)
    {
        int length = ReadLength(ref reader);
        if (kept is null)
        {
            reader.Skip(length);
        }
        else
        {
            reader.Session.Costs.Charge(FrameHeader.Size + length);
            FrameHeader.Write(ref kept.GetSpan(FrameHeader.Size)[0], length);
            kept.Advance(FrameHeader.Size);
            ReadBytes(ref reader, length, kept);
        }

        return length > 0;
    }

    private static int ReadLength(ref WireReader reader)
    {
        reader.ReadRef(FrameHeader.Size);
        int length = FrameHeader.Read(reader.Behind(FrameHeader.Size), reader.Session.Limits.MaxFrameBytes);
        reader.CheckLength(length);
        return length;
    }

    // From a connection, memory grows as bytes arrive: a length alone allocates nothing.
    private static void ReadBytes(ref WireReader reader, int length, ArrayBufferWriter<byte> kept)
    {
        const int MaxPiece = 1 << 16;
        while (length > 0)
        {
            int piece = Math.Min(length, MaxPiece);
            reader.ReadBytes(kept.GetSpan(piece)[..piece]);
            kept.Advance(piece);
            length -= piece;
        }
    }

    /// <summary>Reads the header of a payload.</summary>
    /// <returns>True if its root is typed.</returns>
    public static bool Read(ref WireReader reader) => Begin(ref reader, reader.ReadByte());

    private static bool Begin(ref WireReader reader, byte header)
    {
        if (!PayloadHeader.IsKnown(header))
        {
            PayloadHeader.Refuse(header, reader.Window);
        }

        reader.Session.BeginMessage(header);
        return (header & PayloadHeader.Typed) != 0;
    }
}
