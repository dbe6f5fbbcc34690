using Wire.Tests.Testing;

namespace Wire.Tests.Types;

public enum OfSByte : sbyte { Least = sbyte.MinValue, None = 0, Most = sbyte.MaxValue }

public enum OfByte : byte { None, Most = byte.MaxValue }

public enum OfInt16 : short { Least = short.MinValue, None = 0, Most = short.MaxValue }

public enum OfUInt16 : ushort { None, Most = ushort.MaxValue }

public enum OfInt32 { Least = int.MinValue, None = 0, Most = int.MaxValue }

public enum OfUInt32 : uint { None, Most = uint.MaxValue }

public enum OfInt64 : long { Least = long.MinValue, None = 0, Most = long.MaxValue }

[Flags]
public enum OfUInt64 : ulong { None, One = 1, Two = 2, Most = ulong.MaxValue }

public sealed class EnumOfSByteTests : ValueTests<OfSByte>
{
    protected override IEnumerable<OfSByte> Samples => [OfSByte.Least, OfSByte.None, OfSByte.Most, (OfSByte)1];
}

public sealed class EnumOfByteTests : ValueTests<OfByte>
{
    protected override IEnumerable<OfByte> Samples => [OfByte.None, OfByte.Most, (OfByte)1];
}

public sealed class EnumOfInt16Tests : ValueTests<OfInt16>
{
    protected override IEnumerable<OfInt16> Samples => [OfInt16.Least, OfInt16.None, OfInt16.Most, (OfInt16)1];
}

public sealed class EnumOfUInt16Tests : ValueTests<OfUInt16>
{
    protected override IEnumerable<OfUInt16> Samples => [OfUInt16.None, OfUInt16.Most, (OfUInt16)1];
}

[TypeNotes(
    "enums of every underlying type", Title = "enum", Written = "the underlying type; the schema has the names", Options = "EnumsByName")]
public sealed class EnumOfInt32Tests : ValueTests<OfInt32>
{
    protected override IEnumerable<OfInt32> Samples => [OfInt32.Least, OfInt32.None, OfInt32.Most, (OfInt32)1];
}

public sealed class EnumOfUInt32Tests : ValueTests<OfUInt32>
{
    protected override IEnumerable<OfUInt32> Samples => [OfUInt32.None, OfUInt32.Most, (OfUInt32)1];
}

public sealed class EnumOfInt64Tests : ValueTests<OfInt64>
{
    protected override IEnumerable<OfInt64> Samples => [OfInt64.Least, OfInt64.None, OfInt64.Most, (OfInt64)1];
}

public sealed class EnumOfUInt64Tests : ValueTests<OfUInt64>
{
    protected override IEnumerable<OfUInt64> Samples => [OfUInt64.None, OfUInt64.One | OfUInt64.Two, OfUInt64.Most];
}

/// <summary>An enum of the core library needs no filter: it is a number with a name.</summary>
public sealed class CoreEnumTests : ValueTests<DayOfWeek>
{
    protected override IEnumerable<DayOfWeek> Samples => [DayOfWeek.Sunday, DayOfWeek.Saturday, (DayOfWeek)(-1)];
}

/// <summary>A member declared as Enum or ValueType holds a boxed value.</summary>
public sealed class BoxedEnumTests : ValueTests<Enum?>
{
    protected override IEnumerable<Enum?> Samples => [null, DayOfWeek.Friday, OfByte.Most, OfUInt64.Most];
}

public sealed class BoxedValueTests : ValueTests<ValueType?>
{
    protected override IEnumerable<ValueType?> Samples =>
        [null, 1, 1.5m, DayOfWeek.Friday, (1, "a"), new KeyValuePair<string, int>("k", 1)];
}
