using System.Runtime.CompilerServices;
using Wire.Runtime;

namespace Wire.Compilation.Flat.Parts;

/// <summary>An object that is an element of a collection, of exactly the type that the message has announced before.</summary>
/// <param name="type">The code for its objects.</param>
internal sealed class FlatElement(FlatClass type) : FlatPart
{
    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        if (Unsafe.As<byte, object?>(ref variable) is not { } value || TypeIdentity.Get(value) != type.Identity || room < 1)
        {
            return NotFlat;
        }

        int size = type.Members.Write(ref output, ref Unsafe.Add(ref start, 1), room - 1, ref Unsafe.As<object, byte>(ref value));
        if (size < 0)
        {
            return NotFlat;
        }

        start = output.Element;
        return 1 + size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        if (room < 1 || start != input.Element)
        {
            return NotFlat;
        }

        int size = type.Read(ref input, ref Unsafe.Add(ref start, 1), room - 1, ref variable);
        return size < 0 ? NotFlat : 1 + size;
    }
}
