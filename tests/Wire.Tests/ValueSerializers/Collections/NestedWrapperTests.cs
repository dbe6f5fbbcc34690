using System.Collections;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Reflection;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>Collections around collections: so many, and no more, so that neither time nor the stack runs out.</summary>
public sealed class NestedWrapperTests
{
    private const int Most = 64;

    public static IEnumerable<object[]> Kinds =>
        from kind in Wraps.Keys from references in new[] { false, true } select new object[] { kind, references };

    private static Dictionary<string, (Func<object> Innermost, Func<object, object> Wrap, Func<object, object> Within)> Wraps
    { get; } = new()
    {
        ["Collection"] = (() => new List<int> { 1 }, list => new Collection<int>((IList<int>)list), Items<Collection<int>>("items")),
        ["ReadOnlyCollection"] = (
            () => new List<int> { 1 }, list => new ReadOnlyCollection<int>((IList<int>)list), Items<ReadOnlyCollection<int>>("list")),
        ["both"] = (
            () => new List<int> { 1 },
            list => list is Collection<int> ? new ReadOnlyCollection<int>((IList<int>)list) : new Collection<int>((IList<int>)list),
            wrapper => (wrapper is Collection<int> ? Items<Collection<int>>("items") : Items<ReadOnlyCollection<int>>("list"))(wrapper)),
        ["BindingList"] = (() => new List<int> { 1 }, list => new BindingList<int>((IList<int>)list), Items<Collection<int>>("items")),
        ["ReadOnlyDictionary"] = (
            () => new Dictionary<int, int> { [1] = 2 },
            map => new ReadOnlyDictionary<int, int>((IDictionary<int, int>)map),
            Items<ReadOnlyDictionary<int, int>>("m_dictionary")),
        ["ArrayList.ReadOnly"] = (
            () => new ArrayList { 1 },
            list => ArrayList.ReadOnly((ArrayList)list),
            view => view.GetType().GetField("_list", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(view)!),
        ["Hashtable.Synchronized"] = (
            () => new Hashtable { [1] = 2 },
            table => Hashtable.Synchronized((Hashtable)table),
            view => view.GetType().GetField("_table", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(view)!),
        ["ReadOnlySet"] = (() => new HashSet<int> { 1 }, set => new ReadOnlySet<int>((ISet<int>)set), Items<ReadOnlySet<int>>("_set")),
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void As_many_as_can_be_written_can_be_read(string kind, bool references)
    {
        (Func<object> innermost, Func<object, object> wrap, Func<object, object> within) = Wraps[kind];
        Serializer serializer = Setup.Serializer(true, o => o with { PreserveObjectReferences = references });
        object value = innermost();
        for (int i = 0; i < Most; i++)
        {
            value = wrap(value);
        }

        object read = serializer.Deserialize<object>(serializer.Serialize<object>(value))!;

        for (int i = 0; i < Most; i++)
        {
            Assert.Equal(value.GetType(), read.GetType());
            (value, read) = (within(value), within(read));
        }

        Assert.Equal(value, read);
        Assert.IsType(innermost().GetType(), read);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void One_more_is_refused(string kind, bool references)
    {
        (Func<object> innermost, Func<object, object> wrap, _) = Wraps[kind];
        Serializer serializer = Setup.Serializer(true, o => o with { PreserveObjectReferences = references });
        object value = innermost();
        for (int i = 0; i <= Most; i++)
        {
            value = wrap(value);
        }

        var e = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(value));

        Assert.Contains($"more than {Most} like it are nested in each other", e.Message, StringComparison.Ordinal);
    }

    // One collection is around some others; the innermost is an array, of ones that stand around it and each other. When these are read,
    // nobody knows yet how deep it is.
    [Theory]
    [InlineData(0, Most - 1, true)]
    [InlineData(0, Most, false)]
    [InlineData(40, 23, true)]
    [InlineData(40, 24, false)]
    [InlineData(Most - 1, 0, true)]
    [InlineData(Most, 0, false)]
    public void Those_around_one_that_is_still_being_read_count_too(int within, int around, bool fits)
    {
        Serializer serializer = Setup.WithReferences(true);
        byte[] root = serializer.Serialize<object>(new Collection<object>(Array.Empty<object>()))[..^3];
        byte[] payload = new PayloadWriter().Byte(root).Many(within, (writer, _) => writer.Byte(0x80)).Byte(0x05, 0x2F).Number(around)
            .Many(around, (writer, i) => writer.Byte(0x80, 0x01).Number(i == 0 ? 0 : within + 1 + i)).Bytes;
        if (fits)
        {
            object read = serializer.Deserialize<object>(payload)!;

            object innermost = read;
            for (int i = 0; i <= within; i++)
            {
                innermost = Items<Collection<object>>("items")(innermost);
            }

            object outer = read;
            foreach (object element in Assert.IsType<object[]>(innermost))
            {
                Assert.Same(outer, Items<Collection<object>>("items")(element));
                outer = element;
            }
        }
        else
        {
            var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload));
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
            Assert.Contains($"more than {Most} like it are nested in each other", e.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("System.ComponentModel.BindingList`1[[System.Object]]")]
    [InlineData("System.ComponentModel.BindingList`1[[System.Collections.ObjectModel.ObservableCollection`1[[System.Int32]]]]")]
    public void A_list_for_binding_that_is_around_itself_is_refused(string name)
    {
        // Of notifying elements it is gone through when the graph has been read.
        byte[] manifest =
        [
            .. new PayloadWriter().Number(name.Length << 1).Byte(System.Text.Encoding.ASCII.GetBytes(name)).Byte(1)
                .Byte(0x44, 0x03).Name("Item1").Byte(0x46, 0x00).Name("Item2").Byte(0x12).Name("Item3").Byte(0x15).Bytes,
        ];
        byte[] payload = [.. new PayloadWriter().Byte(0x12, 0x02).Number(manifest.Length).Byte(manifest).Byte(
            0x01, 0x00, 0x13, 0xFF, 0xFF, 0xFF, 0xFF).Bytes];

        var e = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload));

        Assert.Contains("it wraps itself", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Lists_for_binding_that_share_one_count_what_each_listens_to()
    {
        const int Count = 500;
        var element = new ObservableCollection<int>();
        var shared = new List<ObservableCollection<int>>(Enumerable.Repeat(element, Count));
        object[] lists = [.. Enumerable.Range(0, Count).Select(_ => new BindingList<ObservableCollection<int>>(shared))];
        Serializer plenty = Setup.WithReferences(true);
        byte[] payload = plenty.Serialize(lists);
        Assert.Equal(Count, ((object[])plenty.Deserialize<object>(payload)!).Length);
        Serializer little = Setup.Serializer(
            true, o => o with { PreserveObjectReferences = true, Limits = Limits.Default with { MaxAllocation = 128 * Count * Count } });

        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => little.Deserialize<object>(payload)).Error);
        Assert.Throws<ObjectGraphException>(() => little.Serialize(lists));
    }

    private static Func<object, object> Items<T>(string field) => wrapper =>
        typeof(T).GetField(field, System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance)!.GetValue(wrapper)!;
}
