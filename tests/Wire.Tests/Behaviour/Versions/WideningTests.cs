using System.Globalization;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Every pair of number types: widened when all values fit, else a clear error.</summary>
public class WideningTests
{
    // Bits: of an integer its value bits without the sign, of a float those of its significand.
    private static readonly (Type Holder, bool Signed, int Bits, bool Integer)[] Numbers =
    [
        (typeof(OfSbyte), true, 7, true),
        (typeof(OfByte), false, 8, true),
        (typeof(OfShort), true, 15, true),
        (typeof(OfUshort), false, 16, true),
        (typeof(OfInt), true, 31, true),
        (typeof(OfUint), false, 32, true),
        (typeof(OfLong), true, 63, true),
        (typeof(OfUlong), false, 64, true),
        (typeof(OfInt128), true, 127, true),
        (typeof(OfUInt128), false, 128, true),
        (typeof(OfHalf), true, 11, false),
        (typeof(OfFloat), true, 24, false),
        (typeof(OfDouble), true, 53, false),
        (typeof(OfDecimal), true, 64, false),
    ];

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Every_pair_of_numbers_is_widened_or_refused(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        int refused = 0;
        foreach (var from in Numbers)
        {
            foreach (var to in Numbers)
            {
                bool toDecimal = to.Holder == typeof(OfDecimal);
                bool fromDecimal = from.Holder == typeof(OfDecimal);
                bool allowed = from.Holder == to.Holder
                    || (toDecimal ? from.Integer && from.Bits <= 64
                        : !fromDecimal && (!from.Signed || to.Signed) && from.Bits <= to.Bits && (from.Integer || !to.Integer));
                foreach (string edge in new[] { "MinValue", "MaxValue" })
                {
                    object written = Activator.CreateInstance(from.Holder)!;
                    var source = from.Holder.GetField("Value")!;
                    source.SetValue(written, source.FieldType.GetField(edge) is { } field
                        ? field.GetValue(null)
                        : source.FieldType.GetProperty(edge)!.GetValue(null));
                    byte[] payload = serializer.Serialize(written);
                    if (!allowed)
                    {
                        var error = Assert.Throws<WireFormatException>(() => Read(serializer, payload, to.Holder));
                        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
                        Assert.Contains("'Value'", error.Message, StringComparison.Ordinal);
                        refused++;
                        continue;
                    }

                    object read = Read(serializer, payload, to.Holder);
                    Assert.Equal(Text(source.GetValue(written)!), Text(to.Holder.GetField("Value")!.GetValue(read)!));
                }
            }
        }

        Assert.True(refused > 100);
    }

    // Integers exactly, floats by the value that every wider float has.
    private static string Text(object number) => number switch
    {
        Half or float or double => Convert.ToDouble(number is Half half ? (double)half : number, CultureInfo.InvariantCulture).ToString(
            "R", CultureInfo.InvariantCulture),
        _ => double.Parse(((IFormattable)number).ToString(null, CultureInfo.InvariantCulture), CultureInfo.InvariantCulture).ToString(
            "R", CultureInfo.InvariantCulture),
    };

    private static object Read(Serializer serializer, byte[] payload, Type type) => typeof(WideningTests)
        .GetMethod(nameof(ReadAs), System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!
        .MakeGenericMethod(type)
        .CreateDelegate<Func<Serializer, byte[], object>>()(serializer, payload);

    private static object ReadAs<T>(Serializer serializer, byte[] payload) => serializer.Deserialize<T>(payload)!;

    [WireName("Widening.Holder")]
    private sealed class OfSbyte
    {
        public sbyte Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfByte
    {
        public byte Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfShort
    {
        public short Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfUshort
    {
        public ushort Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfInt
    {
        public int Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfUint
    {
        public uint Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfLong
    {
        public long Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfUlong
    {
        public ulong Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfInt128
    {
        public Int128 Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfUInt128
    {
        public UInt128 Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfHalf
    {
        public Half Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfFloat
    {
        public float Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfDouble
    {
        public double Value;
    }

    [WireName("Widening.Holder")]
    private sealed class OfDecimal
    {
        public decimal Value;
    }
}
