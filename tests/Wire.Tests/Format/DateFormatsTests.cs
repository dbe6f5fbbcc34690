using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.Format;

public sealed class DateTimeTests : ValueTests<DateTime>
{
    protected override IEnumerable<DateTime> Samples =>
        from kind in Enum.GetValues<DateTimeKind>()
        from ticks in new[]
        {
            0,
            1,
            new DateTime(2024, 2, 29, 23, 59, 59).Ticks,
            new DateTime(2024, 10, 27, 2, 30, 0).Ticks,
            DateTime.MaxValue.Ticks,
        }
        select new DateTime(ticks, kind);
}

/// <summary>
/// The first of the two times that one hour of autumn has: a fourth kind of DateTime, which only its bits tell from the second. It is
/// made by its bits, so that the zone of the machine says nothing.
/// </summary>
public sealed class AmbiguousTimeTests
{
    private static readonly DateTime First = OfBits(0xC8DCF62F4158C400);

    private static readonly DateTime Second = OfBits(0x88DCF62F4158C400);

    public static TheoryData<bool, bool, bool> Configurations() => Configuration.AsTheory();

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Both_hours_of_autumn_come_back_as_themselves(bool references, bool tolerance, bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
        foreach (DateTime sample in new[] { First, Second, OfBits(0xC000000000000000), OfBits(0xEBCA2875F4373FFF) })
        {
            // More often than code is interpreted, and than messages go without a session.
            for (int i = 0; i < 4; i++)
            {
                Assert.Equal(Bits(sample), Bits(Read(serializer, sample)));
                Assert.Equal(Bits(sample), Bits((DateTime)Read<object>(serializer, sample)));
                Assert.Equal(Bits(sample), Bits(Read<DateTime?>(serializer, sample)!.Value));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new DateTime[] { default, sample })[1]));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new DateTime?[] { null, sample })[1]!.Value));
                Assert.Equal(Bits(sample), Bits((DateTime)Read(serializer, new object[] { 1, sample })[1]));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new List<DateTime> { sample })[0]));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new Dictionary<DateTime, DateTime> { [sample] = sample }).Single().Key));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new Dictionary<DateTime, DateTime> { [sample] = sample }).Single().Value));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new HashSet<DateTime> { sample }).Single()));
                Assert.Equal(Bits(sample), Bits(Read(serializer, (1, sample)).sample));
                Assert.Equal(Bits(sample), Bits(Read(serializer, Tuple.Create(sample)).Item1));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new DateTime[1, 1] { { sample } })[0, 0]));

                Times read = Read(serializer, new Times { Plain = sample, Maybe = sample, Any = sample, Several = [sample] });
                DateTime[] all = [read.Plain, read.Maybe!.Value, (DateTime)read.Any!, read.Several![0]];
                Assert.All(all, time => Assert.Equal(Bits(sample), Bits(time)));
                Assert.Equal(Bits(sample), Bits(Read(serializer, new FlatTime { Plain = sample }).Plain));
                Assert.Equal(Bits(sample), Bits(serializer.DeserializeTyped<DateTime>(serializer.SerializeTyped(sample))));
            }
        }
    }

    [Fact]
    public void What_else_holds_a_time_keeps_the_bits()
    {
        var serializer = new Serializer();
        Assert.Equal(Bits(First), Bits(Read(serializer, new System.Net.Cookie("a", "b") { Expires = First }).Expires));
        Assert.Equal(Bits(First), Bits((DateTime)Read(serializer, new Exception { Data = { ["at"] = First } }).Data["at"]!));
        Assert.Contains("2024-10-27", PayloadDump.Describe(serializer.Serialize(First)), StringComparison.Ordinal);
    }

    private static T Read<T>(Serializer serializer, T value)
    {
        T clone = serializer.CopyBothWays(value);
        T read = serializer.Deserialize<T>(serializer.Serialize(value))!;
        Assert.Equal(serializer.Serialize(read), serializer.Serialize(clone));
        return read;
    }

    private static ulong Bits(DateTime value) => Unsafe.BitCast<DateTime, ulong>(value);

    private static DateTime OfBits(ulong bits) => Unsafe.BitCast<ulong, DateTime>(bits);

    internal sealed class FlatTime
    {
        public DateTime Plain { get; set; }
    }

    internal sealed class Times
    {
        public DateTime Plain { get; set; }

        public DateTime? Maybe { get; set; }

        public object? Any { get; set; }

        public DateTime[]? Several { get; set; }
    }
}

public sealed class DateTimeOffsetTests : ValueTests<DateTimeOffset>
{
    protected override IEnumerable<DateTimeOffset> Samples =>
    [
        default, DateTimeOffset.MinValue, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch,
        new(2024, 2, 29, 1, 2, 3, TimeSpan.FromHours(14)), new(2024, 2, 29, 1, 2, 3, TimeSpan.FromHours(-14)),
        new(2024, 2, 29, 1, 2, 3, TimeSpan.FromMinutes(345)), new(2024, 2, 29, 1, 2, 3, TimeSpan.FromMinutes(-1)),
        new(DateTime.MaxValue.Ticks, TimeSpan.FromHours(14)), new(0, TimeSpan.FromHours(-14)),
    ];
}

public sealed class TimeSpanTests : ValueTests<TimeSpan>
{
    protected override IEnumerable<TimeSpan> Samples =>
        [TimeSpan.Zero, new(1), new(-1), TimeSpan.MinValue, TimeSpan.MaxValue, new(1, 2, 3, 4, 5, 6)];
}

public sealed class DateOnlyTests : ValueTests<DateOnly>
{
    protected override IEnumerable<DateOnly> Samples => [DateOnly.MinValue, DateOnly.MaxValue, new(2024, 2, 29), new(1970, 1, 1)];
}

public sealed class TimeOnlyTests : ValueTests<TimeOnly>
{
    protected override IEnumerable<TimeOnly> Samples => [TimeOnly.MinValue, TimeOnly.MaxValue, new(1), new(23, 59, 59, 999, 999)];
}
