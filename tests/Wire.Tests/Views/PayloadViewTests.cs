using Wire.Tests.Golden;
using Wire.Tests.Paths;
using Wire.Tests.Testing;
using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Views;

/// <summary>Views have the values of the objects that are read, in payloads of every kind, good or not.</summary>
public class PayloadViewTests
{
    private static readonly PayloadViewMember<Sample, string> Name = new("Name");
    private static readonly PayloadViewMember<Sample, int> Zone = new("Zone");
    private static readonly PayloadViewMember<Sample, Inner[]> Items = new("Items");
    private static readonly PayloadViewMember<Sample, Inner> InnerOf = new("Inner");
    private static readonly PayloadViewMember<Sample, Dictionary<string, int>> ByName = new("ByName");
    private static readonly PayloadViewMember<Inner, int> Number = new("Number");
    private static readonly PayloadViewMember<Inner, string> InnerName = new("Name");
    private static readonly PayloadViewMember<Inner, Inner> Next = new("Next");
    private static readonly PayloadViewMember<Inner, List<string>> InnerTexts = new("Texts");

    private delegate object? Looking(PayloadView<Sample> view);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void They_have_the_values_of_the_object(bool references)
    {
        Serializer serializer = references ? References : Copies;
        var pair = new ViewPair<Sample>(serializer);
        for (int i = 0; i < 6; i++)
        {
            Assert.InRange(pair.Check(serializer.Serialize(Example(i))), 100, int.MaxValue);
        }

        Assert.True(serializer.Views<Sample>().Open(serializer.Serialize<Sample?>(null)).IsNull);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void They_have_the_values_of_the_golden_samples(bool references)
    {
        Serializer serializer = references ? References : Copies;
        int seen = 0;
        foreach (GoldenSample sample in GoldenSamples.All)
        {
            if (!sample.Type.IsByRefLike)
            {
                seen += ViewPair.Create(serializer, sample.Type).Check(serializer.Serialize(sample.Value));
                seen += ViewPair.Create(serializer, typeof(object)).Check(serializer.Serialize(sample.Value));
            }
        }

        Assert.InRange(seen, 1000, int.MaxValue);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_usual_takes_no_memory(bool references)
    {
        Serializer serializer = references ? References : Copies;
        PayloadViews<Sample> views = serializer.Views<Sample>();
        byte[] payload = serializer.Serialize(Example(3));
        int expected = Sum(views, payload);
        Assert.Equal(expected, Sum(views, payload));
        long before = GC.GetAllocatedBytesForCurrentThread();
        int sum = Sum(views, payload);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Equal(3 + 21 + 10 + 5 + 20 + 5, sum);
    }

    private static int Sum(PayloadViews<Sample> views, byte[] payload)
    {
        PayloadView<Sample> view = views.Open(payload);
        int sum = view.GetText(Name).Length + view.Get(Zone);
        PayloadListView<Inner> items = view.GetView(Items).AsList<Inner>();
        foreach (PayloadView<Inner> item in items)
        {
            sum += item.Get(Number);
        }

        sum += items.Count;
        Assert.True(view.GetView(ByName).AsDictionary<string, int>().TryGetValue("b", out PayloadView<int> value));
        return sum + value.ToObject() + view.GetView(InnerOf).GetText(InnerName).Length;
    }

    [Fact]
    public void They_have_in_damaged_payloads_what_the_general_way_finds()
    {
        // Every byte, and every length.
        (string Path, Type Type, Looking Look)[] looks =
        [
            ("Name", typeof(string), view => view.GetText(Name).ToString()),
            ("Name", typeof(string), view => view.Get(Name)),
            ("Zone", typeof(int), view => view.Get(Zone)),
            ("Items[2].Name", typeof(string), view => view.GetView(Items).AsList<Inner>()[2].GetText(InnerName).ToString()),
            ("Items[3].Number", typeof(int), view => NumberOf(view, 3)),
            ("Items[1].Texts[1]", typeof(string), view =>
                view.GetView(Items).AsList<Inner>()[1].GetView(InnerTexts).AsList<string>()[1].AsText().ToString()),
            ("ByName[\"b\"]", typeof(int), view =>
                view.GetView(ByName).AsDictionary<string, int>().TryGetValue("b", out PayloadView<int> value) ? value.ToObject() : 0),
            ("Inner.Next.Name", typeof(string), view => view.GetView(InnerOf).GetView(Next).Get(InnerName)),
            ("Items[1]", typeof(Inner), view => view.GetView(Items).AsList<Inner>()[1].ToObject()),
        ];
        foreach (Serializer serializer in new[] { Copies, References })
        {
            PayloadViews<Sample> views = serializer.Views<Sample>();
            byte[] good = serializer.Serialize(Example(4));
            foreach ((string path, Type type, Looking look) in looks)
            {
                Assert.True(ViewCheck.Agrees(serializer, good, path, type, () => look(views.Open(good))));
                for (int i = 0; i < good.Length; i++)
                {
                    foreach (byte value in new byte[] { 0, 4, 0x80, (byte)(good[i] + 1) })
                    {
                        byte[] damaged = [.. good];
                        damaged[i] = value;
                        ViewCheck.Agrees(serializer, damaged, path, type, () => look(views.Open(damaged)));
                    }

                    byte[] cut = good[..i];
                    ViewCheck.Agrees(serializer, cut, path, type, () => look(views.Open(cut)));
                }
            }
        }
    }

    // By going from each element to the next.
    private static int NumberOf(PayloadView<Sample> view, int index)
    {
        int at = 0;
        foreach (PayloadView<Inner> item in view.GetView(Items).AsList<Inner>())
        {
            if (at++ == index)
            {
                return item.Get(Number);
            }
        }

        throw new ArgumentOutOfRangeException(nameof(index));
    }

    [Fact]
    public void References_are_followed_and_cycles_are_views_for_ever()
    {
        var first = new Inner { Name = "first", Number = 1 };
        first.Next = new Inner { Name = "second", Number = 2, Next = first };
        byte[] payload = References.Serialize(new Sample { Items = [first, first.Next, first], Inner = first, Name = "end", Zone = 7 });
        PayloadView<Sample> view = References.Views<Sample>().Open(payload);
        Assert.Equal("end", view.GetText(Name).ToString());
        Assert.Equal(7, view.Get(Zone));
        PayloadListView<Inner> items = view.GetView(Items).AsList<Inner>();
        Assert.Equal(["first", "second", "first"], NamesOf(items));
        Assert.Equal("first", items[2].Get(InnerName));
        Assert.Equal("second", items[2].GetView(Next).Get(InnerName));
        Assert.Equal("first", items[1].GetView(Next).GetView(Next).GetView(Next).Get(InnerName));
        Inner again = items[1].ToObject()!;
        Assert.Same(again, again.Next!.Next);
    }

    private static List<string> NamesOf(PayloadListView<Inner> items)
    {
        var names = new List<string>();
        foreach (PayloadView<Inner> item in items)
        {
            names.Add(item.GetText(InnerName).ToString()!);
        }

        return names;
    }

    [Fact]
    public void Limits_hold()
    {
        byte[] payload = Copies.Serialize(Example(3));
        foreach (Limits limits in new Limits[]
        {
            new() { MaxDepth = 1 }, new() { MaxDepth = 2 }, new() { MaxDepth = 3 }, new() { MaxElements = 2 }, new() { MaxManifests = 1 },
            new() { MaxManifests = 2 }, new() { MaxBytes = 400 }, new() { MaxStringLength = 70 }, new() { MaxObjects = 5 },
            new() { MaxAllocation = 500 },
        })
        {
            var serializer = new Serializer(Options with { Limits = limits });
            PayloadViews<Sample> views = serializer.Views<Sample>();
            foreach (byte[] each in new[] { payload, References.Serialize(Example(3)) })
            {
                ViewCheck.Agrees(serializer, each, "Items[4].Name", typeof(string), () =>
                    views.Open(each).GetView(Items).AsList<Inner>()[4].Get(InnerName));
                ViewCheck.Agrees(serializer, each, "Zone", typeof(int), () => views.Open(each).Get(Zone));
            }
        }

        // A list of objects, each in the one before.
        Inner? deep = null;
        for (int i = 0; i < 400; i++)
        {
            deep = new Inner { Number = i, Next = deep };
        }

        byte[] deepest = Copies.Serialize(deep);
        var narrow = new Serializer(Options with { Limits = new() { MaxDepth = 100 } });
        Assert.Equal(0, Last(Copies, deepest));
        Assert.Throws<WireFormatException>(() => Last(narrow, deepest));

        static int Last(Serializer serializer, byte[] payload)
        {
            PayloadView<Inner> view = serializer.Views<Inner>().Open(payload);
            while (view.GetView(Next) is { IsNull: false } next)
            {
                view = next;
            }

            return view.Get(Number);
        }
    }
}
