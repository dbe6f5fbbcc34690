using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Names of [WireName] that nobody expects: they come back as what they are, or are refused before anything is written.</summary>
public sealed class GivenNamesTests
{
    public static TheoryData<bool> DynamicCode => [true, false];

    public static TheoryData<Type, string> Refused => new()
    {
        { typeof(NoName), "is empty" },
        { typeof(SpaceInFront), "begins or ends with a space" },
        { typeof(SpaceBehind), "begins or ends with a space" },
        { typeof(LineInFront), "begins or ends with a space" },
        { typeof(HalfName), "half of a surrogate pair" },
        { typeof(HalfMember), "the [WireName(\"x\uFFFD\uFFFD\")] of its member '_a' has half of a surrogate pair" },
        { typeof(HalfProperty), "of its member 'A' has half of a surrogate pair" },
        { typeof(HalfConstant), "of its member 'A' has half of a surrogate pair" },
        { typeof(Substitute), "U+FFFD" },
    };

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Members_and_values_of_odd_names_are_found_by_them(bool dynamicCode)
    {
        var written = new Odd { A = 1, B = 2, C = 3, D = 4, E = 5, F = 6, G = 7, H = 8, I = 9, J = 10, K = [.. Enum.GetValues<OddKind>()] };
        SerializerOptions options = SerializerOptions.Default with { DynamicCode = dynamicCode };
        var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Odd>("it") });
        byte[] bytes = writer.Serialize(written);
        GraphAssert.Same(written, writer.Deserialize<Odd>(bytes)!);

        Later read = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Later>("it") }).Deserialize<Later>(bytes)!;
        Assert.Equal(
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], new[] { read.A, read.B, read.C, read.D, read.E, read.F, read.G, read.H, read.I, read.J });
        Assert.Equal(Enum.GetValues<LaterKind>(), read.K);

        // And through the text of a contract.
        WireContract contract = WireContract.From(writer, typeof(Odd));
        Assert.Equal(contract.ToString(), WireContract.Parse(contract.ToString()).ToString());
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Types_of_odd_names_are_found_by_them(bool dynamicCode)
    {
        object[] written = [new Control { A = 1 }, new Pair { A = 2 }, new Mark { A = 3 }, new Dots { A = 4 }, new Tick { A = 5 }];
        byte[] bytes = new Serializer(SerializerOptions.Default with { DynamicCode = dynamicCode }).Serialize(written);
        var reader = new Serializer(new SerializerOptions
        {
            DynamicCode = dynamicCode,
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Named>(),
        });
        GraphAssert.Same(written, reader.Deserialize<object[]>(bytes)!);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_could_not_be_read_is_not_written(Type type, string reason)
    {
        foreach (bool dynamicCode in new[] { true, false })
        {
            var serializer = new Serializer(SerializerOptions.Default with { DynamicCode = dynamicCode });
            object value = Activator.CreateInstance(type)!;
            string message = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(value)).Message;
            Assert.Contains(reason, message, StringComparison.Ordinal);
            Assert.EndsWith("Give it another name.", message, StringComparison.Ordinal);
        }
    }

    // No attribute could give these to a test: what it has is UTF-8.
    [Fact]
    public void An_alias_is_no_half_of_a_surrogate_pair()
    {
        foreach (string name in new[] { "x\uD800", "\uDC00x", "\uDC00\uD800", "x\uFFFD" })
        {
            Assert.Throws<ArgumentException>(() => TypeAliases.None.Alias<Odd>(name));
        }

        Assert.Equal("\U0001F600", Assert.Single(NamesOf(TypeAliases.None.Alias<Odd>("\U0001F600"))));
    }

    private static string[] NamesOf(TypeAliases aliases) =>
        [PayloadDocument.Parse(new Serializer(new SerializerOptions { TypeAliases = aliases }).Serialize(new Odd())).Root.Type!.Name!];

    public abstract class Named
    {
        public int A { get; set; }
    }

    [WireName("a\0\nb")]
    public sealed class Control : Named;

    [WireName("\U0001F600")]
    public sealed class Pair : Named;

    [WireName("\uFEFFx")]
    public sealed class Mark : Named;

    [WireName("..a.")]
    public sealed class Dots : Named;

    [WireName("a`1")]
    public sealed class Tick : Named;

    public sealed class Odd
    {
        [WireName("")]
        public int A { get; set; }

        [WireName(" ")]
        public int B { get; set; }

        [WireName("a\0b")]
        public int C { get; set; }

        [WireName("\n")]
        public int D { get; set; }

        [WireName("[],+*&\\")]
        public int E { get; set; }

        [WireName("\U0001F600")]
        public int F { get; set; }

        [WireName("e\u0301")]
        public int G { get; set; }

        [WireName("\u00E9")]
        public int H { get; set; }

        [WireName("a@b@c")]
        public int I { get; set; }

        [WireName("<a>k__BackingField")]
        public int J { get; set; }

        public OddKind[] K { get; set; } = [];
    }

    public enum OddKind
    {
        [WireName("")]
        A = 1,
        [WireName(" ")]
        B,
        [WireName("a\0b")]
        C,
        [WireName("\n")]
        D,
        [WireName("[],+*&\\")]
        E,
        [WireName("1")]
        F,
        [WireName("a, b")]
        G,
    }

    public sealed class Later
    {
        public string? Added { get; set; }

        [WireName("")]
        public long A { get; set; }

        [WireName(" ")]
        public long B { get; set; }

        [WireName("a\0b")]
        public long C { get; set; }

        [WireName("\n")]
        public long D { get; set; }

        [WireName("[],+*&\\")]
        public long E { get; set; }

        [WireName("\U0001F600")]
        public long F { get; set; }

        [WireName("e\u0301")]
        public long G { get; set; }

        [WireName("\u00E9")]
        public long H { get; set; }

        [WireName("a@b@c")]
        public long I { get; set; }

        [WireName("<a>k__BackingField")]
        public long J { get; set; }

        public List<LaterKind> K { get; set; } = [];
    }

    // Other numbers.
    public enum LaterKind
    {
        [WireName("")]
        A = 21,
        [WireName(" ")]
        B,
        [WireName("a\0b")]
        C,
        [WireName("\n")]
        D,
        [WireName("[],+*&\\")]
        E,
        [WireName("1")]
        F,
        [WireName("a, b")]
        G,
    }

    [WireName("")]
    public sealed class NoName;

    [WireName(" x")]
    public sealed class SpaceInFront;

    [WireName("x ")]
    public sealed class SpaceBehind;

    [WireName("\nx")]
    public sealed class LineInFront;

    [WireName("x\uD800")]
    public sealed class HalfName;

    public sealed class HalfMember
    {
        [WireName("x\uD800")]
        private readonly int _a = 1;

        public int Value => _a;
    }

    public sealed class HalfProperty
    {
        [WireName("\uDC00")]
        public int A { get; set; }
    }

    public enum HalfConstant
    {
        [WireName("\uD800")]
        A,
    }

    public sealed class Substitute
    {
        [WireName("\uFFFD")]
        public int A { get; set; }
    }
}
