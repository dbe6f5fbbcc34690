using System.Collections.Concurrent;
using System.Collections.Specialized;
using System.Data;
using System.Globalization;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using Wire.Migration.Samples;

namespace Wire.Migration.Tests;

/// <summary>Tables and sets of tables, with the ready surrogates.</summary>
public sealed class DataTests
{
    private static readonly SerializerOptions Options = Recorded.Options with { Surrogates = [.. FrameworkSurrogates.All] };

    [Fact]
    public void A_table_is_read_and_converted()
    {
        BinaryFormatterReader reader = Recorded.Reader(Options);
        byte[] old = Recorded.Bytes("DataTable");

        Check(reader.Read<DataTable>(old)!);
        Check(reader.Serializer.Deserialize<DataTable>(reader.Convert<DataTable>(old))!);
        Check((DataTable)reader.Read(old)!);

        static void Check(DataTable table)
        {
            Assert.Null(table.DataSet);
            Assert.Equal(("orders", CultureInfo.InvariantCulture), (table.TableName, table.Locale));
            Assert.Equal(
                [typeof(int), typeof(string), typeof(DateTime), typeof(decimal), typeof(byte[]), typeof(decimal), typeof(Guid)],
                table.Columns.Cast<DataColumn>().Select(column => column.DataType));
            Assert.True(table.Columns["id"]!.AutoIncrement);
            Assert.Equal(40, table.Columns["text"]!.MaxLength);
            Assert.Equal(DataSetDateTime.Utc, table.Columns["when"]!.DateTimeMode);
            Assert.False(table.Columns["price"]!.AllowDBNull);
            Assert.Equal("price * 2", table.Columns["twice"]!.Expression);
            Assert.Equal([table.Columns["id"]!], table.PrimaryKey);
            Assert.Equal(
                [DataRowState.Modified, DataRowState.Deleted, DataRowState.Unchanged, DataRowState.Unchanged, DataRowState.Added],
                table.Rows.Cast<DataRow>().Select(row => row.RowState));
            DataRow first = table.Rows[0];
            Assert.Equal(("first", "changed"), (first["text", DataRowVersion.Original], first["text"]));
            Assert.Equal((1.5m, 3.0m, Guid.Empty), (first["price"], first["twice"], first["guid"]));
            Assert.Equal([1, 2], (byte[])first["bytes"]);
            Assert.Equal((new DateTime(2020, 1, 2, 3, 4, 5), DateTimeKind.Utc), ((DateTime)first["when"], ((DateTime)first["when"]).Kind));
            DataRow deleted = table.Rows[1];
            Assert.Equal("", deleted["text", DataRowVersion.Original]);
            Assert.Equal(7, ((DateTime)deleted["when", DataRowVersion.Original]).Ticks % 10);
            Assert.Equal((DBNull.Value, "wrong"), (table.Rows[2]["text"], table.Rows[2].RowError));
            Assert.Equal(" <\u00e4&> ", table.Rows[3]["text"]);
        }
    }

    [Fact]
    public void A_set_is_read_and_converted()
    {
        BinaryFormatterReader reader = Recorded.Reader(Options);
        byte[] old = Recorded.Bytes("DataSet");

        Check(reader.Read<DataSet>(old)!);
        Check(reader.Serializer.Deserialize<DataSet>(reader.Convert<DataSet>(old))!);

        static void Check(DataSet set)
        {
            Assert.Equal(("shop", CultureInfo.InvariantCulture), (set.DataSetName, set.Locale));
            Assert.Equal(["customers", "orders"], set.Tables.Cast<DataTable>().Select(table => table.TableName));
            DataRelation relation = Assert.Single(set.Relations.Cast<DataRelation>());
            Assert.Equal(("theirs", "id", "customer"), (
                relation.RelationName, relation.ParentColumns[0].ColumnName, relation.ChildColumns[0].ColumnName));
            Assert.Contains("unique name", set.Tables[0].Constraints.Cast<Constraint>().Select(constraint => constraint.ConstraintName));
            Assert.Equal(0.1, set.Tables[0].Rows[0].GetChildRows("theirs").Single()["total"]);
            Assert.Equal((double.MaxValue, DataRowState.Added), (set.Tables[1].Rows[1]["total"], set.Tables[1].Rows[1].RowState));
            Assert.Throws<ConstraintException>(() => set.Tables[0].Rows.Add(3, "Ada"));
        }
    }

    [Fact]
    public void Without_the_surrogates_a_table_is_refused() =>
        Assert.Contains(
            "System.Data.DataTable",
            Assert.Throws<TypeRefusedException>(() => Recorded.Reader().Read(Recorded.Bytes("DataTable"))).TypeName,
            StringComparison.Ordinal);

    [Fact]
    public void What_NET_Framework_wrote_of_its_own_classes_is_read_and_converted()
    {
        BinaryFormatterReader reader = Recorded.Reader(Options);
        byte[] old = Recorded.Bytes("Framework");

        Check(reader.Read<object[]>(old)!);
        Check(reader.Serializer.Deserialize<object[]>(reader.Convert<object[]>(old))!);

        static void Check(object[] all)
        {
            var growing = Assert.IsType<MemoryStream>(all[0]);
            Assert.Equal((2, "00010203"), (growing.Position, Convert.ToHexString(growing.ToArray())));
            growing.Position = 4;
            growing.Write(new byte[100]);
            var part = Assert.IsType<MemoryStream>(all[1]);
            Assert.Equal((2, "010203", 4), (part.Position, Convert.ToHexString(part.ToArray()), part.Capacity));
            Assert.Throws<NotSupportedException>(() => part.Write(new byte[100]));

            var names = Assert.IsType<NameValueCollection>(all[2]);
            Assert.Equal(new string?[] { "a", "b", null }, names.AllKeys);
            Assert.Equal(["1", "2"], names.GetValues("A")!);
            Assert.Null(names.GetValues("b"));
            Assert.Equal("3", names[null]);
            var exact = Assert.IsType<NameValueCollection>(all[3]);
            Assert.Equal(("1", "2"), (exact["a"], exact["A"]));

            var table = Assert.IsType<ConcurrentDictionary<string, Key>>(all[4]);
            Assert.Equal(new Key(1), table["A"]);
            Assert.Equal([IPAddress.Loopback, IPAddress.Parse("2001:db8::1%7")], all[5..7]);
            Assert.Equal("CN=wire", Assert.IsType<X509Certificate2>(all[7]).Subject);
        }
    }
}
