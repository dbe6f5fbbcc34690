using System.Runtime.CompilerServices;
using Wire.Flat;
using Wire.Runtime;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The flat code for the objects of a class, of which nothing is emitted.</summary>
/// <param name="type">The code for an object.</param>
/// <param name="bounds">What its objects take.</param>
internal sealed class InterpretedFlatType(FlatClass type, FlatBounds bounds) : FlatType(bounds)
{
    // Elements of so many bytes are flat at most. No text of elements is as long as that.
    private const int MaxElement = 1 << 16;

    public override FlatWriter CompileWriter(byte[] prefix, int types, bool takesTag) =>
        type.Members.CompileWriter(prefix, types, takesTag);

    public override FlatReader CompileReader(byte[] prefix, int types, bool isKnown, int maxLength) =>
        type.Members.CompileReader(prefix, types, isKnown, maxLength, type.Create);

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
