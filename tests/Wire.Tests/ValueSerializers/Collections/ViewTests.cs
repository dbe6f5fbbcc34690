using System.Collections;
using System.Collections.Specialized;
using System.Runtime.CompilerServices;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>A view comes back as such a view of the collection that others hold too.</summary>
public sealed class ViewTests
{
    public static TheoryData<bool, bool> Ways => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Ways))]
    public void Views_show_the_collection_that_others_hold(bool copies, bool dynamicCode)
    {
        var list = new ArrayList { 1 };
        int[] array = [1, 2];
        var table = new Hashtable { ["a"] = 1 };
        var queue = new Queue();
        var stack = new Stack();
        var sorted = new SortedList();
        object[] all =
        [
            ArrayList.ReadOnly(list), list, ArrayList.Synchronized(list), ArrayList.Adapter(array), array, Hashtable.Synchronized(table),
            table, ArrayList.Synchronized((IList)list), ArrayList.ReadOnly((IList)array), ArrayList.FixedSize((IList)list),
            Queue.Synchronized(queue), queue, stack, Stack.Synchronized(stack), SortedList.Synchronized(sorted), sorted,
        ];

        object[] back = Back(all, copies, dynamicCode);

        GraphAssert.Same(all, back, sharing: true);
        Assert.Equal(all.Select(value => value.GetType()), back.Select(value => value.GetType()));
        ((ArrayList)back[2]).Add(2);
        Assert.Equal(new object[] { 1, 2 }, ((ArrayList)back[1]).ToArray());
        Assert.Equal(new object[] { 1, 2 }, ((ArrayList)back[0]).ToArray());
        Assert.Throws<NotSupportedException>(() => ((ArrayList)back[0]).Add(3));
        ((ArrayList)back[3])[1] = 5;
        Assert.Equal([1, 5], (int[])back[4]);
        ((Hashtable)back[5]).Add("b", 2);
        Assert.Equal(2, ((Hashtable)back[6])["b"]);
        ((Queue)back[10]).Enqueue("q");
        Assert.Equal("q", ((Queue)back[11]).Peek());
        ((Stack)back[13]).Push("s");
        Assert.Equal("s", ((Stack)back[12]).Peek());
        ((SortedList)back[14]).Add("k", 1);
        Assert.Equal(1, ((SortedList)back[15])["k"]);
        Assert.All(
            new (int View, int Shown)[] { (2, 1), (5, 6), (7, 1), (10, 11), (13, 12), (14, 15) },
            pair =>
            {
                Assert.True(((ICollection)back[pair.View]).IsSynchronized);
                Assert.Same(((ICollection)back[pair.Shown]).SyncRoot, ((ICollection)back[pair.View]).SyncRoot);
            });
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Views_may_be_in_what_they_show(bool copies, bool dynamicCode)
    {
        var list = new ArrayList();
        ArrayList outer = ArrayList.Synchronized(list);
        ArrayList second = ArrayList.Synchronized(outer);
        ArrayList third = ArrayList.Adapter(ArrayList.Synchronized((IList)ArrayList.ReadOnly(second)));
        list.AddRange(new object[] { second, third, outer, list });
        foreach (object root in new object[] { outer, list, second, third })
        {
            GraphAssert.Same(root, Back(root, copies, dynamicCode), sharing: true);
        }

        var table = new Hashtable();
        Hashtable view = Hashtable.Synchronized(table);
        table["self"] = view;
        Hashtable back = Back(view, copies, dynamicCode);
        Assert.Same(back, back["self"]);
    }

    [Fact]
    public void Without_references_a_view_and_its_collection_are_two()
    {
        var list = new ArrayList { 1 };
        byte[] payload = new Serializer().Serialize(new object[] { ArrayList.Synchronized(list), list });
        object[] back = new Serializer().Deserialize<object[]>(payload)!;
        ((ArrayList)back[0]).Add(2);
        Assert.Single((ArrayList)back[1]);
    }

    [Fact]
    public void Parts_that_have_no_collection_of_their_own_are_refused()
    {
        Unsupported(new ArrayList { 1, 2 }.GetRange(0, 1), "it is a part of another list, which GetRange made");
        Unsupported(ArrayList.ReadOnly(new ArrayList { 1, 2 }.GetRange(0, 1)), "it is a part of another list, which GetRange made");
        Unsupported(new OrderedDictionary().AsReadOnly(), "it is a read-only view, which does not say of which dictionary");

        static void Unsupported(object value, string reason) => Assert.Contains(
            reason, Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(value)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Views_that_show_themselves_are_refused()
    {
        Refused([0, 1], list => ArrayList.ReadOnly(ArrayList.FixedSize(list)), [], ArrayList.ReadOnly(new ArrayList()));
        Refused([0, 1], list => ArrayList.Synchronized(ArrayList.Synchronized(list)), [], ArrayList.ReadOnly(new ArrayList()));
        Refused([0, 1], table => Hashtable.Synchronized(Hashtable.Synchronized(table)), [], Hashtable.Synchronized([]));

        // The base of older collections has a list, which could be a view of them.
        Refused<IList>([0, 1], list => Around.With(ArrayList.Adapter(list)), new ArrayList(), Array.Empty<int>());
        Refused<IList>([0, 1, 2], list => Around.With(ArrayList.Adapter(ArrayList.FixedSize(list))), new ArrayList(), Array.Empty<int>());
        var around = Around.With([]);
        Inner(around) = ArrayList.Adapter(around);
        Assert.Contains(
            "it wraps itself",
            Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(around)).Message,
            StringComparison.Ordinal);
    }

    private static Serializer Serializer { get; } = new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.Allow<Around>(),
    });

    // A reference to each of the numbers in the place of what is shown, which is where two of them differ.
    private static void Refused<T>(byte[] numbers, Func<T, object> view, T shown, T other)
    {
        byte[] bytes = Serializer.Serialize(view(shown));
        int end = bytes.AsSpan().CommonPrefixLength(Serializer.Serialize(view(other)));
        Assert.Equal(view(shown).GetType(), Serializer.Deserialize<object>(bytes)!.GetType());
        foreach (byte number in numbers)
        {
            byte[] crafted = [.. bytes.AsSpan(0, end), 0x01, number];
            var e = Assert.Throws<WireFormatException>(() => Serializer.Deserialize<object>(crafted));
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
            Assert.Matches("it wraps itself|more than 64 like it are nested", e.Message);
        }
    }

    private static T Back<T>(T value, bool copies, bool dynamicCode)
        where T : class
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
        return copies ? serializer.Clone(value) : (T)serializer.Deserialize<object>(serializer.Serialize<object>(value))!;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_list")]
    private static extern ref ArrayList Inner(CollectionBase collection);

    private sealed class Around : CollectionBase
    {
        public static Around With(ArrayList list)
        {
            var around = new Around();
            Inner(around) = list;
            return around;
        }
    }
}
