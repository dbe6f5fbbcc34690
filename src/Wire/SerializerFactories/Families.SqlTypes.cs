using System.Data.SqlTypes;
using Wire.Types;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <content>The values of databases, which may be null without being null references.</content>
internal static partial class Families
{
    private static Family[] SqlTypes() =>
    [
        Family.Converted("System.Data.SqlTypes.SqlBoolean", () => typeof(SqlBoolean), registry => AsNullable<SqlBoolean, bool>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlByte", () => typeof(SqlByte), registry => AsNullable<SqlByte, byte>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt16", () => typeof(SqlInt16), registry => AsNullable<SqlInt16, short>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt32", () => typeof(SqlInt32), registry => AsNullable<SqlInt32, int>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlInt64", () => typeof(SqlInt64), registry => AsNullable<SqlInt64, long>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlSingle", () => typeof(SqlSingle), registry => AsNullable<SqlSingle, float>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlDouble", () => typeof(SqlDouble), registry => AsNullable<SqlDouble, double>(
            registry, value => value.Value, value => new(value))),
        Family.Converted("System.Data.SqlTypes.SqlGuid", () => typeof(SqlGuid), registry => AsNullable<SqlGuid, Guid>(
            registry, value => value.Value, value => new(value))),
        // In ten-thousandths.
        Family.Converted("System.Data.SqlTypes.SqlMoney", () => typeof(SqlMoney), registry => AsNullable<SqlMoney, long>(
            registry, value => value.GetTdsValue(), SqlMoney.FromTdsValue)),
        Family.Converted("System.Data.SqlTypes.SqlDecimal", () => typeof(SqlDecimal), registry =>
            AsNullable<SqlDecimal, SqlDecimalParts>(registry, SqlConversions.To, SqlConversions.From)),
        // Days since 1900, and three-hundredths of a second.
        Family.Converted("System.Data.SqlTypes.SqlDateTime", () => typeof(SqlDateTime), registry =>
            AsNullable<SqlDateTime, SqlDateTimeParts>(
                registry, value => new(value.DayTicks, value.TimeTicks), SqlConversions.From)),
        Family.Converted("System.Data.SqlTypes.SqlString", () => typeof(SqlString), registry =>
            AsNullable<SqlString, SqlStringParts>(
                registry,
                value => new(value.Value, value.LCID, value.SqlCompareOptions),
                parts => new(parts.Value, parts.Lcid, parts.Options))),
        Family.Converted("System.Data.SqlTypes.SqlBinary", () => typeof(SqlBinary), registry => As<SqlBinary, byte[]?>(
            registry,
            value => value.IsNull ? null : value.Value,
            bytes => bytes is null ? SqlBinary.Null : SqlBinary.WrapBytes(bytes),
            nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlBytes", () => typeof(SqlBytes), registry => As<SqlBytes, byte[]?>(
            registry, value => value.IsNull ? null : value.Value, bytes => new(bytes), nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlChars", () => typeof(SqlChars), registry => As<SqlChars, char[]?>(
            registry, value => value.IsNull ? null : value.Value, chars => new(chars), nullIsValue: true)),
        Family.Converted("System.Data.SqlTypes.SqlXml", () => typeof(SqlXml), registry => As<SqlXml, string?>(
            registry, SqlConversions.Text, SqlConversions.Xml, nullIsValue: true, XmlText.Overhead)),
    ];

    // The default value of each is its null.
    private static ConvertedSerializer<T, TValue?> AsNullable<T, TValue>(
        TypeRegistry registry, Func<T, TValue> to, Func<TValue, T> from)
        where T : struct, INullable
        where TValue : struct => As<T, TValue?>(
            registry,
            value => value.IsNull ? null : to(value),
            written => written is { } given ? from(given) : default,
            nullIsValue: true);
}
