using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using System.Xml;
using Wire.Runtime;

namespace Wire.Surrogates;

/// <summary>Tables as BinaryFormatter wrote them too: their schema, and their rows with what has changed in them, as XML.</summary>
internal record struct DataParts(string Schema, string Changes);

/// <summary>A table of its own, as the only one of a set, and what it would lose there.</summary>
internal record struct TableParts(string Schema, string Changes, bool InheritsNamespace, bool IsNameless);

/// <summary>
/// <see cref="DataTable"/> and <see cref="DataSet"/> as XML. What is written is read at once and compared, because XML does not keep all
/// that a table can hold.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class DataConversion
{
    public static TableParts FromTable(DataTable table)
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
        (string schema, string changes) = Write(set);
        var parts = new TableParts(schema, changes, InheritsNamespace(table), table.TableName.Length == 0);
        Check(typeof(DataTable), DataDifference.Find(table, ToTable(parts)));
        return parts;
    }

    public static DataTable ToTable(TableParts parts) => Made.Create(() =>
    {
        DataSet set = Read(new(parts.Schema, parts.Changes));
        if (set.Tables.Count != 1)
        {
            throw new DataException($"There are {set.Tables.Count} tables instead of one.");
        }

        // What it has from the set stays as it is, and will be that of another set that it is added to; but not the namespace.
        DataTable table = set.Tables[0];
        string space = table.Namespace;
        set.Tables.Remove(table);
        if (!parts.InheritsNamespace)
        {
            table.Namespace = space;
        }

        // A set gives every table a name.
        if (parts.IsNameless)
        {
            table.TableName = "";
        }

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

    // Only a set shows whether a table has a namespace of its own, which may be the empty one.
    private static bool InheritsNamespace(DataTable table)
    {
        DataTable inside = table.Clone();
        var set = new DataSet { Namespace = $"not {table.Namespace}" };
        set.Tables.Add(inside);
        return inside.Namespace == set.Namespace;
    }

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
