using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Numerics;
using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Views;

/// <summary>Views of what is rare: other types than they are asked for, comparers, shared objects, and many kinds of objects.</summary>
public class RareViewTests
{
    private static readonly PayloadViewMember<Node, Node> Left = new("Left");
    private static readonly PayloadViewMember<Node, Node> Right = new("Right");
    private static readonly PayloadViewMember<Node, int> Number = new("Number");
    private static readonly PayloadViewMember<Holding<IReadOnlyDictionary<string, int>>, IReadOnlyDictionary<string, int>> Texts =
        new("Part");

    public static TheoryData<object> NoTexts => [new Uri("http://a/b"), new BigInteger(1000), new Version(1, 2, 3), new Corner(1, 2)];

    [Theory]
    [MemberData(nameof(NoTexts))]
    public void What_is_no_text_is_refused_however_often_it_is_asked_for(object value)
    {
        switch (value)
        {
            case Uri link:
                Check(link);
                break;
            case BigInteger number:
                Check(number);
                Check<BigInteger?>(number);
                break;
            case Version version:
                Check(version);
                break;
            case Corner corner:
                Check(corner);
                Check<Corner?>(corner);
                break;
        }

        static void Check<T>(T part)
        {
            byte[] payload = Copies.Serialize(new Holding<T> { Part = part });
            PayloadViewMember<Holding<T>, string> text = new("Part");
            PayloadViews<Holding<T>> views = Copies.Views<Holding<T>>();
            WireFormatException expected = Assert.Throws<WireFormatException>(() => Copies.Read<string>(payload, "Part"));
            for (int i = 0; i < 4; i++)
            {
                Assert.Equal(expected.Message, Assert.Throws<WireFormatException>(() => views.Open(payload).GetText(text).Length).Message);
                Assert.Equal(
                    expected.Message, Assert.Throws<WireFormatException>(() => views.Open(payload).GetView(text).AsText().Length).Message);
            }
        }
    }

