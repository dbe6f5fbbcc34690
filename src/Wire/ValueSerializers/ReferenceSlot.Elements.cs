using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Flat;
using Wire.Format;
using Wire.Sessions.Objects;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <content>Elements of collections: most are of one type after the other.</content>
internal sealed partial class ReferenceSlot<T>
{
    internal override void WriteMany(ref WireWriter writer, ReadOnlySpan<T?> values)
    {
        if (values.Length <= FewElements)
        {
            base.WriteMany(ref writer, values);
            return;
        }

        int member = writer.Member;
        var elements = new WrittenElements();
        WriteElements(ref writer, values, 0, ref elements);
        elements.GoBack(ref writer);
        writer.Member = member;
    }

    internal override void ReadMany(ref WireReader reader, Span<T?> values, int start)
    {
        if (values.Length <= FewElements)
        {
            base.ReadMany(ref reader, values, start);
            return;
        }

        int member = reader.Member;
        var elements = new ReadElements();
        ReadElements(ref reader, values, start, ref elements);
        elements.GoBack(ref reader);
        reader.Member = member;
    }

    public void ReadManyOver(ref WireReader reader, Span<T?> values, int start)
    {
        int member = reader.Member;
        FlatElements? flat = FlatElements;
        var trial = default(FlatTrial);
        for (int i = 0; i < values.Length; i++)
        {
            reader.Member = ~(start + i);
            if (flat is not null && trial.IsTried)
            {
                int read = flat.ReadOver(ref reader, ref Unsafe.As<T?, byte>(ref values[i]), values.Length - i);
                trial.Note(read);
                i += read;
                if (i == values.Length)
                {
                    break;
                }

                reader.Member = ~(start + i);
            }

            ReadOver(ref reader, ref Unsafe.As<T?, byte>(ref values[i]));
        }

        reader.Member = member;
    }

    public override void WriteElement(ref WireWriter writer, T? value, int index, ref WrittenElements elements) =>
        WriteSome(ref writer, new ReadOnlySpan<T?>(in value), index, ref elements);

    public override T? ReadElement(ref WireReader reader, int index, ref ReadElements elements)
    {
        T? value = null;
        ReadSome(ref reader, new Span<T?>(ref value), index, ref elements);
        return value;
    }

    protected override int WriteSome(ref WireWriter writer, scoped ReadOnlySpan<T?> values, int index, ref WrittenElements elements)
    {
        T? value = values[0];
        if (value is null)
        {
            writer.WriteByte(Tag.Null);
            return 1;
        }

        ref byte first = ref Unsafe.As<T?, byte>(ref MemoryMarshal.GetReference(values));
        int written = elements.Write(ref writer, ref first, values.Length, index);
        if (written == 0 && _holdsAnything)
        {
            written = CommonFormat.WriteSome(
                ref writer, MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<byte, object?>(ref first), values.Length), index);
        }

        if (written == 0)
        {
            WriteFirst(ref writer, value, index, ref elements);
            written = 1;
        }

        return written;
    }

    // An object of a type that is new in the collection, or that needs more than its compiled code.
    private void WriteFirst(ref WireWriter writer, T value, int index, ref WrittenElements elements)
    {
        writer.Member = ~index;
        WriteBehind(ref writer, value);
        if (elements.MayRepeat(value))
        {
            elements.Add(ref writer, value.GetType(), EntryOf(ref writer, value), _declared);
        }
    }

    protected override int ReadSome(ref WireReader reader, scoped Span<T?> values, int index, ref ReadElements elements)
    {
        ref byte first = ref Unsafe.As<T?, byte>(ref MemoryMarshal.GetReference(values));
        int read = elements.Read(ref reader, ref first, values.Length, index);
        if (read == 0 && _holdsAnything)
        {
            read = CommonFormat.ReadSome(
                ref reader, MemoryMarshal.CreateSpan(ref Unsafe.As<byte, object?>(ref first), values.Length), index);
        }

        if (read == 0)
        {
            reader.Member = ~index;
            values[0] = ReadFirst(ref reader, reader.ReadByte(), ref elements);
            read = 1;
        }

        return read;
    }

    private T? ReadFirst(ref WireReader reader, byte tag, ref ReadElements elements)
    {
        if (tag == Tag.Null)
        {
            return null;
        }

        T value = ReadBehind(ref reader, tag);
        if (tag is Tag.Declared or >= Tag.FirstShortIdentifier && elements.MayRepeat(tag))
        {
            DeserializerSession session = reader.Session;
            elements.Add(
                tag,
                tag == Tag.Declared ? Exact(session) : session.FindFitting(tag, _declared) ?? session.ReadType<T>(ref reader, tag),
                _declared);
        }

        return value;
    }
}
