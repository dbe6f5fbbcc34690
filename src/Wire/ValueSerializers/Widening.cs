using System.Numerics;
using Wire.Format;
using Wire.Messages;

namespace Wire.ValueSerializers;

/// <summary>
/// Reads a number that a writer declared narrower than this program does: an integer as a wider one that holds all its values, an integer
/// as a float or decimal that holds them exactly, a float as a wider float.
/// </summary>
internal static class Widening
{
    private sealed record Number(Type Type, bool Signed, int Bits, bool Integer);

    // Bits: for an integer the value bits without the sign, for a float those of the significand.
    private static readonly Dictionary<byte, Number> Numbers = new()
    {
        [Tag.SByte] = new(typeof(sbyte), true, 7, true),
        [Tag.Byte] = new(typeof(byte), false, 8, true),
        [Tag.Int16] = new(typeof(short), true, 15, true),
        [Tag.UInt16] = new(typeof(ushort), false, 16, true),
        [Tag.Int32] = new(typeof(int), true, 31, true),
        [Tag.UInt32] = new(typeof(uint), false, 32, true),
        [Tag.Int64] = new(typeof(long), true, 63, true),
        [Tag.UInt64] = new(typeof(ulong), false, 64, true),
        [Tag.Int128] = new(typeof(Int128), true, 127, true),
        [Tag.UInt128] = new(typeof(UInt128), false, 128, true),
        [Tag.Half] = new(typeof(Half), true, 11, false),
        [Tag.Single] = new(typeof(float), true, 24, false),
        [Tag.Double] = new(typeof(double), true, 53, false),
    };

    /// <summary>Finds the serializer that reads the writer's number as the reader's; null when values could change.</summary>
    /// <typeparam name="T">The reader's type: a number, or an enum over it.</typeparam>
    public static ValueSerializer<T>? Find<T>(byte from, byte to, ValueSerializer<T> target)
        where T : unmanaged
    {
        if (!Numbers.TryGetValue(from, out Number? source))
        {
            return null;
        }

        bool fits;
        Type number;
        if (to == Tag.Decimal)
        {
            fits = source.Integer && source.Bits <= 64;
            number = typeof(decimal);
        }
        else if (Numbers.TryGetValue(to, out Number? wanted))
        {
            bool signs = !source.Signed || wanted.Signed;
            fits = signs && source.Bits <= wanted.Bits && (source.Integer || !wanted.Integer);
            number = wanted.Type;
        }
        else
        {
            return null;
        }

        return fits
            ? (ValueSerializer<T>)Activator.CreateInstance(
                typeof(WideningSerializer<,,>).MakeGenericType(source.Type, number, typeof(T)), target)!
            : null;
    }
}

/// <summary>
/// Reads a <typeparamref name="TFrom"/> as the wider <typeparamref name="TTo"/>, which is <typeparamref name="T"/> or its underlying type.
/// </summary>
internal sealed class WideningSerializer<TFrom, TTo, T>(ValueSerializer<T> target) : ValueSerializer<T>
    where TFrom : unmanaged, INumberBase<TFrom>
    where TTo : unmanaged, INumberBase<TTo>
    where T : unmanaged
{
    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    public override void Write(ref WireWriter writer, T value) => target.Write(ref writer, value);

    public override T Read(ref WireReader reader)
    {
        TTo wide = TTo.CreateChecked(LittleEndian.Load<TFrom>(ref reader.ReadRef(System.Runtime.CompilerServices.Unsafe.SizeOf<TFrom>())));
        return System.Runtime.CompilerServices.Unsafe.BitCast<TTo, T>(wide);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(target);
}
