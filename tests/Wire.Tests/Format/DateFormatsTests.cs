using Wire.Tests.Testing;

namespace Wire.Tests.Format;

public sealed class DateTimeTests : ValueTests<DateTime>
{
    protected override IEnumerable<DateTime> Samples =>
        from kind in Enum.GetValues<DateTimeKind>()
        from ticks in new[] { 0, 1, new DateTime(2024, 2, 29, 23, 59, 59).Ticks, new DateTime(2024, 10, 27, 2, 30, 0).Ticks, DateTime.MaxValue.Ticks }
        select new DateTime(ticks, kind);
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
    protected override IEnumerable<TimeSpan> Samples => [TimeSpan.Zero, new(1), new(-1), TimeSpan.MinValue, TimeSpan.MaxValue, new(1, 2, 3, 4, 5, 6)];
}

public sealed class DateOnlyTests : ValueTests<DateOnly>
{
    protected override IEnumerable<DateOnly> Samples => [DateOnly.MinValue, DateOnly.MaxValue, new(2024, 2, 29), new(1970, 1, 1)];
}

public sealed class TimeOnlyTests : ValueTests<TimeOnly>
{
    protected override IEnumerable<TimeOnly> Samples => [TimeOnly.MinValue, TimeOnly.MaxValue, new(1), new(23, 59, 59, 999, 999)];
}
