using Xunit;

namespace Wire.Tests.Behaviour.Versions.Enums;

/// <summary>Enums whose members were added, removed, renamed or renumbered between two versions of a program.</summary>
public sealed class EnumVersionTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    private static readonly Type[] Contexts =
    [
        typeof(Variable<>), typeof(Optional<>), typeof(Elements<>), typeof(ListOf<>), typeof(Keys<>), typeof(Values<>), typeof(InStruct<>),
        typeof(SetOf<>), typeof(InTuple<>),
    ];

    public static TheoryData<bool, bool> Configurations => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    private enum Before { New, Paid, Shipped }

    // Inserted in front, so that every number has another name.
    private enum Renumbered { Unknown, New, Paid, Shipped }

    private enum Added { New, Paid, Shipped, Returned }

    private enum Removed { New, Paid }

    private enum Renamed { New, Settled, Shipped }

    private enum RenamedWithName
    {
        New,
        [WireName("Paid")]
        Settled,
        Shipped,
    }

    private enum Wider : long { Shipped = 1L << 40, New = 0, Paid = -1 }

    private enum Narrow : byte { Shipped = 200, Paid = 7, New = 1 }

    private enum Split { New = 0, First = 1, Second = 2 }

    private enum Joined { New = 0, First = 1, Second = 1 }

    [Flags]
    private enum Rights { None, Read = 1, Write = 2, Run = 4, All = 7 }

    [Flags]
    private enum MoreRights { None, List = 1, Read = 2, Write = 4, Run = 8, All = 15 }

    [Flags]
    private enum FewerRights { None, Run = 1, Read = 2 }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_renumbered_enum_is_read_by_name(bool references, bool dynamicCode)
    {
        var test = new Pair<Before, Renumbered>(references, dynamicCode);
        test.IsRead(Before.New, Renumbered.New);
        test.IsRead(Before.Paid, Renumbered.Paid);
        test.IsRead(Before.Shipped, Renumbered.Shipped);
        test.IsRead((Before)9, (Renumbered)9);
        test.Back.IsRead(Renumbered.Shipped, Before.Shipped);

        // 0 is "Unknown" there and "New" here.
        test.Back.IsRefused(Renumbered.Unknown, "'Unknown' for 0", "'New'", "[WireName]");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Members_are_added_and_removed(bool references, bool dynamicCode)
    {
        foreach (Before value in Enum.GetValues<Before>())
        {
            new Pair<Before, Added>(references, dynamicCode).IsRead(value, (Added)value);
            new Pair<Added, Before>(references, dynamicCode).IsRead((Added)value, value);
            new Pair<Before, Removed>(references, dynamicCode).IsRead(value, (Removed)value);
        }

        new Pair<Added, Before>(references, dynamicCode).IsRead(Added.Returned, (Before)3);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_renamed_member_needs_its_old_name(bool references, bool dynamicCode)
    {
        var test = new Pair<Before, Renamed>(references, dynamicCode);
        test.IsRead(Before.Shipped, Renamed.Shipped);
        test.IsRefused(Before.Paid, "'Paid' for 1", "'Settled'", "[WireName]");
        var named = new Pair<Before, RenamedWithName>(references, dynamicCode);
        named.IsRead(Before.Paid, RenamedWithName.Settled);
        named.Back.IsRead(RenamedWithName.Settled, Before.Paid);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Names_are_found_across_integers_of_other_sizes(bool references, bool dynamicCode)
    {
        foreach (Before value in Enum.GetValues<Before>())
        {
            new Pair<Before, Wider>(references, dynamicCode).IsRead(value, Enum.Parse<Wider>(value.ToString()));
            new Pair<Before, Narrow>(references, dynamicCode).IsRead(value, Enum.Parse<Narrow>(value.ToString()));
            Wider wide = Enum.Parse<Wider>(value.ToString());
            new Pair<Wider, Narrow>(references, dynamicCode).IsRead(wide, Enum.Parse<Narrow>(value.ToString()));
        }

        new Pair<Wider, Narrow>(references, dynamicCode).IsRefused((Wider)1000, "1000", "Byte");
        new Pair<Wider, Before>(references, dynamicCode).IsRefused((Wider)long.MinValue, "-9223372036854775808", "Int32");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Names_of_one_number_that_are_split_are_not_guessed(bool references, bool dynamicCode)
    {
        var test = new Pair<Joined, Split>(references, dynamicCode);
        test.IsRead(Joined.New, Split.New);
        test.IsRefused(Joined.First, "several names");
        new Pair<Split, Joined>(references, dynamicCode).IsRead(Split.Second, Joined.First);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Flags_are_read_one_by_one(bool references, bool dynamicCode)
    {
        var test = new Pair<Rights, MoreRights>(references, dynamicCode);
        test.IsRead(Rights.None, MoreRights.None);
        test.IsRead(Rights.Read | Rights.Run, MoreRights.Read | MoreRights.Run);
        test.IsRead(Rights.All, MoreRights.Read | MoreRights.Write | MoreRights.Run);
        test.IsRead((Rights)64 | Rights.Write, (MoreRights)64 | MoreRights.Write);
        test.Back.IsRead(MoreRights.Read | MoreRights.Write, Rights.Read | Rights.Write);
        test.Back.IsRefused(MoreRights.All, "'List' for 1");
        var fewer = new Pair<Rights, FewerRights>(references, dynamicCode);
        fewer.IsRead(Rights.Read | Rights.Run, FewerRights.Read | FewerRights.Run);
        fewer.IsRefused(Rights.Write, "'Write' for 2", "'Read'");

        // The unnamed 8 is no flag that has moved there.
        test.IsRefused(Rights.Run | (Rights)8, "no name for 8", "'Run'");
        test.IsRefused((Rights)8, "no name for 8", "'Run'");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Names_for_several_flags_are_values_of_their_own_or_short_for_them(bool references, bool dynamicCode)
    {
        // X is not made of flags that have names.
        var whole = new Pair<Whole, WholeMoved>(references, dynamicCode);
        whole.IsRead(Whole.X, WholeMoved.X);
        whole.IsRead(Whole.P | Whole.B, WholeMoved.P | WholeMoved.B);
        whole.IsRefused(Whole.P | Whole.X, "flags");
        var every = new Pair<Every, EveryMoved>(references, dynamicCode);
        every.IsRead(Every.All, EveryMoved.All);
        every.IsRead(Every.A | Every.B, EveryMoved.A | EveryMoved.B);

        // ReadWrite was short for the two, and is another flag now.
        var moved = new Pair<Short, ShortMoved>(references, dynamicCode);
        moved.IsRead(Short.Read, ShortMoved.Read);
        moved.IsRefused(Short.ReadWrite, "'ReadWrite' for 3", "several names");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_number_without_a_name_does_not_take_one_that_the_writer_has(bool references, bool dynamicCode)
    {
        var test = new Pair<Before, Renumbered>(references, dynamicCode);
        test.IsRefused((Before)3, "no name for 3", "'Shipped'");

        // A name that the writer has not may be what a newer program meant.
        new Pair<Before, Added>(references, dynamicCode).IsRead((Before)3, Added.Returned);
    }

    [Flags]
    private enum Whole { P = 1, B = 2, X = 6 }

    [Flags]
    private enum WholeMoved { P = 1, B = 8, X = 6 }

    [Flags]
    private enum Every { A = 1, B = 2, All = -1 }

    [Flags]
    private enum EveryMoved { A = 1, B = 8, All = -1 }

    [Flags]
    private enum Short { Read = 1, Write = 2, ReadWrite = 3 }

    [Flags]
    private enum ShortMoved { Read = 1, Write = 2, ReadWrite = 4 }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Numbers_and_enums_are_each_other_by_number(bool references, bool dynamicCode)
    {
        new Pair<Before, int>(references, dynamicCode).IsRead(Before.Shipped, 2);
        new Pair<int, Before>(references, dynamicCode).IsRead(2, Before.Shipped);
        new Pair<Before, long>(references, dynamicCode).IsRead(Before.Shipped, 2);
        new Pair<byte, Renumbered>(references, dynamicCode).IsRead(3, Renumbered.Shipped);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Without_names_in_schemas_numbers_count(bool references, bool dynamicCode)
    {
        var writer = new Pair<Before, Renumbered>(references, dynamicCode, options => options with { EnumsByName = false });
        writer.IsRead(Before.Shipped, Renumbered.Paid);
        Assert.True(writer.Write(new Variable<Before>()).Length < new Pair<Before, Renumbered>(references, dynamicCode).Write(
            new Variable<Before>()).Length);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Fingerprints_cover_names_and_values(bool byName)
    {
        SerializerOptions options = new() { VersionTolerance = false, EnumsByName = byName, TypeFilter = Setup.TestTypes };
        var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Variable<Before>>("V").Alias<Before>("E") });
        byte[] untyped = writer.Serialize(new Variable<Before>());
        byte[] typed = writer.SerializeTyped(new Variable<Before>());
        Refused<Renumbered>();
        Refused<Added>();
        Refused<Renamed>();
        Assert.Equal(default, writer.Deserialize<Variable<Before>>(untyped)!.Value);
        Assert.Equal(default, writer.DeserializeTyped<Variable<Before>>(typed)!.Value);

        void Refused<T>()
        {
            var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Variable<T>>("V").Alias<T>("E") });
            Assert.Equal(
                WireFormatError.SchemaMismatch,
                Assert.Throws<WireFormatException>(() => reader.Deserialize<Variable<T>>(untyped)).Error);
            Assert.Equal(
                WireFormatError.SchemaMismatch,
                Assert.Throws<WireFormatException>(() => reader.DeserializeTyped<Variable<T>>(typed)).Error);
        }
    }

    [Fact]
    public void Enums_of_dotnet_have_no_names_in_schemas()
    {
        string dump = PayloadDump.Describe(new Serializer().Serialize(new Variable<DayOfWeek> { Value = DayOfWeek.Friday }));
        Assert.DoesNotContain("Friday", dump, StringComparison.Ordinal);
    }

    [Fact]
    public void A_dump_shows_names()
    {
        var serializer = new Serializer();
        Assert.Contains("Shipped (2)", PayloadDump.Describe(serializer.Serialize(new Variable<Before> { Value = Before.Shipped })));
        Assert.Contains("Int32 Paid (1), 9", PayloadDump.Describe(serializer.Serialize<Before[]>([Before.Paid, (Before)9])));
    }

    [Fact]
    public void Two_members_of_one_name_cannot_be_written()
    {
        var error = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Variable<Twice>()));
        Assert.Contains("'First'", error.Message, StringComparison.Ordinal);
    }

    private enum Twice
    {
        First,
        [WireName("First")]
        Second,
    }

    private interface IValue<T>
    {
        T Get();

        void Set(T value);
    }

    private sealed class Variable<T> : IValue<T>
    {
        public T Value = default!;

        public T Get() => Value;

        public void Set(T value) => Value = value;
    }

    private sealed class Optional<T> : IValue<T>
        where T : struct
    {
        public T? Value;

        public T Get() => Value!.Value;

        public void Set(T value) => Value = value;
    }

    private sealed class Elements<T> : IValue<T>
    {
        public T[] Value = [];

        public T Get() => Value[1];

        public void Set(T value) => Value = [value, value];
    }

    private sealed class ListOf<T> : IValue<T>
    {
        public List<T> Value = [];

        public T Get() => Value[0];

        public void Set(T value) => Value = [value];
    }

    private sealed class Keys<T> : IValue<T>
        where T : notnull
    {
        public Dictionary<T, int> Value = [];

        public T Get() => Value[Value.Keys.Single()] == 5 ? Value.Keys.Single() : throw new InvalidOperationException();

        public void Set(T value) => Value = new() { [value] = 5 };
    }

    private sealed class Values<T> : IValue<T>
    {
        public SortedDictionary<string, T> Value = [];

        public T Get() => Value["a"];

        public void Set(T value) => Value = new() { ["a"] = value };
    }

    private sealed class SetOf<T> : IValue<T>
    {
        public HashSet<T> Value = [];

        public T Get() => Value.Contains(Value.Single()) ? Value.Single() : throw new InvalidOperationException();

        public void Set(T value) => Value = [value];
    }

    private sealed class InTuple<T> : IValue<T>
    {
        public (T, int) Value;

        public T Get() => Value.Item1;

        public void Set(T value) => Value = (value, 1);
    }

    private sealed class InStruct<T> : IValue<T>
    {
        public Inner Value;

        public T Get() => Value.Inside;

        public void Set(T value) => Value = new Inner { Inside = value, Behind = "b" };

        public struct Inner
        {
            public string Behind;
            public T Inside;
        }
    }

    // One contract with an enum, or a number, of either version, in every kind of variable.
    private sealed class Pair<TOld, TNew>
        where TOld : struct
        where TNew : struct
    {
        private readonly bool _references;
        private readonly bool _dynamicCode;
        private readonly Serializer _writer;
        private readonly Serializer _reader;

        public Pair(bool references, bool dynamicCode, Func<SerializerOptions, SerializerOptions>? change = null)
        {
            (_references, _dynamicCode) = (references, dynamicCode);
            change ??= static options => options;
            _writer = new Serializer(change(Options<TOld>()));
            _reader = new Serializer(change(Options<TNew>()));
        }

        public Pair<TNew, TOld> Back => new(_references, _dynamicCode);

        public byte[] Write(object value) => _writer.Serialize(value);

        public void IsRead(TOld written, TNew expected)
        {
            foreach (Type context in Contexts)
            {
                byte[] bytes = Bytes(context, written);
                for (int i = 0; i < Reads; i++)
                {
                    object read = _reader.Deserialize<object>(bytes)!;
                    Assert.Equal(context.MakeGenericType(typeof(TNew)), read.GetType());
                    Assert.Equal(expected, ((IValue<TNew>)read).Get());
                }
            }

            // A boxed enum, and one as the root, has a manifest of its own; a number has a tag, and stays what it was.
            if (typeof(TOld).IsEnum && typeof(TNew).IsEnum)
            {
                Assert.Equal(expected, _reader.Deserialize<TNew>(_writer.Serialize(written)));
                Assert.Equal(expected, Assert.IsType<TNew>(_reader.Deserialize<object[]>(_writer.Serialize<object[]>([written]))![0]));
                using SerializerSession writing = _writer.GetSerializerSession();
                using DeserializerSession reading = _reader.GetDeserializerSession();
                for (int i = 0; i < Reads; i++)
                {
                    byte[] bytes = _writer.Serialize(new Variable<TOld> { Value = written }, writing);
                    Assert.Equal(expected, _reader.Deserialize<Variable<TNew>>(bytes, reading)!.Value);
                }
            }
        }

        public void IsRefused(TOld written, params string[] words)
        {
            foreach (Type context in Contexts)
            {
                byte[] bytes = Bytes(context, written);
                for (int i = 0; i < Reads; i++)
                {
                    var error = Assert.Throws<WireFormatException>(() => _reader.Deserialize<object>(bytes));
                    Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
                    Assert.All(words, word => Assert.Contains(word, error.Message, StringComparison.Ordinal));
                }
            }
        }

        private byte[] Bytes(Type context, TOld written)
        {
            var value = (IValue<TOld>)Activator.CreateInstance(context.MakeGenericType(typeof(TOld)))!;
            value.Set(written);
            return _writer.Serialize<object>(value);
        }

        private SerializerOptions Options<T>()
        {
            TypeAliases aliases = typeof(T).IsEnum ? TypeAliases.None.Alias<T>("Shop.State") : TypeAliases.None;
            for (int i = 0; i < Contexts.Length; i++)
            {
                aliases = aliases.Alias(Contexts[i].MakeGenericType(typeof(T)), $"Shop.Context{i}");
            }

            return new SerializerOptions
            {
                TypeAliases = aliases,
                TypeFilter = Setup.TestTypes,
                DynamicCode = _dynamicCode,
                PreserveObjectReferences = _references,
            };
        }
    }
}
