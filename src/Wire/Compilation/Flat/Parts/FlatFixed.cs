using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire.Compilation.Flat.Parts;

/// <summary>A value of a fixed number of bytes.</summary>
internal sealed class FlatFixed<T, TFormat> : FlatPart
    where T : unmanaged
    where TFormat : IFixedFormat<T>
{
    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        if (room < TFormat.Size)
        {
            return room - TFormat.Size;
        }

        TFormat.Store(ref start, Unsafe.As<byte, T>(ref variable));
        return TFormat.Size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        if (room < TFormat.Size)
        {
            return NotFlat;
        }

        Unsafe.As<byte, T>(ref variable) = TFormat.Load(ref start);
        return TFormat.Size;
    }
}
