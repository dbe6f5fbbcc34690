using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>What a program in the middle does not know reaches the next one.</summary>
public class UnknownMemberTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Messages = 14;

    public static TheoryData<bool, bool, bool> Roads
    {
        get
        {
            var roads = new TheoryData<bool, bool, bool>();
            foreach (int i in Enumerable.Range(0, 8))
            {
                roads.Add((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
            }

            return roads;
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void A_program_in_the_middle_passes_on_what_it_does_not_know(bool dynamicCode, bool references, bool sessions)
    {
        var road = new Road(dynamicCode, references, references, sessions);
        for (int i = 0; i < Messages; i++)
        {
            Newest.Order sent = Newest.Order.Sample(i);
            Newest.Order received = road.Pass<Newest.Order, Middle.Order>(sent, order =>
            {
                Assert.NotNull(order.UnknownMembers);
                Assert.Empty(order.UnknownMembers.Dropped);
                Assert.Contains("Money", order.UnknownMembers.Names);
                Assert.DoesNotContain("Note", order.UnknownMembers.Names);
                Assert.NotNull(order.Lines![0]!.UnknownMembers);
                order.Note = $"changed {order.Id}";
                order.Lines[0]!.Article = "changed";
            });
            sent.Note = $"changed {i}";
            sent.Lines![0]!.Article = "changed";
            road.AssertSame(sent, received);
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void Objects_of_one_class_have_different_unknown_members_in_one_message(bool dynamicCode, bool references, bool sessions)
    {
        var road = new Road(dynamicCode, references, references, sessions);
        for (int i = 0; i < Messages; i++)
        {
            Newest.Order order = Newest.Order.Sample(i);
            Newest.Envelope sent = new()
            {
                Content = new object?[] { order.Lines![0], i, order.Lines[3], Newest.Order.Sample(5) },
                Orders = [Newest.Order.Sample(i), null, Newest.Order.Sample(i + 1), new Newest.Order { Id = 5 }],
                Lines = [.. Enumerable.Range(0, 40).Select(n => n % 3 == 0
                    ? new Newest.GiftLine { Number = n, Wishes = [$"w{n}"] }
                    : new Newest.Line { Number = n, Article = $"a{n}", Extra = n % 2 == 0 ? n : $"e{n}" })],
            };
            Newest.Envelope received = road.Pass<Newest.Envelope, Middle.Envelope>(sent, middle =>
            {
                // An object that the middle has made is written in its own schema, between the others.
                middle.Lines = [.. middle.Lines!.Take(20), new Middle.Line { Number = -1 }, .. middle.Lines!.Skip(20)];
            });
            sent.Lines = [.. sent.Lines.Take(20), new Newest.Line { Number = -1 }, .. sent.Lines.Skip(20)];
            road.AssertSame(sent, received);
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void Numbering_begins_or_ends_in_the_middle(bool dynamicCode, bool references, bool sessions)
    {
        var road = new Road(dynamicCode, references, !references, sessions);
        for (int i = 0; i < Messages; i++)
        {
            Newest.Order sent = Newest.Order.Sample(i);
            road.AssertSame(sent, road.Pass<Newest.Order, Middle.Order>(sent, order => { }));
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void Nothing_is_lost_on_the_way_through_two(bool dynamicCode, bool references, bool sessions)
    {
        Road road = new(dynamicCode, references, references, sessions), next = new(dynamicCode, references, references, sessions);
        for (int i = 0; i < Messages; i++)
        {
            Newest.Order sent = Newest.Order.Sample(i);
            Middle.Order first = road.ReadInMiddle<Middle.Order>(sent);
            Middle.Order second = road.ReadAgain<Middle.Order>(next, first);
            Assert.Equal(first.UnknownMembers!.Names, second.UnknownMembers!.Names);
            Assert.Equal(first.UnknownMembers.Size, second.UnknownMembers.Size);
            road.AssertSame(sent, next.ReadAtEnd<Newest.Order>(second));
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void Enums_keep_their_names_and_members_their_classes(bool dynamicCode, bool references, bool enumsByName)
    {
        var road = new Road(dynamicCode, references, references, false, enumsByName);
        for (int i = 0; i < Messages; i++)
        {
            var sent = new Newest.Moody
            {
                Mood = Newest.Mood.Angry,
                MaybeMood = Newest.Mood.Merry,
                Others = [Newest.OtherMood.Sad, Newest.OtherMood.Merry],
                Text = $"{i}",
                Inner = 5,
                Outer = 6,
            };
            road.AssertSame(sent, road.Pass<Newest.Moody, Middle.Moody>(sent, moody => Assert.Equal(6, moody.Outer)));
            byte[] passed = road.Passed(road.ReadInMiddle<Middle.Moody>(sent));
            Assert.Contains("Sad", PayloadDump.Describe(passed), StringComparison.Ordinal);

            // The class of the member that the middle knows comes from the newest one.
            road.AssertSame(sent, road.Pass<Newest.Moody, Middle.PlainMoody>(sent, moody => Assert.Equal(6, moody.Outer)));
        }
    }

    [Theory]
    [MemberData(nameof(Roads))]
    public void A_class_may_derive_from_a_class_of_NET(bool dynamicCode, bool references, bool sessions)
    {
        var road = new Road(dynamicCode, references, references, sessions);
        for (int i = 0; i < Messages; i++)
        {
            var bag = new Newest.Bag { Title = "title", Money = new Newest.Currency { Code = "CHF" }, Zip = $"{i}" };
            bag.AddRange([1, 2, i]);
            Newest.Bag received = road.Pass<Newest.Bag, Middle.Bag>(bag, middle => middle.Add(8));
            bag.Add(8);
            Assert.Equal(bag, received);
            Assert.Equal(("title", "CHF", $"{i}"), (received.Title, received.Money!.Code, received.Zip));

            Newest.Failure failure = road.Pass<Newest.Failure, Middle.Failure>(
                new Newest.Failure("message") { Code = i, Reason = "reason" }, middle => middle.Code++);
            Assert.Equal(("message", i + 1, "reason"), (failure.Message, failure.Code, failure.Reason));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_prepared_class_keeps_them_too(bool dynamicCode)
    {
        var road = new Road(dynamicCode, false, false, false);
        road.InMiddle.Prepare<Middle.Order>();
        Newest.Order sent = Newest.Order.Sample();
        road.AssertSame(sent, road.Pass<Newest.Order, Middle.Order>(sent, order => { }));
        Middle.Order bare = road.InMiddle.RoundTrip(new Middle.Order { Id = 4 });
        Assert.Equal(4, bare.Id);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_object_without_unknown_members_has_none(bool dynamicCode)
    {
        Serializer middle = Setup.Closed(dynamicCode);
        Middle.Order order = middle.RoundTrip(new Middle.Order { Id = 3, Lines = [new Middle.Line { Number = 1 }] });
        Assert.Null(order.UnknownMembers);
        Assert.Null(order.Lines![0]!.UnknownMembers);
        Assert.DoesNotContain("UnknownMembers", PayloadDump.Describe(middle.Serialize(order)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_old_reader_passes_over_what_was_kept(bool dynamicCode)
    {
        var road = new Road(dynamicCode, false, false, false);
        Middle.Order kept = road.ReadInMiddle<Middle.Order>(Newest.Order.Sample());
        Middle.Order old = road.ReadAgain<Middle.Order>(road, kept);
        old.UnknownMembers = null;
        old.Lines = null;
        old.First = null;
        Middle.Order expected = new() { Id = 1, Note = "note", Revision = 1 };
        Assert.Equal(Setup.Closed(dynamicCode).Serialize(expected), Setup.Closed(dynamicCode).Serialize(old));
    }

    internal sealed class Road
    {
        private readonly Serializer _newest;
        private readonly bool _sessions;
        private readonly SerializerSession _sent, _passedOn;
        private readonly DeserializerSession _received, _arrived;

        /// <summary>References: whether the newest program and the one in the middle number the objects.</summary>
        public Road(bool dynamicCode, bool fromNewest, bool fromMiddle, bool sessions, bool enumsByName = true)
        {
            _newest = new Serializer(new SerializerOptions
            {
                DynamicCode = dynamicCode,
                PreserveObjectReferences = fromNewest,
                TypeFilter = WireTypeFilter.Default.Allow<Newest.Line>().Allow<Newest.GiftLine>().Allow<Newest.Order>()
                    .Allow<Newest.Currency>().Allow<Newest.Unit>().Allow<Newest.Place>().Allow<Newest.Tree>().Allow<Newest.Plain>(),
                ValueSerializerFactories = [ValueSerializerFactory.For(new Write.FramedSerializer())],
            }.UseFSharp());
            // The program in the middle has no rule for any of the types that it does not know.
            var options = new SerializerOptions
            {
                DynamicCode = dynamicCode,
                PreserveObjectReferences = fromMiddle,
                EnumsByName = enumsByName,
            };
            options = options with
            {
                TypeFilter = WireTypeFilter.Default.Allow<Middle.Line>().Allow<Middle.GiftLine>().Allow<Middle.Order>()
                    .Allow<Middle.Tree>().Allow<Middle.Plain>(),
            };
            InMiddle = new Serializer(options);
            _sessions = sessions;
            (_sent, _received) = (_newest.GetSerializerSession(), InMiddle.GetDeserializerSession());
            (_passedOn, _arrived) = (InMiddle.GetSerializerSession(), _newest.GetDeserializerSession());
        }

        public TNewest Pass<TNewest, TMiddle>(TNewest sent, Action<TMiddle> change)
        {
            TMiddle middle = Read<TMiddle>(InMiddle, _received, Write(_newest, _sent, sent));
            change(middle);
            return ReadAtEnd<TNewest>(middle);
        }

        /// <summary>Gets the program in the middle.</summary>
        public Serializer InMiddle { get; }

        public byte[] Passed<T>(T value) => Write(InMiddle, _passedOn, value);

        public byte[] Send<T>(T sent) => Write(_newest, _sent, sent);

        public T ReadInMiddle<T>(object sent) => Read<T>(InMiddle, _received, Write(_newest, _sent, sent));

        public T ReadAgain<T>(Road next, T value) => Read<T>(next.InMiddle, next._received, Write(InMiddle, _passedOn, value));

        public T ReadAtEnd<T>(object? middle) => Read<T>(_newest, _arrived, Write(InMiddle, _passedOn, middle));

        public void AssertSame(object? expected, object? actual) =>
            Assert.Null(new GraphEquality(_newest).FindDifference(expected, actual));

        private byte[] Write<T>(Serializer serializer, SerializerSession session, T value) =>
            _sessions ? serializer.Serialize(value, session) : serializer.Serialize(value);

        private T Read<T>(Serializer serializer, DeserializerSession session, byte[] payload) =>
            (_sessions ? serializer.Deserialize<T>(payload, session) : serializer.Deserialize<T>(payload))!;
    }
}
