using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

public sealed class NullableInt32Tests : ValueTests<int?>
{
    protected override IEnumerable<int?> Samples => [null, 0, 1, int.MinValue];
}

public sealed class NullableBooleanTests : ValueTests<bool?>
{
    protected override IEnumerable<bool?> Samples => [null, false, true];
}

public sealed class NullableDecimalTests : ValueTests<decimal?>
{
    protected override IEnumerable<decimal?> Samples => [null, 0m, 1.00m, decimal.MinValue];
}

public sealed class NullableDateTimeTests : ValueTests<DateTime?>
{
    protected override IEnumerable<DateTime?> Samples => [null, default(DateTime), new DateTime(2024, 2, 29, 0, 0, 0, DateTimeKind.Utc)];
}

public sealed class NullableEnumTests : ValueTests<DayOfWeek?>
{
    protected override IEnumerable<DayOfWeek?> Samples => [null, DayOfWeek.Sunday, (DayOfWeek)77];
}

public sealed class NullableStructTests : ValueTests<(string? Name, int? Count)?>
{
    protected override IEnumerable<(string?, int?)?> Samples => [null, (null, null), ("a", 1)];
}

/// <summary>The byte in front of a Nullable.</summary>
public sealed class NullableSerializerTests
{
    [Fact]
    public void Only_zero_and_one_say_whether_there_is_a_value()
    {
        Serializer serializer = Configuration.Serializer(references: false, tolerance: false, dynamicCode: true);
        byte[] bytes = serializer.Serialize(new int?[] { null });
        Assert.Equal(0, bytes[^1]);
        bytes[^1] = 2;
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<int?[]>(bytes)).Error);
    }
}
