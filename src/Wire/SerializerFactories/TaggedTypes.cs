using System.Numerics;
using System.Text;
using Wire.Format;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.SerializerFactories;

/// <summary>The table of what reads and writes the values of the types with a tag.</summary>
internal static class TaggedTypes
{
    /// <summary>Makes the table; the value serializers in it are made when they are first used.</summary>
    public static BuiltInType[] Create() =>
    [
        new(Tag.Boolean, static () => new FixedSerializer<bool, BooleanFormat>(Tag.Boolean)),
        new(Tag.SByte, static () => new FixedSerializer<sbyte, RawFormat<sbyte>>(Tag.SByte)),
        new(Tag.Byte, static () => new FixedSerializer<byte, RawFormat<byte>>(Tag.Byte)),
        new(Tag.Int16, static () => new FixedSerializer<short, RawFormat<short>>(Tag.Int16)),
        new(Tag.UInt16, static () => new FixedSerializer<ushort, RawFormat<ushort>>(Tag.UInt16)),
        new(Tag.Int32, static () => new FixedSerializer<int, RawFormat<int>>(Tag.Int32)),
        new(Tag.UInt32, static () => new FixedSerializer<uint, RawFormat<uint>>(Tag.UInt32)),
        new(Tag.Int64, static () => new FixedSerializer<long, RawFormat<long>>(Tag.Int64)),
        new(Tag.UInt64, static () => new FixedSerializer<ulong, RawFormat<ulong>>(Tag.UInt64)),
        new(Tag.Int128, static () => new FixedSerializer<Int128, RawFormat<Int128>>(Tag.Int128)),
        new(Tag.UInt128, static () => new FixedSerializer<UInt128, RawFormat<UInt128>>(Tag.UInt128)),
        new(Tag.IntPtr, static () => new FixedSerializer<nint, NativeIntegerFormat<nint, long>>(Tag.IntPtr)),
        new(Tag.UIntPtr, static () => new FixedSerializer<nuint, NativeIntegerFormat<nuint, ulong>>(Tag.UIntPtr)),
        new(Tag.Half, static () => new FixedSerializer<Half, RawFormat<Half>>(Tag.Half)),
        new(Tag.Single, static () => new FixedSerializer<float, RawFormat<float>>(Tag.Single)),
        new(Tag.Double, static () => new FixedSerializer<double, RawFormat<double>>(Tag.Double)),
        new(Tag.Decimal, static () => new FixedSerializer<decimal, DecimalFormat>(Tag.Decimal)),
        new(Tag.Char, static () => new FixedSerializer<char, RawFormat<char>>(Tag.Char)),
        new(Tag.Rune, static () => new FixedSerializer<Rune, RuneFormat>(Tag.Rune)),
        new(Tag.Guid, static () => new FixedSerializer<Guid, GuidFormat>(Tag.Guid)),
        new(Tag.DateTime, static () => new FixedSerializer<DateTime, DateTimeFormat>(Tag.DateTime)),
        new(Tag.DateTimeOffset, static () => new FixedSerializer<DateTimeOffset, DateTimeOffsetFormat>(Tag.DateTimeOffset)),
        new(Tag.TimeSpan, static () => new FixedSerializer<TimeSpan, RawFormat<TimeSpan>>(Tag.TimeSpan)),
        new(Tag.DateOnly, static () => new FixedSerializer<DateOnly, DateOnlyFormat>(Tag.DateOnly)),
        new(Tag.TimeOnly, static () => new FixedSerializer<TimeOnly, TimeOnlyFormat>(Tag.TimeOnly)),
        new(Tag.Complex, static () => new FixedSerializer<Complex, ComplexFormat>(Tag.Complex)),
        new(Tag.String, static () => StringSerializer.Instance),
        new(Tag.Uri, static () => UriSerializer.Instance),
        new(Tag.Version, static () => VersionSerializer.Instance),
        new(Tag.BigInteger, static () => BigIntegerSerializer.Instance),
        new(Tag.Type, static () => TypeSerializer.Instance),
        new(Tag.Object, static () => PlainObjectSerializer.Instance),
    ];
}
