using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.V10;

namespace Wire.Amqp.Tests.V10;

public sealed class DecimalTests
{
    [Fact]
    public void Every_decimal_keeps_its_digits_and_zeros_in_128_bits() => Prop.ForAll<int, int, byte>((low, high, scale) =>
    {
        decimal value = new(low * 12_345, low ^ high, high * 54_321, (low & 1) != 0, (byte)(scale % 29));
        Assert.True(((Decimal128)value).TryToDecimal(out decimal read));
        Assert.Equal(decimal.GetBits(value), decimal.GetBits(read));
        Assert.Equal(decimal.GetBits(value), decimal.GetBits((decimal)((AmqpValue)value).As<Decimal128>()));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_decimal_of_few_digits_keeps_them_in_32_and_64_bits() => Prop.ForAll<long, byte>((any, scale) =>
    {
        var seven = new decimal((int)Math.Abs(any % 10_000_000), 0, 0, any < 0, (byte)(scale % 29));
        Assert.Equal(decimal.GetBits(seven), decimal.GetBits((decimal)(Decimal32)seven));
        long digits = Math.Abs(any * 7_777_777_777 % 10_000_000_000_000_000);
        var sixteen = new decimal((int)digits, (int)(digits >> 32), 0, any < 0, (byte)(scale % 29));
        Assert.Equal(decimal.GetBits(sixteen), decimal.GetBits((decimal)(Decimal64)sixteen));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void What_has_too_many_digits_is_refused_unless_they_are_zeros()
    {
        Assert.False(Decimal32.TryFromDecimal(12345678m, out _));
        Assert.Equal(123456700m, (decimal)(Decimal32)123456700m);
        Assert.False(Decimal64.TryFromDecimal(decimal.MaxValue, out _));
        Assert.Throws<OverflowException>(() => (Decimal64)12345678901234567m);
        Assert.Equal(decimal.MaxValue, (decimal)(Decimal128)decimal.MaxValue);
        Assert.Equal(decimal.MinValue, (decimal)(Decimal128)decimal.MinValue);
    }

    [Theory]
    [InlineData(0x77f8967fu, "9999999E+90")] // The largest: the form for large coefficients.
    [InlineData(0x78000000u, "infinity")]
    [InlineData(0xf8000000u, "-infinity")]
    [InlineData(0x7c000000u, "not a number")]
    [InlineData(0x00000001u, "1E-101")]
    public void What_no_decimal_is_keeps_its_bits(uint bits, string what)
    {
        var value = new Decimal32(bits);
        Assert.False(value.TryToDecimal(out _), what);
        Assert.Throws<OverflowException>(() => (decimal)value);
        Assert.Equal(value, AmqpValueTests.Read(AmqpValueTests.Written(value)).As<Decimal32>());
    }

    [Theory]
    [InlineData(0x32800001u, "1")]
    [InlineData(0xb2800001u, "-1")]
    [InlineData(0x31800064u, "1.00")] // With its zeros.
    [InlineData(0x3300000cu, "120")] // An exponent above zero.
    [InlineData(0x6cb8967fu, "9999999")] // The form for large coefficients.
    [InlineData(0x6cb8ffffu, "0")] // A coefficient of eight digits is none.
    [InlineData(0x00000000u, "0")] // Zero of any exponent.
    public void Known_bits_are_known_numbers(uint bits, string number)
    {
        Assert.True(new Decimal32(bits).TryToDecimal(out decimal value));
        Assert.Equal(decimal.Parse(number, System.Globalization.CultureInfo.InvariantCulture), value);
    }

    [Fact]
    public void A_timestamp_is_a_point_in_time_in_the_years_that_there_are()
    {
        var time = new DateTimeOffset(2024, 2, 29, 23, 59, 59, 999, TimeSpan.FromHours(2));
        Assert.Equal(time.ToUniversalTime(), ((Timestamp)time).ToDateTimeOffset());
        Assert.Equal(DateTimeOffset.UnixEpoch.AddMilliseconds(-1), new Timestamp(-1).ToDateTimeOffset());
        Assert.False(new Timestamp(long.MinValue).TryToDateTimeOffset(out _) || new Timestamp(long.MaxValue).TryToDateTimeOffset(out _));
        Assert.True(((Timestamp)DateTimeOffset.MinValue).TryToDateTimeOffset(out _)
            && ((Timestamp)DateTimeOffset.MaxValue).TryToDateTimeOffset(out _));
        Assert.Equal(
            AmqpFormatError.Value, Assert.Throws<AmqpFormatException>(() => new Timestamp(long.MaxValue).ToDateTimeOffset()).Error);
        Assert.Equal(
            ("2024-02-29T21:59:59.999Z", "-9223372036854775808 ms"),
            (((Timestamp)time).ToString(), new Timestamp(long.MinValue).ToString()));
        Assert.True(new Timestamp(-1) < new Timestamp(0)
            && new Timestamp(1) >= new Timestamp(1)
            && new Timestamp(2).CompareTo(new Timestamp(1)) > 0);
    }
}
