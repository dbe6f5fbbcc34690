using System.Collections.Concurrent;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>What a program is told of schemas that differ from its own: what, and how often.</summary>
public sealed class SchemaDifferenceTests
{
    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_is_unknown_missing_and_converted_is_named_once(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer reader) = Pair<Old.Order, New.Order>(dynamicCode, told.Add);
        byte[] bytes = writer.Serialize(Old.Order.Sample());
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(7, reader.Deserialize<New.Order>(bytes)!.Number);
        }

        SchemaDifference difference = Assert.Single(told);
        Assert.Equal((typeof(New.Order), "it"), (difference.Type, difference.WriterName));
        Assert.Equal(["Gone", "Lines.Gone", "Maybe.Gone", "Price.Gone", "Prices.Gone"], difference.UnknownMembers.Order());
        Assert.Equal(["Added", "Lines.Added", "Maybe.Added", "Price.Added", "Prices.Added"], difference.MissingMembers.Order());
        Assert.Equal(
            [
                new("Lines.Amount", "Int32", "Int64"),
                new("Maybe", "(Amount: Int32, Gone: Byte)", "(Added: String, Amount: Int64)?"),
                new("Maybe.Amount", "Int32", "Int64"),
                new("Number", "Int32", "Int64"),
                new("Numbers", "tagged sequence of Int16", "tagged sequence of Int32?"),
                new("Price.Amount", "Int32", "Int64"),
                new("Prices.Amount", "Int32", "Int64"),
            ],
            difference.Conversions.OrderBy(conversion => conversion.Member, StringComparer.Ordinal));
        string text = difference.ToString();
        Assert.StartsWith($"{typeof(New.Order)} written as 'it', unknown [Gone, ", text, StringComparison.Ordinal);
        Assert.Contains("missing [", text, StringComparison.Ordinal);
        Assert.Contains("Number from Int32 to Int64", text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_only_looks_different_is_no_difference(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { SchemaDifference = told.Add });
        var tree = new Tree { Nodes = [new Node { Number = 1, Inner = [new Node { Number = 2 }] }] };
        Assert.Equal(2, serializer.RoundTrip(tree).Nodes![0].Inner![0].Number);
        Assert.Equal(5, serializer.RoundTrip(new Old.Order { Number = 5 }).Number);

        // Another name of a backing field, and another order of the same names.
        (Serializer writer, Serializer reader) = Pair<Forth, Back>(dynamicCode, told.Add);
        Assert.Equal(3, reader.Deserialize<Back>(writer.Serialize(new Forth { A = new Deep { Tree = tree }, B = 3 }))!.B);
        Assert.Empty(told);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Names_of_an_enum_are_a_difference(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer reader) = Pair<Holder<New.Level>, Holder<New.Grade>>(dynamicCode, told.Add);
        const string Grade = "enum of Int32 (Low = 0, High = 1, Top = 2)";
        byte[] named = writer.Serialize(new Holder<New.Level> { Value = New.Level.High, Other = 3 });
        Assert.Equal(New.Grade.High, reader.Deserialize<Holder<New.Grade>>(named)!.Value);
        Assert.Equal([new MemberConversion("Value", "enum of Int32 (Low = 0, High = 1)", Grade)], Assert.Single(told).Conversions);

        // An integer was never an enum, or one without names.
        told.Clear();
        (Serializer integers, reader) = Pair<Holder<int>, Holder<New.Grade>>(dynamicCode, told.Add);
        byte[] number = integers.Serialize(new Holder<int> { Value = 1, Other = 3 });
        Assert.Equal(New.Grade.High, reader.Deserialize<Holder<New.Grade>>(number)!.Value);
        Assert.Equal([new MemberConversion("Value", "Int32", Grade)], Assert.Single(told).Conversions);

        // In collections too.
        told.Clear();
        (integers, Serializer lists) = Pair<Holder<List<Dictionary<string, int>>>, Holder<List<Dictionary<string, New.Grade>>>>(
            dynamicCode, told.Add);
        byte[] deep = integers.Serialize(new Holder<List<Dictionary<string, int>>> { Value = [new() { ["x"] = 2 }], Other = 3 });
        Assert.Equal(New.Grade.Top, Assert.Single(lists.Deserialize<Holder<List<Dictionary<string, New.Grade>>>>(deep)!.Value!)["x"]);
        Assert.Contains(Grade, Assert.Single(Assert.Single(told).Conversions).Reader, StringComparison.Ordinal);

        told.Clear();
        reader = new Serializer(reader.Options with { EnumsByName = false });
        Assert.Equal(New.Grade.High, reader.Deserialize<Holder<New.Grade>>(number)!.Value);
        Assert.Empty(told);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_collection_and_a_struct_are_roots_too(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer reader) = Pair<Old.Price, New.Price>(dynamicCode, told.Add);
        Assert.Equal(1, reader.Deserialize<New.Price>(writer.Serialize(new Old.Price { Amount = 1 })).Amount);
        Assert.Equal(["Gone"], Assert.Single(told).UnknownMembers);
        Assert.Equal(2, reader.Deserialize<List<New.Price>>(writer.Serialize(new List<Old.Price> { new() { Amount = 2 } }))![0].Amount);
        Assert.Equal([typeof(New.Price), typeof(List<New.Price>)], told.Select(difference => difference.Type));
        Assert.Equal(["Added"], told[1].MissingMembers);

        told.Clear();
        (writer, reader) = Pair<Old.Level, New.Level>(dynamicCode, told.Add);
        Assert.Equal([New.Level.High], reader.Deserialize<List<New.Level>>(writer.Serialize(new List<Old.Level> { Old.Level.High }))!);
        const string Names = " (Low = 0, High = 1)";
        Assert.Equal(
            [new MemberConversion("", $"sequence of enum of Byte{Names}", $"sequence of enum of Int32{Names}")],
            Assert.Single(told).Conversions);
        Assert.Contains("the value from sequence of enum of Byte", told[0].ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_refusal_and_a_schema_by_fingerprint_report_nothing(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer reader) = Pair<Text, Number>(dynamicCode, told.Add);
        byte[] bytes = writer.Serialize(new Text { Value = "x", Gone = 1 });
        Assert.Throws<WireFormatException>(() => reader.Deserialize<Number>(bytes));
        Serializer strict = Setup.Serializer(dynamicCode, o => writer.Options with { VersionTolerance = false });
        Assert.Throws<WireFormatException>(() => reader.Deserialize<Number>(strict.Serialize(new Text { Gone = 1 })));
        Assert.Empty(told);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_the_callback_throws_comes_out_as_it_is_and_is_asked_again(bool dynamicCode)
    {
        Exception? thrown = null;
        int calls = 0;
        (Serializer writer, Serializer reader) = Pair<Old.Order, New.Order>(dynamicCode, _ =>
        {
            calls++;
            if (thrown is not null)
            {
                throw thrown;
            }
        });
        byte[] bytes = writer.Serialize(Old.Order.Sample());
        Exception unsupported = Assert.Throws<UnsupportedTypeException>(() => writer.Serialize(new Lock()));
        foreach (Exception next in new[]
        {
            new InvalidOperationException("mine"),
            unsupported,
            new ArgumentException("mine"),
        })
        {
            thrown = next;
            Assert.Same(thrown, Record.Exception(() => reader.Deserialize<New.Order>(bytes)));
            Assert.Same(thrown, Record.Exception(() => reader.Deserialize<New.Order>(new SeekableStream(bytes))));
            Assert.Equal(1, reader.RoundTrip(new New.Order { Number = 1 }).Number);
        }

        thrown = null;
        Assert.Equal(7, reader.Deserialize<New.Order>(bytes)!.Number);
        Assert.Equal(7, reader.Deserialize<New.Order>(bytes)!.Number);
        Assert.Equal(7, calls);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public async Task Many_threads_hear_of_a_schema_once(bool dynamicCode)
    {
        for (int round = 0; round < 20; round++)
        {
            var told = new ConcurrentBag<SchemaDifference>();
            (Serializer writer, Serializer reader) = Pair<Old.Order, New.Order>(dynamicCode, told.Add);
            byte[] bytes = writer.Serialize(Old.Order.Sample());
            using var start = new Barrier(4);
            Task[] tasks = [.. Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    for (int i = 0; i < 50; i++)
                    {
                        Assert.Equal(7, reader.Deserialize<New.Order>(bytes)!.Number);
                    }
                },
                default,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default))];
            await Task.WhenAll(tasks);
            Assert.Single(told);
        }
    }

    [Fact]
    public void A_session_and_another_root_hear_of_it_no_second_time_and_a_forgotten_schema_is_reported_again()
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer all) = Pair<Old.Order, New.Order>(dynamicCode: true, told.Add);
        var reader = new Serializer(all.Options with { Limits = Limits.Default with { MaxSchemas = 1 } });
        byte[] bytes = writer.Serialize(Old.Order.Sample());
        reader.Deserialize<New.Order>(bytes);
        reader.Deserialize<object>(bytes);
        reader.Deserialize<object[]>(writer.Serialize(new object[] { Old.Order.Sample(), Old.Order.Sample() }));
        using (SerializerSession sending = writer.GetSerializerSession())
        using (DeserializerSession receiving = reader.GetDeserializerSession())
        {
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal(7, reader.Deserialize<New.Order>(writer.Serialize(Old.Order.Sample(), sending), receiving)!.Number);
            }
        }

        Assert.Single(told);
        Serializer other = Setup.Serializer(true, o => o with { TypeAliases = TypeAliases.None.Alias<Small>("it") });
        reader.Deserialize<New.Order>(other.Serialize(new Small { Number = 1 }));
        Assert.Equal(2, told.Count);
        reader.Deserialize<New.Order>(bytes);
        Assert.Equal(3, told.Count);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_known_type_has_no_name_and_the_callback_may_read_the_same_payload(bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        Serializer? reader = null;
        byte[] bytes =
            Setup.Serializer(dynamicCode, o => o with { KnownTypes = [new(3, typeof(Old.Order))] }).Serialize(Old.Order.Sample());
        reader = Setup.Serializer(dynamicCode, o => o with
        {
            KnownTypes = [new(3, typeof(New.Order))],
            SchemaDifference = difference =>
            {
                told.Add(difference);
                Assert.Equal(7, reader!.Deserialize<New.Order>(bytes)!.Number);
            },
        });
        Assert.Equal(7, reader.Deserialize<New.Order>(bytes)!.Number);
        Assert.Null(Assert.Single(told).WriterName);
        Assert.StartsWith($"{typeof(New.Order)}, unknown [", told[0].ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_payload_with_very_many_members_is_told_in_part()
    {
        const int Members = 5000;
        const byte Byte = 0x12;
        var told = new List<SchemaDifference>();
        Serializer reader = Setup.Serializer(true, o => o with { SchemaDifference = told.Add });
        byte[] bytes =
        [
            0x10,
            .. new PayloadWriter().Definition(typeof(Number), schema =>
            {
                schema.Byte(0x44).Number(1 + Members).Name("Value").Byte(Byte);
                for (int i = 0; i < Members; i++)
                {
                    schema.Name($"Invented{i}").Byte(Byte);
                }
            }).Bytes,
            5,
            .. new byte[Members],
        ];
        Assert.Equal(5, reader.Deserialize<Number>(bytes)!.Value);
        SchemaDifference difference = Assert.Single(told);
        Assert.Equal(256, difference.UnknownMembers.Count);
        Assert.Equal("Invented255", difference.UnknownMembers[255]);
        Assert.Equal([new MemberConversion("Value", "Byte", "Int32")], difference.Conversions);
        Assert.Contains("Invented7, ... 248 more]", difference.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_payload_can_make_no_second_line()
    {
        var told = new List<SchemaDifference>();
        (Serializer writer, Serializer reader) = Pair<Evil, Number>(dynamicCode: true, told.Add);
        reader.Deserialize<Number>(writer.Serialize(new Evil { Value = 1 }));
        string text = Assert.Single(told).ToString();
        Assert.DoesNotContain('\n', text);
        Assert.Contains("a\\u000Ab", text, StringComparison.Ordinal);
        Assert.Contains("a\nb", told[0].UnknownMembers);
    }

    [Fact]
    public void A_replaced_exception_is_no_difference()
    {
        var told = new List<SchemaDifference>();
        Serializer writer = Setup.Serializer(true);
        var reader = new Serializer(new SerializerOptions
        {
            ReplaceUnknownExceptions = true,
            SchemaDifference = told.Add,
            MissingMembers = MissingMembers.NonNullRefused,
        });
        byte[] bytes = writer.Serialize(new OwnException { Detail = "d" });
        Assert.IsType<RemoteException>(reader.Deserialize<Exception>(bytes));
        Assert.Empty(told);
    }

    private static (Serializer Writer, Serializer Reader) Pair<TFrom, TTo>(bool dynamicCode, Action<SchemaDifference> told) => (
        Setup.Serializer(dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<TFrom>("it") }),
        Setup.Serializer(
            dynamicCode, o => o with { TypeAliases = TypeAliases.None.Alias<TTo>("it"), SchemaDifference = told }));

    private static class Old
    {
        public enum Level : byte
        {
            Low,
            High,
        }

        public sealed class Order
        {
            public int Number;
            public string? Gone;
            public Price Price;
            public Price Maybe;
            public List<Price>? Lines;
            public Dictionary<Price, Price>? Prices;
            public List<short>? Numbers;

            public static Order Sample() => new() { Number = 7, Gone = "g", Lines = [default], Numbers = [1] };
        }

        public struct Price
        {
            public int Amount;
            public byte Gone;
        }
    }

    private sealed class Holder<T>
    {
        public T? Value;
        public int Other;
    }

    private static class New
    {
        public enum Grade
        {
            Low,
            High,
            Top,
        }

        public enum Level
        {
            Low,
            High,
        }

        public sealed class Order
        {
            public long Number;
            public string? Added;
            public Price Price;
            public Price? Maybe;
            public List<Price>? Lines;
            public Dictionary<Price, Price>? Prices;
            public List<int?>? Numbers;
        }

        public struct Price
        {
            public long Amount;
            public string? Added;
        }
    }

    private sealed class Small
    {
        public int Number;
    }

    private sealed class Text
    {
        public string? Value;
        public int Gone;
    }

    private sealed class Number
    {
        public int Value;
    }

    private sealed class Evil
    {
        public int Value;

        [WireName("a\nb")]
        public int Line;
    }

    private sealed class Tree
    {
        public List<Node>? Nodes;
    }

    private struct Node
    {
        public int Number;
        public List<Node>? Inner;
    }

    private struct Deep
    {
        public Tree? Tree;
        public Node[]? Nodes;
    }

    private sealed class Forth
    {
        public Deep A;
        public int B { get; set; }
    }

    private sealed class Back
    {
        [WireName("B")]
        public int B;

        [WireName("A")]
        public Deep Z;
    }

    private sealed class OwnException : Exception
    {
        public string? Detail { get; set; }
    }
}