    [Fact]
    public void Keys_are_never_found_by_another_comparer()
    {
        Dictionary<string, int> pairs = new() { ["a"] = 1, ["bb"] = 2 };
        foreach (Serializer serializer in new[] { Copies, References })
        {
            foreach (IReadOnlyDictionary<string, int> known in new IReadOnlyDictionary<string, int>[]
            {
                pairs, new ConcurrentDictionary<string, int>(pairs), pairs.ToImmutableDictionary(), pairs.ToFrozenDictionary(),
            })
            {
                Assert.Equal(2, Find(serializer, known, "bb"));
                Assert.Null(Find(serializer, known, "BB"));
            }

            StringComparer noCase = StringComparer.OrdinalIgnoreCase;
            foreach (IReadOnlyDictionary<string, int> known in new IReadOnlyDictionary<string, int>[]
            {
                new Dictionary<string, int>(pairs, noCase), new ConcurrentDictionary<string, int>(pairs, noCase),
                pairs.ToImmutableDictionary(noCase), pairs.ToImmutableDictionary(noCase, new Halves()), pairs.ToFrozenDictionary(noCase),
            })
            {
                Assert.Equal(2, Find(serializer, known, "BB"));
                Assert.Null(Find(serializer, known, "b"));
            }

            var lengths = new Lengths();
            foreach (IReadOnlyDictionary<string, int> other in new IReadOnlyDictionary<string, int>[]
            {
                new Dictionary<string, int>(pairs, lengths), new ConcurrentDictionary<string, int>(pairs, lengths),
                pairs.ToImmutableDictionary(lengths), new SortedDictionary<string, int>(pairs),
                new SortedDictionary<string, int>(pairs, lengths), new SortedList<string, int>(pairs, lengths),
                pairs.ToImmutableSortedDictionary(lengths), pairs.AsReadOnly(),
            })
            {
                NotSupportedException error = Assert.Throws<NotSupportedException>(() => Find(serializer, other, "xx"));
                Assert.Contains("ToObject()", error.Message, StringComparison.Ordinal);
            }

            // Of numbers too.
            PayloadViewMember<Holding<SortedDictionary<int, int>>, SortedDictionary<int, int>> numbers = new("Part");
            byte[] payload = serializer.Serialize(new Holding<SortedDictionary<int, int>> { Part = new(new Lengths()) { [1] = 1 } });
            Assert.Throws<NotSupportedException>(() =>
                serializer.Views<Holding<SortedDictionary<int, int>>>().Open(payload).GetView(numbers).AsDictionary<int, int>().Count);
        }

        static int? Find(Serializer serializer, IReadOnlyDictionary<string, int> part, string key)
        {
            byte[] payload = serializer.Serialize(new Holding<IReadOnlyDictionary<string, int>> { Part = part });
            PayloadView<IReadOnlyDictionary<string, int>> view = serializer.Views<Holding<IReadOnlyDictionary<string, int>>>()
                .Open(payload).GetView(Texts);
            return view.AsDictionary<string, int>().TryGetValue(key, out PayloadView<int> value) ? value.ToObject() : null;
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Shared_objects_stay_shared_whoever_reads_them(bool references)
    {
        Serializer serializer = references ? References : Copies;

        // As many ways as objects would be too many.
        Node? shared = null;
        for (int i = 30; i > 0; i--)
        {
            shared = new Node { Number = i, Left = shared, Right = shared };
        }

        PayloadViews<Node> views = serializer.Views<Node>();
        PayloadView<Node> view = views.Open(References.Serialize(shared));
        for (int i = 1; i <= 30; i++)
        {
            Assert.Equal(i, view.Get(Number));
            Node whole = view.ToObject()!;
            Assert.Same(whole.Left, whole.Right);
            view = view.GetView(i % 2 == 0 ? Left : Right);
        }

        Assert.True(view.IsNull);

        var first = new Node { Number = 1 };
        first.Left = new Node { Number = 2, Right = first };
        first.Right = first;
        view = views.Open(References.Serialize(first));
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal(1, view.Get(Number));
            view = view.GetView(Right).GetView(Left);
            Assert.Equal(2, view.Get(Number));
            view = view.GetView(Right);
        }
    }

    [Fact]
    public void What_is_kept_for_a_tree_does_not_grow_with_its_ways()
    {
        const int Depth = 12;
        byte[] payload = Copies.Serialize(Tree(Depth));
        PayloadViews<Node> views = Copies.Views<Node>();

        // Each member once is all there is to find out.
        PayloadView<Node> view = views.Open(payload);
        while (!view.IsNull)
        {
            _ = view.Get(Number) + (view.GetView(Right).IsNull ? 1 : 0);
            view = view.GetView(Left);
        }

        long before = GC.GetAllocatedBytesForCurrentThread();
        int sum = Sum(views.Open(payload));
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal((1 << Depth) - 1, sum);

        static Node? Tree(int depth) => depth == 0 ? null : new Node { Number = 1, Left = Tree(depth - 1), Right = Tree(depth - 1) };

        static int Sum(PayloadView<Node> view) =>
            view.IsNull ? 0 : view.Get(Number) + Sum(view.GetView(Left)) + Sum(view.GetView(Right));
    }

    [Fact]
    public void Kinds_beyond_those_that_are_kept_are_read_too()
    {
        Type[] types =
        [
            typeof(bool), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long),
            typeof(ulong), typeof(float), typeof(double), typeof(decimal), typeof(char), typeof(Guid), typeof(DateTime), typeof(TimeSpan),
            typeof(string),
        ];
        PayloadViews<object> views = Copies.Views<object>();
        PayloadViewMember<object, object> part = new("Part");
        PayloadViewMember<object, int> number = new("Number");
        int count = 0;
        foreach (Type first in types)
        {
            foreach (Type second in types)
            {
                Type type = typeof(Kind<,>).MakeGenericType(first, second);
                object inner = Activator.CreateInstance(type, [++count, null])!;
                byte[] payload = Copies.Serialize(Activator.CreateInstance(type, [0, inner])!);
                Assert.Equal(count, views.Open(payload).GetView(part).Get(number));
                Assert.Equal(count, views.Open(payload).GetView(part).Get(number));
            }
        }

        Assert.InRange(count, 257, int.MaxValue);
    }

    public sealed class Node
    {
        public Node? Left { get; set; }

        public int Number { get; set; }

        public Node? Right { get; set; }
    }

    public sealed class Holding<T>
    {
        public T? Part { get; set; }
    }

    public sealed class Kind<T1, T2>(int number, object? part)
    {
        public T1? First { get; set; }

        public int Number { get; set; } = number;

        public object? Part { get; set; } = part;

        public T2? Second { get; set; }
    }

    /// <summary>Text is equal where it is as long, and numbers are in the other order.</summary>
    public sealed class Lengths : IEqualityComparer<string>, IComparer<string>, IComparer<int>
    {
        public int Compare(string? x, string? y) => (x?.Length ?? 0).CompareTo(y?.Length ?? 0);

        public int Compare(int x, int y) => y.CompareTo(x);

        public bool Equals(string? x, string? y) => x?.Length == y?.Length;

        public int GetHashCode(string obj) => obj.Length;
    }

    public sealed class Halves : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => x / 2 == y / 2;

        public int GetHashCode(int obj) => obj / 2;
    }
}
