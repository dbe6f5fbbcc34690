using System.Data;

namespace Wire.Surrogates;

/// <summary>The comparison of what was written of a table with the table, column by column and value by value.</summary>
internal static class DataDifference
{
    private static readonly DataRowVersion[] Versions = [DataRowVersion.Original, DataRowVersion.Current, DataRowVersion.Proposed];

    /// <summary>Returns the first difference, in words; null when there is none.</summary>
    public static string? Find(DataSet set, DataSet other)
    {
        if ((set.DataSetName, set.Namespace, set.Prefix, set.CaseSensitive, set.Tables.Count, set.Relations.Count)
                != (other.DataSetName, other.Namespace, other.Prefix, other.CaseSensitive, other.Tables.Count, other.Relations.Count)
            || !set.Locale.Equals(other.Locale)
            || set.EnforceConstraints != other.EnforceConstraints
            || set.ExtendedProperties.Count != other.ExtendedProperties.Count)
        {
            return $"the properties of the set '{set.DataSetName}'";
        }

        for (int i = 0; i < set.Relations.Count; i++)
        {
            if (set.Relations[i] is var x && other.Relations[i] is var y
                && ((x.RelationName, x.Nested, Names(x.ParentColumns), Names(x.ChildColumns))
                        != (y.RelationName, y.Nested, Names(y.ParentColumns), Names(y.ChildColumns))
                    || (x.ParentTable.TableName, x.ChildTable.TableName) != (y.ParentTable.TableName, y.ChildTable.TableName)))
            {
                return $"the relation '{x.RelationName}'";
            }
        }

        return set.Tables.Cast<DataTable>().Select((table, i) => Find(table, other.Tables[i])).FirstOrDefault(found => found is not null);
    }

    /// <inheritdoc cref="Find(DataSet, DataSet)"/>
    public static string? Find(DataTable table, DataTable other)
    {
        if ((table.TableName, table.Namespace, table.Prefix, table.CaseSensitive, table.DisplayExpression)
                != (other.TableName, other.Namespace, other.Prefix, other.CaseSensitive, other.DisplayExpression)
            || !table.Locale.Equals(other.Locale)
            || (Names(table.PrimaryKey), table.Columns.Count, table.Rows.Count, table.ExtendedProperties.Count)
                != (Names(other.PrimaryKey), other.Columns.Count, other.Rows.Count, other.ExtendedProperties.Count)
            || !table.Constraints.Cast<Constraint>().Select(NameOf).SequenceEqual(other.Constraints.Cast<Constraint>().Select(NameOf)))
        {
            return $"the properties, keys or rows of the table '{table.TableName}'";
        }

        for (int i = 0; i < table.Columns.Count; i++)
        {
            if (!AreSame(table.Columns[i], other.Columns[i]))
            {
                return $"the properties of the column '{table.Columns[i].ColumnName}' of the table '{table.TableName}'";
            }
        }

        for (int i = 0; i < table.Rows.Count; i++)
        {
            if (Find(table.Rows[i], other.Rows[i]) is { } column)
            {
                return $"'{column}' of row {i} of the table '{table.TableName}'";
            }
        }

        return null;
    }

    private static string? Find(DataRow row, DataRow other)
    {
        if (row.RowState != other.RowState || row.RowError != other.RowError)
        {
            return "RowState";
        }

        foreach (DataRowVersion version in Versions)
        {
            if (row.HasVersion(version) != other.HasVersion(version))
            {
                return $"{version}";
            }

            foreach (DataColumn column in row.Table.Columns)
            {
                if (row.HasVersion(version) && !AreSame(row[column, version], other[column.Ordinal, version]))
                {
                    return column.ColumnName;
                }
            }
        }

        return row.Table.Columns.Cast<DataColumn>()
            .FirstOrDefault(column => row.GetColumnError(column) != other.GetColumnError(column.Ordinal))?.ColumnName;
    }

    private static bool AreSame(DataColumn x, DataColumn y) =>
        (x.ColumnName, x.Caption, x.DataType, x.AllowDBNull, x.MaxLength, x.Expression, x.Unique)
            == (y.ColumnName, y.Caption, y.DataType, y.AllowDBNull, y.MaxLength, y.Expression, y.Unique)
        && (x.ReadOnly, x.AutoIncrement, x.AutoIncrementSeed, x.AutoIncrementStep, x.DateTimeMode, x.ColumnMapping)
            == (y.ReadOnly, y.AutoIncrement, y.AutoIncrementSeed, y.AutoIncrementStep, y.DateTimeMode, y.ColumnMapping)
        && (x.Namespace, x.Prefix, x.ExtendedProperties.Count) == (y.Namespace, y.Prefix, y.ExtendedProperties.Count)
        && AreSame(x.DefaultValue, y.DefaultValue);

    // To the last bit: a time has a kind, a decimal a scale.
    private static bool AreSame(object? x, object? y) => (x, y) switch
    {
        (byte[] left, byte[] right) => left.AsSpan().SequenceEqual(right),
        (char[] left, char[] right) => left.AsSpan().SequenceEqual(right),
        (DateTime left, DateTime right) => left.Ticks == right.Ticks && left.Kind == right.Kind,
        (decimal left, decimal right) => decimal.GetBits(left).AsSpan().SequenceEqual(decimal.GetBits(right)),
        (DateTimeOffset left, DateTimeOffset right) => left.EqualsExact(right),
        (double left, double right) => BitConverter.DoubleToInt64Bits(left) == BitConverter.DoubleToInt64Bits(right),
        (float left, float right) => BitConverter.SingleToInt32Bits(left) == BitConverter.SingleToInt32Bits(right),
        _ => Equals(x, y) && x?.GetType() == y?.GetType(),
    };

    private static string Names(DataColumn[] columns) => string.Join('\n', columns.Select(column => column.ColumnName));

    private static string NameOf(Constraint constraint) => constraint switch
    {
        UniqueConstraint unique => $"{unique.ConstraintName}\n{unique.IsPrimaryKey}\n{Names(unique.Columns)}",
        ForeignKeyConstraint key =>
            $"{key.ConstraintName}\n{key.UpdateRule}\n{key.DeleteRule}\n{key.AcceptRejectRule}\n{Names(key.Columns)}",
        _ => constraint.ConstraintName,
    };
}
