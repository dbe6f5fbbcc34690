using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire.Compilation.Flat.Parts;

/// <summary>A pair of a dictionary: the key, then the value.</summary>
/// <param name="key">The code for the key.</param>
/// <param name="value">The code for the value.</param>
internal sealed class FlatPair<TKey, TValue>(FlatPart key, FlatPart value) : FlatPart
{
    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        ref KeyValuePair<TKey, TValue> pair = ref Unsafe.As<byte, KeyValuePair<TKey, TValue>>(ref variable);
        int size = key.Write(ref output, ref start, room, ref Unsafe.As<TKey, byte>(ref KeyOf(ref pair)));
        int next = size < 0 ? size
            : value.Write(ref output, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.As<TValue, byte>(ref ValueOf(ref pair)));
        return next < 0 ? next : size + next;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        // Few collections take null as a key: the ordinary reader decides.
        if (default(TKey) is null && room > 0 && start == Tag.Null)
        {
            return NotFlat;
        }

        ref KeyValuePair<TKey, TValue> pair = ref Unsafe.As<byte, KeyValuePair<TKey, TValue>>(ref variable);
        int size = key.Read(ref input, ref start, room, ref Unsafe.As<TKey, byte>(ref KeyOf(ref pair)));
        int next = size < 0 ? size : value.Read(
            ref input, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.As<TValue, byte>(ref ValueOf(ref pair)));
        return next < 0 ? next : size + next;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "key")]
    private static extern ref TKey KeyOf(ref KeyValuePair<TKey, TValue> pair);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "value")]
    private static extern ref TValue ValueOf(ref KeyValuePair<TKey, TValue> pair);
}
