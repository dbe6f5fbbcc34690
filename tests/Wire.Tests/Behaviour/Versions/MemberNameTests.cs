using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Private fields of one name in a class and its bases, of which versions gain and lose some, and whose classes are renamed.
/// </summary>
public sealed class MemberNameTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    private static readonly TypeAliases Moved = TypeAliases.None.Redirect(typeof(OldBase).FullName + ", Wire.Tests", typeof(NewBase));

    public static TheoryData<bool, bool> Configurations => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Each_class_gets_its_own(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal(("d", "b"), run.Read<Both, Both>(new Both("d", "b")).Values);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void What_one_class_has_lost_goes_to_no_other(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal("b", run.Read<Both, OnlyBase>(new Both("d", "b")).Kept);
        Assert.Equal("d", run.Read<Both, OnlyDerived>(new Both("d", "b")).Value);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void What_one_class_has_gained_is_ambiguous(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        run.IsRefused<OnlyBase, Both>(new OnlyBase("b"), "'_n'", "[WireName(\"_n\")]", nameof(Both));
        run.IsRefused<OnlyDerived, Both>(new OnlyDerived("d"), "'_n'", "[WireName(\"_n\")]", nameof(Both));
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void The_remedy_that_the_error_names_helps(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal((null, "b"), run.Read<OnlyBase, NamedBase>(new OnlyBase("b")).Values);
        Assert.Equal(("d", "b"), run.Read<Both, NamedDerived>(new Both("d", "b")).Values);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_member_moves_between_a_class_and_its_base(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal("b", run.Read<OnlyBase, OnlyDerived>(new OnlyBase("b")).Value);
        Assert.Equal("d", run.Read<OnlyDerived, OnlyBase>(new OnlyDerived("d")).Kept);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_renamed_base_is_found_by_its_redirect(bool references, bool dynamicCode)
    {
        Assert.Equal(("d", "b"), new Run(references, dynamicCode, Moved).Read<OfOldBase, OfNewBase>(new OfOldBase("d", "b")).Values);

        // By the name that stands in payloads, in whatever assembly.
        TypeAliases anywhere = TypeAliases.None.Redirect(typeof(OldBase).FullName!, typeof(NewBase));
        Assert.Equal(("d", "b"), new Run(references, dynamicCode, anywhere).Read<OfOldBase, OfNewBase>(new OfOldBase("d", "b")).Values);
        new Run(references, dynamicCode).IsRefused<OfOldBase, OfNewBase>(
            new OfOldBase("d", "b"), $"'_n@{typeof(OldBase).FullName}'", "Redirect", "[WireName(");
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_base_with_a_name_of_its_own_may_be_renamed(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal(("d", "b"), run.Read<OfNamedBase, OfRenamedBase>(new OfNamedBase("d", "b")).Values);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_generic_base_is_known_by_its_definition(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal((7, 8), run.Read<OfGeneric, OfGenericLong>(new OfGeneric(7, 8)).Values);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Three_classes_of_one_name_are_told_apart(bool references, bool dynamicCode)
    {
        var run = new Run(references, dynamicCode);
        Assert.Equal((1, 2, 3), run.Read<Third, Third>(new Third(1, 2, 3)).All);
        Assert.Equal((1, 3), run.Read<Third, ThirdWithoutSecond>(new Third(1, 2, 3)).Values);
    }

    private sealed class Run(bool references, bool dynamicCode, TypeAliases? aliases = null)
    {
        private readonly TypeAliases _aliases = aliases ?? TypeAliases.None;

        public TNew Read<TOld, TNew>(TOld old)
        {
            byte[] bytes = Options<TOld>(TypeAliases.None).Serialize<object>(old!);
            Serializer reader = Options<TNew>(_aliases);
            object? read = null;
            for (int i = 0; i < Reads; i++)
            {
                read = reader.Deserialize<object>(bytes);
            }

            return Assert.IsType<TNew>(read);
        }

        public void IsRefused<TOld, TNew>(TOld old, params string[] words)
        {
            for (int i = 0; i < Reads; i++)
            {
                var error = Assert.Throws<WireFormatException>(() => Read<TOld, TNew>(old));
                Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
                Assert.All(words, word => Assert.Contains(word, error.Message, StringComparison.Ordinal));
            }
        }

        private Serializer Options<T>(TypeAliases names) => new(new SerializerOptions
        {
            TypeAliases = names.Alias<T>("Names.Root"),
            TypeFilter = Setup.TestTypes,
            DynamicCode = dynamicCode,
            PreserveObjectReferences = references,
        });
    }

    private class WithField(string? n)
    {
        private readonly string? _n = n;

        public string? Kept => _n;
    }

    private class WithoutField
    {
        public int Other { get; set; }
    }

    private sealed class Both(string derived, string kept) : WithField(kept)
    {
        private readonly string _n = derived;

        public (string, string?) Values => (_n, Kept);
    }

    private sealed class OnlyBase(string kept) : WithField(kept);

    private sealed class OnlyDerived(string derived) : WithoutField
    {
        private readonly string _n = derived;

        public string Value => _n;
    }

    private class WithNamedField
    {
        [WireName("_n")]
        private readonly string? _n = null;

        public string? Kept => _n;
    }

    private sealed class NamedBase : WithNamedField
    {
        [WireName("added")]
        private readonly string? _n = null;

        public (string?, string?) Values => (_n, Kept);
    }

    private sealed class NamedDerived() : WithField(null)
    {
        [WireName("_n@Names.Root")]
        private readonly string? _n = null;

        public (string?, string?) Values => (_n, Kept);
    }

    private class OldBase(string n)
    {
        private readonly string _n = n;

        public string Kept => _n;
    }

    private class NewBase(string n)
    {
        private readonly string _n = n;

        public string Kept => _n;
    }

    private sealed class OfOldBase(string derived, string kept) : OldBase(kept)
    {
        private readonly string _n = derived;

        public (string, string) Values => (_n, Kept);
    }

    private sealed class OfNewBase(string derived, string kept) : NewBase(kept)
    {
        private readonly string _n = derived;

        public (string, string) Values => (_n, Kept);
    }

    [WireName("Names.Base")]
    private class NamedBefore(string n)
    {
        private readonly string _n = n;

        public string Kept => _n;
    }

    [WireName("Names.Base")]
    private class NamedNow(string n)
    {
        private readonly string _n = n;

        public string Kept => _n;
    }

    private sealed class OfNamedBase(string derived, string kept) : NamedBefore(kept)
    {
        private readonly string _n = derived;

        public (string, string) Values => (_n, Kept);
    }

    private sealed class OfRenamedBase(string derived, string kept) : NamedNow(kept)
    {
        private readonly string _n = derived;

        public (string, string) Values => (_n, Kept);
    }

    private class Generic<T>(T n)
    {
        private readonly T _n = n;

        public T Kept => _n;
    }

    private sealed class OfGeneric(int derived, int kept) : Generic<int>(kept)
    {
        private readonly int _n = derived;

        public (int, int) Values => (_n, Kept);
    }

    private sealed class OfGenericLong(long derived, long kept) : Generic<long>(kept)
    {
        private readonly long _n = derived;

        public (long, long) Values => (_n, Kept);
    }

    private class First(int first)
    {
        private readonly int _n = first;

        public int One => _n;
    }

    private class Second(int first, int second) : First(first)
    {
        private readonly int _n = second;

        public int Two => _n;
    }

    private sealed class Third(int first, int second, int third) : Second(first, second)
    {
        private readonly int _n = third;

        public (int, int, int) All => (One, Two, _n);
    }

    private sealed class ThirdWithoutSecond(int first, int third) : First(first)
    {
        private readonly int _n = third;

        public (int, int) Values => (One, _n);
    }
}
