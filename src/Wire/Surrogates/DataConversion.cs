using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Xml;
using Wire.Runtime;

namespace Wire.Surrogates;

/// <summary>Tables as BinaryFormatter wrote them too: their schema, and their rows with what has changed in them, as XML.</summary>
internal record struct DataParts(string Schema, string Changes);

/// <summary>
/// <see cref="DataTable"/> and <see cref="DataSet"/> as XML. What is written is read at once and compared, because XML does not keep all
/// that a table can hold.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class DataConversion
{
    public static DataParts FromTable(DataTable table)
    {
        Exact.Require(table);
        if (table.DataSet is not null)
        {
            throw new UnsupportedTypeException(
                typeof(DataTable), "it belongs to a DataSet, which it would lose. Write that, or the table's Copy().");
        }

        var set = new DataSet
        {
            CaseSensitive = table.CaseSensitive,
            Locale = table.Locale,
            Namespace = table.Namespace,
            EnforceConstraints = false,
        };
        set.Tables.Add(table.Copy());
        DataParts parts = Write(set);
        Check(typeof(DataTable), DataDifference.Find(table, ToTable(parts)));
        return parts;
    }

    public static DataTable ToTable(DataParts parts) => Made.Create(() =>
    {
        DataSet set = Read(parts);
        if (set.Tables.Count != 1)
        {
            throw new DataException($"There are {set.Tables.Count} tables instead of one.");
        }

        DataTable table = set.Tables[0];
        CultureInfo locale = table.Locale;
        bool isCaseSensitive = table.CaseSensitive;
        string space = table.Namespace;
        set.Tables.Remove(table);

        // What it had from the set it has itself now.
        table.Locale = locale;
        table.CaseSensitive = isCaseSensitive;
        table.Namespace = space;
        return table;
    });

    public static DataParts FromSet(DataSet set)
    {
        Exact.Require(set);
        if (set.Tables.Cast<DataTable>().FirstOrDefault(table => table.GetType() != typeof(DataTable)) is { } derived)
        {
            Exact.Require(derived);
        }

        DataParts parts = Write(set);
        Check(typeof(DataSet), DataDifference.Find(set, Read(parts)));
        return parts;
    }

    public static DataSet ToSet(DataParts parts) => Made.Create(() => Read(parts));

    private static void Check(Type type, string? difference)
    {
        if (difference is not null)
        {
            throw new UnsupportedTypeException(
                type, $"XML does not keep {difference}. Change that, or make a surrogate of its own for it.");
        }
    }

    private static DataParts Write(DataSet set)
    {
        try
        {
            return new(Text(set.WriteXmlSchema), Text(writer => set.WriteXml(writer, XmlWriteMode.DiffGram)));
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or DataException or XmlException)
        {
            throw new UnsupportedTypeException(typeof(DataTable), $"it cannot be written as XML: {e.Message}");
        }
    }

    private static string Text(Action<XmlWriter> write)
    {
        var text = new StringBuilder();
        using (var writer = XmlWriter.Create(text, new() { NewLineHandling = NewLineHandling.Entitize, OmitXmlDeclaration = true }))
        {
            write(writer);
        }

        return text.ToString();
    }

    private static DataSet Read(DataParts parts)
    {
        var set = new DataSet();
        using (XmlReader schema = Reader(parts.Schema))
        {
            set.ReadXmlSchema(schema);
        }

        using XmlReader changes = Reader(parts.Changes);
        set.ReadXml(changes, XmlReadMode.DiffGram);
        return set;
    }

    // The errors of rows and columns are lost with any other reader.
    private static XmlTextReader Reader(string text) =>
        new(new StringReader(text)) { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };
}
