using Wire.Tests.Behaviour;

namespace Wire.Tests.OptIn;

/// <summary>
/// With <see cref="SerializerOptions.IgnoreDelegateMembers"/> no member of a delegate type is written, read, copied or compared: for
/// classes that cannot be given an attribute.
/// </summary>
public sealed class IgnoredDelegateTests
{
    public static TheoryData<bool, bool> Options => new() { { false, true }, { true, true }, { false, false }, { true, false } };

    public delegate int Rule(Secret secret);

    [Theory]
    [MemberData(nameof(Options))]
    public void Members_of_delegate_types_are_null_after_reading_and_in_copies(bool references, bool dynamicCode)
    {
        Serializer serializer = Ignoring(references, dynamicCode);
        Foreign foreign = Foreign.Create();

        foreach (Foreign copy in new[]
        {
            serializer.RoundTrip(foreign), serializer.Clone(foreign)!,
            (Foreign)serializer.RoundTrip(new object[] { foreign })[0], ((Foreign[])serializer.Clone<object>(new[] { foreign })!)[0],
        })
        {
            Assert.True(copy.HasNoListeners);
            Assert.Null(copy.Callback);
            Assert.Null(copy.Any);
            Assert.Null(copy.Box.Value);
            Assert.Null(copy.Place.Moved);
            Assert.Equal(("a", 5, 7), (copy.Name, copy.Count, copy.Place.X));
        }

        Assert.False(foreign.HasNoListeners);
        Assert.NotNull(foreign.Place.Moved);
        Assert.True(new GraphEquality(serializer).AreEqual(foreign, serializer.Clone(foreign)));
    }

    [Fact]
    public void They_are_in_no_payload_and_no_contract()
    {
        Serializer serializer = Ignoring(references: false, dynamicCode: true);

        PayloadNode root = PayloadDocument.Parse(serializer.Serialize(Foreign.Create())).Root;
        string contract = WireContract.From(serializer, typeof(Foreign)).ToString();

        Assert.Equal(["Box", "Count", "Name", "Place"], root.EnumerateMembers().Select(member => member.Name));
        Assert.Equal(["X"], root["Place"].EnumerateMembers().Select(member => member.Name));
        Assert.Contains("\n  Count: int\n", contract, StringComparison.Ordinal);
        Assert.DoesNotContain("Changed", contract, StringComparison.Ordinal);
        Assert.DoesNotContain("Callback", contract, StringComparison.Ordinal);
        Assert.DoesNotContain("Value", contract, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void A_payload_that_has_them_is_read_without_them(bool references, bool dynamicCode)
    {
        var told = new List<SchemaDifference>();
        Serializer writer = Setup.Serializer(dynamicCode, o => o with { AllowDelegates = true, PreserveObjectReferences = references });
        Serializer reader = Ignoring(references, dynamicCode, o => o with { SchemaDifference = told.Add });

        Noisy copy = reader.Deserialize<Noisy>(writer.Serialize(new Noisy { Name = "n", Ring = Console.Beep, Last = 3 }))!;

        Assert.Equal(("n", null, 3), (copy.Name, copy.Ring, copy.Last));
        Assert.Equal(["Ring"], Assert.Single(told).UnknownMembers);
    }

    [Fact]
    public void Both_sides_agree_where_only_a_fingerprint_is_written()
    {
        Serializer serializer = Ignoring(references: false, dynamicCode: true, o => o with { VersionTolerance = false });
        Serializer other = Setup.Serializer(true, o => o with { VersionTolerance = false });
        byte[] payload = serializer.Serialize(new Noisy { Name = "n", Ring = Console.Beep });

        Assert.Equal("n", serializer.Deserialize<Noisy>(payload)!.Name);
        Assert.Equal(
            WireFormatError.SchemaMismatch, Assert.Throws<WireFormatException>(() => other.Deserialize<Noisy>(payload)).Error);
    }

    [Fact]
    public void Delegates_that_no_member_declares_stay_refused()
    {
        Serializer serializer = Ignoring(references: false, dynamicCode: true);
        Action action = Console.Beep;

        foreach (object value in new object[]
        {
            action, new Anything { Value = action }, new[] { action }, new List<Action> { action }, (1, action), Tuple.Create(action),
            new KeyValuePair<string, Action>("a", action), new Dictionary<string, Action> { ["a"] = action },
        })
        {
            UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(value));
            Assert.Contains("it is code, or leads to code", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_type_that_only_a_delegate_names_is_not_allowed_by_its_member()
    {
        byte[] payload = Setup.Serializer(true).Serialize(new Guarded { Held = new Secret() });

        Assert.Throws<TypeRefusedException>(() =>
            new Serializer(new SerializerOptions { IgnoreDelegateMembers = true }).Deserialize<Guarded>(payload));
    }

    [Fact]
    public void What_is_allowed_where_no_member_declares_it_is_left_out_where_one_does()
    {
        Serializer serializer = Ignoring(references: false, dynamicCode: true, o => o with { AllowDelegates = true });
        Rule rule = Secret.Judge;

        Guarded copy = serializer.RoundTrip(new Guarded { Held = rule, Rule = rule, Rules = [rule] });

        Assert.Null(copy.Rule);
        Assert.Equal(rule, copy.Held);
        Assert.Equal(rule, Assert.Single(copy.Rules!));
    }

    private static Serializer Ignoring(bool references, bool dynamicCode, Func<SerializerOptions, SerializerOptions>? change = null) =>
        Setup.Serializer(dynamicCode, o => (change ?? (same => same))(
            o with { IgnoreDelegateMembers = true, PreserveObjectReferences = references }));

    public abstract class Observable
    {
        public event EventHandler? Changed;

        public bool HasNoListeners => Changed is null;
    }

    /// <summary>A class whose source is another's.</summary>
    public sealed class Foreign : Observable
    {
        public string? Name { get; set; }

        public int Count { get; set; }

        public Func<int>? Callback { get; set; }

        public Delegate? Any { get; set; }

        public Held<Action> Box { get; set; }

        public Place Place { get; set; }

        public static Foreign Create()
        {
            var foreign = new Foreign
            {
                Name = "a",
                Count = 5,
                Callback = () => 1,
                Any = (Action)Console.Beep,
                Box = new() { Value = Console.Beep },
                Place = new Place { X = 7, Moved = _ => { } },
            };
            foreign.Changed += (_, _) => { };
            return foreign;
        }
    }

    public struct Held<T>
    {
        public T? Value { get; set; }
    }

    public struct Place
    {
        public int X { get; set; }

        public Action<int>? Moved { get; set; }
    }

    public sealed class Noisy
    {
        public string? Name { get; set; }

        public Action? Ring { get; set; }

        public int Last { get; set; }
    }

    public sealed class Anything
    {
        public object? Value { get; set; }
    }

    public class Guarded
    {
        public object? Held { get; set; }

        public Rule? Rule { get; set; }

        public List<Rule>? Rules { get; set; }
    }

    public sealed class Secret
    {
        public static int Judge(Secret secret) => secret.GetHashCode();
    }
}
