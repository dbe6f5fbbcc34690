using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Flat;
using Wire.Runtime;
using Wire.Sessions;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The flat code for the objects of a class, of which nothing is emitted.</summary>
/// <param name="type">The code for an object.</param>
/// <param name="bounds">What its objects take.</param>
internal sealed class InterpretedFlatType(FlatClass type, FlatBounds bounds) : FlatType(bounds)
{
    // Elements of so many bytes are flat at most. No text of elements is as long as that.
    private const int MaxElement = 1 << 16;

    public override FlatWriter CompileWriter(byte[] prefix, int types, bool takesTag)
    {
        FlatPart members = type.Members;
        if (members.CompileWriter(prefix, types, takesTag) is { } own)
        {
            return own;
        }

        int head = prefix.Length + (takesTag ? 1 : 0);
        return (ref byte destination, int room, object value, byte tag, WrittenTypes? known) =>
        {
            if (room < head)
            {
                return ~room;
            }

            var output = new FlatOutput(types, known);
            int size = members.Write(
                ref output, ref Unsafe.Add(ref destination, head), room - head, ref Unsafe.As<object, byte>(ref value));
            if (size < 0)
            {
                return size == FlatPart.NotFlat ? NotFlat : ~room;
            }

            Blocks.Copy(prefix, ref destination);
            if (takesTag)
            {
                Unsafe.Add(ref destination, prefix.Length) = tag;
            }

            return head + size;
        };
    }

    public override FlatReader CompileReader(byte[] prefix, int types, bool isKnown, int maxLength)
    {
        FlatPart members = type.Members;
        Func<object> create = type.Create;
        if (members.CompileReader(prefix, types, isKnown, maxLength, create) is { } own)
        {
            return own;
        }

        return (ref byte source, int length, DeserializerSession? session, ref int unread) =>
        {
            int room = length - prefix.Length;
            if (length > maxLength || room < 0 || !(isKnown || Blocks.Begins(ref source, prefix)))
            {
                return null;
            }

            var input = new FlatInput(types, session);
            object read = create();
            int size = members.Read(ref input, ref Unsafe.Add(ref source, prefix.Length), room, ref Unsafe.As<object, byte>(ref read));
            if (size < 0 || (size < room && Unsafe.IsNullRef(ref unread)))
            {
                return null;
            }

            if (size < room)
            {
                unread = room - size;
            }

            return read;
        };
    }

    /// <inheritdoc/>
    public override FlatElementsWriter CompilePairsWriter(ValueSerializer pair) => WriterOf(PairOf(pair), InstanceSize.OfField(pair.Type));

    /// <inheritdoc/>
    public override FlatElementsReader CompilePairsReader(ValueSerializer pair) => ReaderOf(PairOf(pair), InstanceSize.OfField(pair.Type));

    protected override FlatElementsWriter CompileObjectsWriter() => WriterOf(new FlatElement(type), IntPtr.Size);

    protected override FlatElementsReader CompileObjectsReader() => ReaderOf(new FlatElement(type), IntPtr.Size);

    private FlatPart PairOf(ValueSerializer pair) => ((IFlatPairs)pair).CreateFlatPart(new FlatElement(type));

    private static FlatElementsWriter WriterOf(FlatPart element, int distance) =>
        (ref WireWriter writer, ref byte first, int count, byte tag) =>
        {
            ref byte at = ref writer.Position;
            var output = new FlatOutput(tag);
            int done = 0;
            for (; done < count; done++)
            {
                int room = Math.Min(writer.LeftFrom(ref at), MaxElement);
                int size = element.Write(ref output, ref at, room, ref Unsafe.Add(ref first, (nint)done * distance));
                if (size < 0)
                {
                    break;
                }

                at = ref Unsafe.Add(ref at, size);
            }

            writer.GoTo(ref at);
            return done;
        };

    private static FlatElementsReader ReaderOf(FlatPart element, int distance) =>
        (ref WireReader reader, ref byte first, int count, byte tag, ref int done) =>
        {
            var input = new FlatInput(tag);
            for (; done < count; done++)
            {
                // Where it is not valid, the reader is in front of it.
                ref byte at = ref reader.Position;
                int size = element.Read(ref input, ref at, reader.LeftFrom(ref at), ref Unsafe.Add(ref first, (nint)done * distance));
                if (size < 0)
                {
                    break;
                }

                reader.GoTo(ref Unsafe.Add(ref at, size));
            }
        };
}
