using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Slots;

namespace Wire.ValueSerializers;

/// <summary>A value of a fixed size or null, in the window: a byte that says which, and the value.</summary>
internal sealed class FixedNullable<T, TFormat> : FlatPart, IWindowSerializer
    where T : unmanaged
    where TFormat : IFixedFormat<T>
{
    private delegate ref byte Writer(scoped ref WireWriter writer, [UnscopedRef] ref byte position, T? value, int member);

    private delegate ref byte Reader(scoped ref WireReader reader, [UnscopedRef] ref byte position, int member, out T? value);

    private delegate int FlatWriter(ref byte destination, T? value);

    private delegate int FlatReader(ref byte source, int available, out T? value);

    public int MaxFlatSize => 1 + TFormat.Size;

    public void EmitWriteAt(ICompiler<ObjectWriter> compiler) => compiler.EmitCall(((Writer)WriteAt).Method);

    public void EmitReadAt(ICompiler<ObjectReader> compiler) => compiler.EmitCall(((Reader)ReadAt).Method);

    public void EmitWriteFlat(ICompiler<ObjectWriter> compiler) => compiler.EmitCall(((FlatWriter)WriteFlat).Method);

    public void EmitReadFlat(ICompiler<ObjectReader> compiler, bool countsText, bool keepsText) =>
        compiler.EmitCall(((FlatReader)ReadFlat).Method);

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable) =>
        room > TFormat.Size ? WriteFlat(ref start, Unsafe.As<byte, T?>(ref variable)) : room - (1 + TFormat.Size);

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        int size = room < 1 ? NotFlat : ReadFlat(ref start, room - 1, out Unsafe.As<byte, T?>(ref variable));
        return size < 0 ? NotFlat : 1 + size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteFlat(ref byte destination, T? value)
    {
        bool hasValue = value.HasValue;
        destination = hasValue ? (byte)1 : (byte)0;
        if (!hasValue)
        {
            return 1;
        }

        TFormat.Store(ref Unsafe.Add(ref destination, 1), value.GetValueOrDefault());
        return 1 + TFormat.Size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int ReadFlat(ref byte source, int available, out T? value)
    {
        value = null;
        if (source == 0)
        {
            return 0;
        }

        if (source != 1 || available < TFormat.Size)
        {
            return -1;
        }

        value = TFormat.Load(ref Unsafe.Add(ref source, 1));
        return TFormat.Size;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteAt(scoped ref WireWriter writer, [UnscopedRef] ref byte position, T? value, int member)
    {
        ref byte flag = ref writer.EnsureAt(ref position, 1 + TFormat.Size, member);
        if (!value.HasValue)
        {
            flag = 0;
            return ref Unsafe.Add(ref flag, 1);
        }

        flag = 1;
        TFormat.Store(ref Unsafe.Add(ref flag, 1), value.GetValueOrDefault());
        return ref Unsafe.Add(ref flag, 1 + TFormat.Size);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte ReadAt(scoped ref WireReader reader, [UnscopedRef] ref byte position, int member, out T? value)
    {
        int left = reader.LeftFrom(ref position);
        if (left > 0 && position == 0)
        {
            value = null;
            return ref Unsafe.Add(ref position, 1);
        }

        if (left > TFormat.Size && position == 1)
        {
            ref byte end = ref Unsafe.Add(ref position, 1 + TFormat.Size);
            if (!TFormat.IsRaw)
            {
                reader.GoTo(ref end, member);
            }

            value = TFormat.Load(ref Unsafe.Add(ref position, 1));
            return ref end;
        }

        reader.GoTo(ref position, member);
        value = ReadAnywhere(ref reader);
        return ref reader.Position;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T? ReadAnywhere(ref WireReader reader) =>
        BooleanFormat.Load(ref reader.ReadRef(1)) ? TFormat.Load(ref reader.ReadRef(TFormat.Size)) : null;
}
