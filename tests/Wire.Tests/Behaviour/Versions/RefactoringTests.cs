namespace Wire.Tests.Behaviour.Versions;

/// <summary>What a member is called, where a refactoring changes what it is: docs/serializer.md says how to keep the name.</summary>
public sealed class RefactoringTests
{
    private static readonly Serializer Reader = new();

    [Fact]
    public void An_automatic_property_may_get_a_field_of_its_own_and_the_reverse()
    {
        Assert.Equal(5, Becomes<OwnField>(new Automatic { Total = 5 }).Total);
        Assert.Equal(5, Becomes<Automatic>(new OwnField { Total = 5 }).Total);
        Assert.Equal(5, Becomes<OldField>(new NewProperty { Total = 5 }).Total);
        Assert.Equal(5, Becomes<NewProperty>(new OldField { Total = 5 }).Total);

        // Without its name it is another member, and here the only one.
        Assert.Equal(
            WireFormatError.SchemaMismatch,
            Assert.Throws<WireFormatException>(() => Becomes<Forgotten>(new Automatic { Total = 5 })).Error);
    }

    [Fact]
    public void A_property_with_the_keyword_has_its_own_name()
    {
        Assert.Equal(5, Becomes<WithKeyword>(new Automatic { Total = 5 }).Total);
        Assert.Equal(5, Becomes<Automatic>(new WithKeyword { Total = 5 }).Total);
    }

    [Fact]
    public void A_captured_parameter_may_become_a_field()
    {
        Assert.Equal(5, Becomes<HeldParameter>(new Captured(5)).Total);
        Assert.Equal(5, Becomes<Captured>(new HeldParameter(5)).Total);
    }

    private static T Becomes<T>(object written) => Reader.Deserialize<T>(new Serializer().Serialize(written))!;

    [WireName("Refactored.Order")]
    private sealed class Automatic
    {
        public int Total { get; set; }
    }

    [WireName("Refactored.Order")]
    private sealed class OwnField
    {
        [WireName("Total")]
        private int _total;

        public int Total
        {
            get => _total;
            set => _total = Math.Max(0, value);
        }
    }

    [WireName("Refactored.Order")]
    private sealed class Forgotten
    {
        private int _total;

        public int Total
        {
            get => _total;
            set => _total = Math.Max(0, value);
        }
    }

    [WireName("Refactored.Order")]
    private sealed class WithKeyword
    {
        public int Total
        {
            get;
            set => field = Math.Max(0, value);
        }
    }

    [WireName("Refactored.Sum")]
    private sealed class OldField
    {
        private int _total;

        public int Total
        {
            get => _total;
            set => _total = Math.Max(0, value);
        }
    }

    [WireName("Refactored.Sum")]
    private sealed class NewProperty
    {
        [WireName("_total")]
        public int Total { get; set; }
    }

    [WireName("Refactored.Price")]
    private sealed class Captured(int total)
    {
        public int Total => total;
    }

    [WireName("Refactored.Price")]
    private sealed class HeldParameter(int total)
    {
        [WireName("<total>P")]
        private readonly int _total = total;

        public int Total => _total;
    }
}
