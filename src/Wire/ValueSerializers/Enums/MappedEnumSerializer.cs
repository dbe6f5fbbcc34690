using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Enums;

/// <summary>Reads an enum whose writer gave some of its names other values.</summary>
internal sealed class MappedEnumSerializer<T>(ValueSerializer<T> own, EnumMap map) : ValueSerializer<T>, IElementSized
    where T : unmanaged
{
    int IElementSized.LeastSize => map.Size;

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    internal override bool IsImmutable => true;

    public override void Write(ref WireWriter writer, T value) => own.Write(ref writer, value);

    public override T Read(ref WireReader reader)
    {
        ref byte source = ref reader.ReadRef(map.Size);
        ulong bits = map.Convert(map.Size switch
        {
            1 => source,
            2 => LittleEndian.Load<ushort>(ref source),
            4 => LittleEndian.Load<uint>(ref source),
            _ => LittleEndian.Load<ulong>(ref source),
        });
        return Unsafe.SizeOf<T>() switch
        {
            1 => Unsafe.BitCast<byte, T>((byte)bits),
            2 => Unsafe.BitCast<ushort, T>((ushort)bits),
            4 => Unsafe.BitCast<uint, T>((uint)bits),
            _ => Unsafe.BitCast<ulong, T>(bits),
        };
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(own);
}
