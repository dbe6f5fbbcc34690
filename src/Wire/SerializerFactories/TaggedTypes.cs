using System.Numerics;
using System.Text;
using Wire.Format;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.SerializerFactories;

/// <summary>The table of the types with a tag, and of what reads and writes their values.</summary>
internal static class TaggedTypes
{
    /// <summary>Makes the table; the value serializers in it are made when they are first used.</summary>
    public static BuiltInType[] Create() =>
    [
        new(Tag.Boolean, typeof(bool), static () => new FixedSerializer<bool, BooleanFormat>(Tag.Boolean)),
        new(Tag.SByte, typeof(sbyte), static () => new FixedSerializer<sbyte, RawFormat<sbyte>>(Tag.SByte)),
        new(Tag.Byte, typeof(byte), static () => new FixedSerializer<byte, RawFormat<byte>>(Tag.Byte)),
        new(Tag.Int16, typeof(short), static () => new FixedSerializer<short, RawFormat<short>>(Tag.Int16)),
        new(Tag.UInt16, typeof(ushort), static () => new FixedSerializer<ushort, RawFormat<ushort>>(Tag.UInt16)),
        new(Tag.Int32, typeof(int), static () => new FixedSerializer<int, RawFormat<int>>(Tag.Int32)),
        new(Tag.UInt32, typeof(uint), static () => new FixedSerializer<uint, RawFormat<uint>>(Tag.UInt32)),
        new(Tag.Int64, typeof(long), static () => new FixedSerializer<long, RawFormat<long>>(Tag.Int64)),
        new(Tag.UInt64, typeof(ulong), static () => new FixedSerializer<ulong, RawFormat<ulong>>(Tag.UInt64)),
        new(Tag.Int128, typeof(Int128), static () => new FixedSerializer<Int128, RawFormat<Int128>>(Tag.Int128)),
        new(Tag.UInt128, typeof(UInt128), static () => new FixedSerializer<UInt128, RawFormat<UInt128>>(Tag.UInt128)),
        new(Tag.IntPtr, typeof(nint), static () => new FixedSerializer<nint, NativeIntegerFormat<nint, long>>(Tag.IntPtr)),
        new(Tag.UIntPtr, typeof(nuint), static () => new FixedSerializer<nuint, NativeIntegerFormat<nuint, ulong>>(Tag.UIntPtr)),
        new(Tag.Half, typeof(Half), static () => new FixedSerializer<Half, RawFormat<Half>>(Tag.Half)),
        new(Tag.Single, typeof(float), static () => new FixedSerializer<float, RawFormat<float>>(Tag.Single)),
        new(Tag.Double, typeof(double), static () => new FixedSerializer<double, RawFormat<double>>(Tag.Double)),
        new(Tag.Decimal, typeof(decimal), static () => new FixedSerializer<decimal, DecimalFormat>(Tag.Decimal)),
        new(Tag.Char, typeof(char), static () => new FixedSerializer<char, RawFormat<char>>(Tag.Char)),
        new(Tag.Rune, typeof(Rune), static () => new FixedSerializer<Rune, RuneFormat>(Tag.Rune)),
        new(Tag.Guid, typeof(Guid), static () => new FixedSerializer<Guid, GuidFormat>(Tag.Guid)),
        new(Tag.DateTime, typeof(DateTime), static () => new FixedSerializer<DateTime, DateTimeFormat>(Tag.DateTime)),
        new(
            Tag.DateTimeOffset,
            typeof(DateTimeOffset),
            static () => new FixedSerializer<DateTimeOffset, DateTimeOffsetFormat>(Tag.DateTimeOffset)),
        new(Tag.TimeSpan, typeof(TimeSpan), static () => new FixedSerializer<TimeSpan, RawFormat<TimeSpan>>(Tag.TimeSpan)),
        new(Tag.DateOnly, typeof(DateOnly), static () => new FixedSerializer<DateOnly, DateOnlyFormat>(Tag.DateOnly)),
        new(Tag.TimeOnly, typeof(TimeOnly), static () => new FixedSerializer<TimeOnly, TimeOnlyFormat>(Tag.TimeOnly)),
        new(Tag.Complex, typeof(Complex), static () => new FixedSerializer<Complex, ComplexFormat>(Tag.Complex)),
        new(Tag.String, typeof(string), static () => StringSerializer.Instance),
        new(Tag.Uri, typeof(Uri), static () => UriSerializer.Instance),
        new(Tag.Version, typeof(Version), static () => VersionSerializer.Instance),
        new(Tag.BigInteger, typeof(BigInteger), static () => BigIntegerSerializer.Instance),
        new(Tag.Type, typeof(Type), static () => TypeSerializer.Instance),
        new(Tag.Object, typeof(object), static () => PlainObjectSerializer.Instance),
    ];
}
