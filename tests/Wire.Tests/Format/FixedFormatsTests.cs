using System.Numerics;
using System.Text;
using Wire.Tests.Testing;

namespace Wire.Tests.Format;

public sealed class BooleanTests : ValueTests<bool>
{
    protected override IEnumerable<bool> Samples => [false, true];
}

public sealed class SByteTests : ValueTests<sbyte>
{
    protected override IEnumerable<sbyte> Samples => [0, 1, -1, sbyte.MinValue, sbyte.MaxValue];
}

public sealed class ByteTests : ValueTests<byte>
{
    protected override IEnumerable<byte> Samples => [0, 1, 0x7F, 0x80, byte.MaxValue];
}

public sealed class Int16Tests : ValueTests<short>
{
    protected override IEnumerable<short> Samples => [0, 1, -1, 0x0102, short.MinValue, short.MaxValue];
}

public sealed class UInt16Tests : ValueTests<ushort>
{
    protected override IEnumerable<ushort> Samples => [0, 1, 0x0102, 0x8000, ushort.MaxValue];
}

public sealed class Int32Tests : ValueTests<int>
{
    protected override IEnumerable<int> Samples => [0, 1, -1, 127, 128, 0x01020304, int.MinValue, int.MaxValue];
}

public sealed class UInt32Tests : ValueTests<uint>
{
    protected override IEnumerable<uint> Samples => [0, 1, 0x01020304, 0x80000000, uint.MaxValue];
}

public sealed class Int64Tests : ValueTests<long>
{
    protected override IEnumerable<long> Samples => [0, 1, -1, 0x0102030405060708, long.MinValue, long.MaxValue];
}

public sealed class UInt64Tests : ValueTests<ulong>
{
    protected override IEnumerable<ulong> Samples => [0, 1, 0x0102030405060708, 0x8000000000000000, ulong.MaxValue];
}

public sealed class Int128Tests : ValueTests<Int128>
{
    protected override IEnumerable<Int128> Samples => [0, 1, -1, new Int128(1, 2), Int128.MinValue, Int128.MaxValue];
}

public sealed class UInt128Tests : ValueTests<UInt128>
{
    protected override IEnumerable<UInt128> Samples => [0, 1, new UInt128(1, 2), UInt128.MaxValue];
}

public sealed class IntPtrTests : ValueTests<nint>
{
    protected override IEnumerable<nint> Samples => [0, 1, -1, nint.MinValue, nint.MaxValue];
}

public sealed class UIntPtrTests : ValueTests<nuint>
{
    protected override IEnumerable<nuint> Samples => [0, 1, nuint.MaxValue];
}

public sealed class HalfTests : ValueTests<Half>
{
    protected override IEnumerable<Half> Samples =>
    [
        Half.Zero, Half.NegativeZero, Half.One, Half.Epsilon, Half.MinValue, Half.MaxValue, Half.NaN,
        Half.PositiveInfinity, Half.NegativeInfinity, BitConverter.UInt16BitsToHalf(0x7E01),
    ];
}

public sealed class SingleTests : ValueTests<float>
{
    protected override IEnumerable<float> Samples =>
    [
        0f, -0f, 1.5f, float.Epsilon, float.MinValue, float.MaxValue, float.NaN, float.PositiveInfinity,
        float.NegativeInfinity, BitConverter.UInt32BitsToSingle(0x7FC00001), BitConverter.UInt32BitsToSingle(0xFFFFFFFF),
    ];
}

public sealed class DoubleTests : ValueTests<double>
{
    protected override IEnumerable<double> Samples =>
    [
        0d, -0d, 1.5, double.Epsilon, double.MinValue, double.MaxValue, double.NaN, double.PositiveInfinity,
        double.NegativeInfinity, BitConverter.UInt64BitsToDouble(0x7FF8000000000001), BitConverter.UInt64BitsToDouble(ulong.MaxValue),
    ];
}

public sealed class DecimalTests : ValueTests<decimal>
{
    // The scale is kept: 1.0 and 1.00 are different values here, and so are 0 and -0.0.
    protected override IEnumerable<decimal> Samples =>
    [
        0m, 1m, -1m, 1.0m, 1.00m, new decimal(0, 0, 0, true, 1), decimal.MinValue, decimal.MaxValue,
        0.0000000000000000000000000001m, -79228162514264337593543950335m, 12345.6789m,
    ];
}

public sealed class CharTests : ValueTests<char>
{
    protected override IEnumerable<char> Samples => ['\0', 'a', '\u00FF', '\u0100', '\uD800', '\uDFFF', '\uFFFF'];
}

public sealed class RuneTests : ValueTests<Rune>
{
    protected override IEnumerable<Rune> Samples =>
        [new('\0'), new('a'), new('\uD7FF'), new('\uE000'), new(0x10000), new(0x1F600), new(0x10FFFF)];
}

public sealed class GuidTests : ValueTests<Guid>
{
    protected override IEnumerable<Guid> Samples => [Guid.Empty, Guid.AllBitsSet, new("00112233-4455-6677-8899-aabbccddeeff")];
}

public sealed class ComplexNumberTests : ValueTests<Complex>
{
    protected override IEnumerable<Complex> Samples =>
        [
            Complex.Zero,
            Complex.One,
            Complex.ImaginaryOne,
            Complex.NaN,
            Complex.Infinity,
            new(-0d, 1.5),
            new(double.MinValue, double.Epsilon),
        ];
}
