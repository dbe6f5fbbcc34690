using System.Collections;
using Wire.Comparing;
using Wire.Migration.Samples;

namespace Wire.Migration.Tests;

/// <summary>
/// What BinaryFormatter did for every type is done where an option allows it, and else refused with the name of the option.
/// </summary>
public sealed class OptionTests
{
    [Fact]
    public void A_class_that_writes_itself_needs_the_option()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read(Recorded.Bytes("SelfWritten")));

        Assert.Contains("Samples.Account implements ISerializable", e.Message, StringComparison.Ordinal);
        Assert.Contains("Set SerializerOptions.UseSerializable", e.Message, StringComparison.Ordinal);
        Assert.Equal("[0]", e.MemberPath);
    }

    [Fact]
    public void A_class_that_writes_itself_is_read_by_its_constructor()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializable = true });
        byte[] old = Recorded.Bytes("SelfWritten");

        Check(reader.Read<object[]>(old)!);
        Check(reader.Serializer.Deserialize<object[]>(reader.Convert<object[]>(old))!);

        static void Check(object[] all)
        {
            var one = Assert.IsType<Account>(all[0]);
            Assert.Equal(("one", 1.5m), (one.Holder, one.Balance));
            Assert.Equal(("two", 2m), (one.Back!.Holder, one.Back.Balance));
            Assert.Same(one, one.Back.Back);
            GraphAssert.Same(new Account("one", 1.5m).Dates, one.Dates, sharing: true);
            Assert.Same(Currency.Euro, all[1]);
            Assert.Same(Currency.Dollar, all[2]);
            Assert.Equal(3, all.Length);
        }
    }

    [Fact]
    public void Callbacks_need_the_option()
    {
        WireFormatException e = Assert.Throws<WireFormatException>(() => Recorded.Reader().Read<Cached>(Recorded.Bytes("Callbacks")));

        Assert.Contains("Set SerializerOptions.UseSerializationCallbacks", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Callbacks_are_called_in_order_on_a_whole_graph()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializationCallbacks = true });

        Cached read = reader.Read<Cached>(Recorded.Bytes("Callbacks"))!;

        Assert.Equal("begin end graph", read.Steps);
        Assert.Equal("ada", read.Name);
        Assert.Equal("begin end graph", reader.Serializer.Deserialize<Cached>(reader.Convert<Cached>(Recorded.Bytes("Callbacks")))!.Steps);
    }

    [Fact]
    public void A_constructor_gets_collections_that_are_filled()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializable = true });
        byte[] old = Recorded.Bytes("Copying");
        string[] expected = [.. Copied.All.SelectMany(copied => copied.Entries)];

        Assert.Equal(expected, reader.Read<Copied[]>(old)!.SelectMany(copied => copied.Entries));
        Assert.Equal(
            expected, reader.Serializer.Deserialize<Copied[]>(reader.Convert<Copied[]>(old))!.SelectMany(copied => copied.Entries));
    }

    [Fact]
    public void A_constructor_that_would_get_an_empty_collection_is_not_called()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializable = true });

        WireFormatException e = Assert.Throws<WireFormatException>(() => reader.Read<Circular>(Recorded.Bytes("Circular")));

        Assert.Equal(WireFormatError.Reference, e.Error);
        Assert.Contains("Circular is made of a collection whose keys refer back to it", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_are_whole_when_a_collection_compares_them()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializationCallbacks = true });
        byte[] old = Recorded.Bytes("LateKeys");

        Check(reader.Read<object[]>(old)!);
        Check(reader.Serializer.Deserialize<object[]>(reader.Convert<object[]>(old))!);

        static void Check(object[] all)
        {
            Assert.Equal((1, 2), (((Dictionary<LateKey, int>)all[0])[new("A")], ((Dictionary<LateKey, int>)all[0])[new("B")]));
            Assert.True(((HashSet<LateKey>)all[1]).SetEquals([new("A"), new("B")]));
            Assert.Equal((1, 2), (((Hashtable)all[2])[new LateKey("A")], ((Hashtable)all[2])[new LateKey("B")]));
            Assert.Equal(["a", "b"], ((SortedSet<LateKey>)all[3]).Select(key => key.Name));
            Assert.Contains(new LateKey("B"), (SortedSet<LateKey>)all[3]);
            var selfish = (Selfish)all[4];
            Assert.Equal(1, selfish.Table[Tuple.Create(selfish, new LateKey("A"))]);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Exceptions_have_what_they_had(bool useSerializable)
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { UseSerializable = useSerializable });
        byte[] old = Recorded.Bytes("Exceptions");

        Check(reader.Read<Exception[]>(old)!);
        Check(reader.Serializer.Deserialize<Exception[]>(reader.Convert<Exception[]>(old))!);

        static void Check(Exception[] all)
        {
            var own = Assert.IsType<OrderException>(all[0]);
            Assert.Equal(("no order", 17), (own.Message, own.Number));
            Assert.Contains("OrderException.Thrown()", own.StackTrace, StringComparison.Ordinal);
            Assert.Equal("Wire.Migration.Samples", own.Source);
            Assert.Equal(new DictionaryEntry("when", 5), Assert.Single(own.Data.Cast<DictionaryEntry>()));
            var inner = Assert.IsType<ArgumentOutOfRangeException>(own.InnerException);
            Assert.Equal(("number", 5), (inner.ParamName, inner.ActualValue));
            Assert.StartsWith("too many", inner.Message, StringComparison.Ordinal);
            var several = Assert.IsType<AggregateException>(all[1]);
            Assert.Equal([typeof(FormatException), typeof(KeyNotFoundException)], several.InnerExceptions.Select(each => each.GetType()));
            Assert.Same(several.InnerExceptions[0], several.InnerException);
            Assert.Equal("a.txt", Assert.IsType<FileNotFoundException>(all[2]).FileName);
            Assert.Equal(new FileNotFoundException().HResult, all[2].HResult);
        }
    }

    [Fact]
    public void Classes_over_old_base_classes_are_read()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with
        {
            TypeAliases = TypeAliases.None
                .Redirect("Wire.Migration.Samples.Former.Numbers", typeof(Numbers))
                .Redirect("Wire.Migration.Samples.Former.Table", typeof(Table)),
        });
        var numbers = new Numbers();
        numbers.Add(1);
        numbers.Add(2);
        var table = new Table();
        table.Add("a", 1);

        GraphAssert.Same(new object[] { numbers, table }, reader.Read(Recorded.Bytes("Classic")), sharing: true);
    }

    [Fact]
    public void A_singleton_is_the_registered_instance()
    {
        var only = new Named { Number = 99 };
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { Singletons = [only] });

        Assert.Same(only, reader.Read<object[]>(Recorded.Bytes("Named"))![0]);
    }

    [Fact]
    public void Sharing_is_not_lost_silently()
    {
        BinaryFormatterReader reader = Recorded.Reader(Recorded.Options with { PreserveObjectReferences = false });

        ObjectGraphException e = Assert.Throws<ObjectGraphException>(() => reader.Convert(Recorded.Bytes("Graph")));

        Assert.Contains("Set SerializerOptions.PreserveObjectReferences", e.Message, StringComparison.Ordinal);
        GraphAssert.Same(Recorded.Graph("Graph"), reader.Read(Recorded.Bytes("Graph")), sharing: true);
        GraphAssert.Same(
            Recorded.Graph("Tuples"), reader.Serializer.Deserialize<object>(reader.Convert(Recorded.Bytes("Tuples"))), sharing: false);
    }
}
