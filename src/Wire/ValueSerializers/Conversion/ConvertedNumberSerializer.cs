using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Conversion;

/// <summary>
/// Reads a <typeparamref name="TFrom"/> as a <typeparamref name="TTo"/>, which is <typeparamref name="T"/> or its underlying type, where it
/// has the same value in it.
/// </summary>
internal sealed class ConvertedNumberSerializer<TFrom, TFormat, TTo, TConversion, T>(ValueSerializer<T> target)
    : ValueSerializer<T>, IElementSized
    where TFrom : unmanaged, IFormattable
    where TFormat : struct, IFixedFormat<TFrom>
    where TTo : unmanaged
    where TConversion : struct, IExactConversion<TFrom, TTo>
    where T : unmanaged
{
    int IElementSized.LeastSize => TFormat.Size;

    internal override bool IsLeaf => true;

    internal override bool HoldsNoObjects => true;

    public override void Write(ref WireWriter writer, T value) => target.Write(ref writer, value);

    public override T Read(ref WireReader reader) => Convert(ref reader);

    internal override void ReadMany(ref WireReader reader, Span<T> values, int start)
    {
        int member = reader.Member;
        for (int i = 0; i < values.Length; i++)
        {
            reader.Member = ~(start + i);
            values[i] = Convert(ref reader);
        }

        reader.Member = member;
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(target);

    private static T Convert(ref WireReader reader)
    {
        TFrom value = TFormat.Load(ref reader.ReadRef(TFormat.Size));
        if (!TConversion.TryConvert(value, out TTo converted))
        {
            Refuse(value);
        }

        return Unsafe.BitCast<TTo, T>(converted);
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Refuse(TFrom value) => throw new WireFormatException(
        WireFormatError.SchemaMismatch,
        $"The writer's {typeof(TFrom).Name} {value.ToString(null, CultureInfo.InvariantCulture)} cannot be read as {typeof(T)}, which this "
        + $"program declares: {typeof(TTo).Name} does not hold that value. Declare a type that holds it.");
}
