using System.Data.SqlTypes;
using System.Xml;

namespace Wire.ValueSerializers.Scalars;

/// <summary>The values of databases that are more than a number or a text.</summary>
internal static class SqlConversions
{
    private const int PerXml = 600;

    // An entity could stand for more than the text has, and a document type could name a file.
    private static readonly XmlReaderSettings Settings = new()
    {
        ConformanceLevel = ConformanceLevel.Fragment,
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
    };

    public static SqlDecimalParts To(SqlDecimal value)
    {
        int[] data = value.Data;
        return new(value.Precision, value.Scale, value.IsPositive, data[0], data[1], data[2], data[3]);
    }

    public static SqlDecimal From(SqlDecimalParts parts) =>
        new(parts.Precision, parts.Scale, parts.IsPositive, parts.Data1, parts.Data2, parts.Data3, parts.Data4);

    // A payload may have no text beside a culture; all values that are null are one.
    public static SqlString From(SqlStringParts parts) =>
        parts.Value is null ? SqlString.Null : new(parts.Value, parts.Lcid, parts.Options);

    /// <summary>Makes a value from parts that a payload has chosen.</summary>
    public static T Make<T, TParts>(Func<TParts, T> from, TParts parts)
    {
        try
        {
            return from(parts);
        }
        catch (SqlTypeException e)
        {
            throw new FormatException(e.Message, e);
        }
    }

    /// <summary>The memory of the objects around the text, and of its characters in a buffer that has grown by doubling.</summary>
    public static long Overhead(string? text) => PerXml + (2L * sizeof(char) * (text?.Length ?? 0));

    public static string? Text(SqlXml value)
    {
        if (value.IsNull)
        {
            return null;
        }

        string text = value.Value;
        string again;
        try
        {
            again = Xml(text).Value;
        }
        catch (FormatException e)
        {
            throw new UnsupportedTypeException(typeof(SqlXml), $"its text cannot be read again. {e.Message}");
        }

        return again == text
            ? text
            : throw new UnsupportedTypeException(typeof(SqlXml), "its text comes back as another one. Write it as a string.");
    }

    public static SqlXml Xml(string? text)
    {
        if (text is null)
        {
            return SqlXml.Null;
        }

        try
        {
            using var reader = XmlReader.Create(new StringReader(text), Settings);
            return new(reader);
        }
        catch (XmlException e)
        {
            throw new FormatException(e.Message, e);
        }
    }
}

internal readonly record struct SqlDecimalParts(
    byte Precision, byte Scale, bool IsPositive, int Data1, int Data2, int Data3, int Data4);

internal readonly record struct SqlDateTimeParts(int DayTicks, int TimeTicks);

internal readonly record struct SqlStringParts(string? Value, int Lcid, SqlCompareOptions Options);
