using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation.Flat.Parts;
using Wire.Equality;
using Wire.Format;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Conversion;
using Wire.ValueSerializers.Enums;

namespace Wire.ValueSerializers;

/// <summary>Every type of a fixed size, by its format. With a tag it is a built-in type, without one an enum.</summary>
internal sealed class FixedSerializer<T, TFormat>(byte shape) : ValueSerializer<T>, IFixedSerializer, IFlatSlot, IVectorElement
    where T : unmanaged
    where TFormat : IFixedFormat<T>
{
    private const int BlockElements = 256;

    private Shape? _shape;

    public override int FixedSize => TFormat.Size;

    public bool CanFail => !TFormat.IsRaw;

    public void Check(ReadOnlySpan<byte> values)
    {
        ref byte first = ref MemoryMarshal.GetReference(values);
        for (int i = 0; i <= values.Length - TFormat.Size; i += TFormat.Size)
        {
            TFormat.Load(ref Unsafe.Add(ref first, i));
        }
    }

    public FlatPart CreateFlatPart() => new FlatFixed<T, TFormat>();

    public IWindowSerializer Nullable => new FixedNullable<T, TFormat>();

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    internal override bool IsImmutable => true;

    public override void Write(ref WireWriter writer, T value) => WriteValue(ref writer, value);

    public override T Read(ref WireReader reader) => ReadValue(ref reader);

    internal override void WriteObject(ref WireWriter writer, object value) => TFormat.Store(ref writer.Reserve(TFormat.Size), (T)value);

    internal override object ReadObject(ref WireReader reader) => TFormat.Load(ref reader.ReadRef(TFormat.Size));

    internal override void WriteAt(ref WireWriter writer, ref byte variable) =>
        TFormat.Store(ref writer.Reserve(TFormat.Size), Unsafe.As<byte, T>(ref variable));

    internal override void ReadAt(ref WireReader reader, ref byte variable) =>
        Unsafe.As<byte, T>(ref variable) = TFormat.Load(ref reader.ReadRef(TFormat.Size));

    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler) => compiler.EmitCall(((Writer)WriteValue).Method);

    public override void EmitReadValue(ICompiler<ObjectReader> compiler) => compiler.EmitCall(((Reader)ReadValue).Method);

    // No value of fixed size is larger.
    internal override bool TryAddParts(GraphParts parts, object value)
    {
        UInt128 bytes = default;
        TFormat.Store(ref Unsafe.As<UInt128, byte>(ref bytes), (T)value);
        parts.Value = bytes;
        return true;
    }

    public void EmitStore(ICompiler<ObjectWriter> compiler)
    {
        if (TFormat.IsRaw)
        {
            compiler.IL.Emit(OpCodes.Unaligned, (byte)1);
            compiler.IL.Emit(OpCodes.Stobj, typeof(T));
        }
        else
        {
            compiler.EmitCall(((Storer)TFormat.Store).Method);
        }
    }

    public void EmitLoad(ICompiler<ObjectReader> compiler)
    {
        if (TFormat.IsRaw)
        {
            compiler.IL.Emit(OpCodes.Unaligned, (byte)1);
            compiler.IL.Emit(OpCodes.Ldobj, typeof(T));
        }
        else
        {
            compiler.EmitCall(((Loader)TFormat.Load).Method);
        }
    }

    internal override void WriteMany(ref WireWriter writer, ReadOnlySpan<T> values)
    {
        if (TFormat.IsRaw)
        {
            writer.WriteBytes(MemoryMarshal.AsBytes(values));
            return;
        }

        while (!values.IsEmpty)
        {
            ReadOnlySpan<T> block = values[..Math.Min(BlockElements, values.Length)];
            ref byte destination = ref writer.Reserve(block.Length * TFormat.Size);
            for (int i = 0; i < block.Length; i++)
            {
                TFormat.Store(ref Unsafe.Add(ref destination, i * TFormat.Size), block[i]);
            }

            values = values[block.Length..];
        }
    }

    internal override void ReadMany(ref WireReader reader, Span<T> values, int start)
    {
        if (TFormat.IsRaw)
        {
            reader.ReadBytes(MemoryMarshal.AsBytes(values));
            return;
        }

        while (!values.IsEmpty)
        {
            Span<T> block = values[..Math.Min(BlockElements, values.Length)];
            ref byte source = ref reader.ReadRef(block.Length * TFormat.Size);
            for (int i = 0; i < block.Length; i++)
            {
                block[i] = TFormat.Load(ref Unsafe.Add(ref source, i * TFormat.Size));
            }

            values = values[block.Length..];
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => _shape ??=
        typeof(T).IsEnum ? EnumShapes.Create(typeof(T), shape) : Shape.BuiltIn(shape);

    public ValueSerializer CreateVectorSerializer() => new ArraySerializer<T>(this);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        byte from = writer.Code == ShapeCode.Enum ? writer.Element!.Code : writer.Code;
        return writer.Code == ShapeCode.Enum && context.Registry.Shape(this) is { Code: ShapeCode.Enum } own
            && EnumMap.Between(typeof(T), writer, own) is { } map
            ? new MappedEnumSerializer<T>(this, map)
            : from == shape ? this
            : NumberConversion.Find(from, shape, this);
    }

    private delegate void Writer(ref WireWriter writer, T value);

    private delegate T Reader(ref WireReader reader);

    private delegate void Storer(ref byte destination, T value);

    private delegate T Loader(ref byte source);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteValue(ref WireWriter writer, T value) => TFormat.Store(ref writer.Reserve(TFormat.Size), value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadValue(ref WireReader reader) => TFormat.Load(ref reader.ReadRef(TFormat.Size));
}
