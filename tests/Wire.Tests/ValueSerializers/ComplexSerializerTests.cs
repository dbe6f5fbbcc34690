using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

public sealed class PrivateMembersTests : ValueTests<PrivateMembers?>
{
    protected override IEnumerable<PrivateMembers?> Samples => [null, new("a", 1), new("", int.MinValue)];
}

public sealed class InitMembersTests : ValueTests<InitMembers>
{
    protected override IEnumerable<InitMembers> Samples =>
        [new() { Name = "a", Count = 1, Tags = new List<string> { "x" } }, new() { Name = "b", Count = null, Tags = new[] { "y" } }];
}

/// <summary>Base and derived class have private fields of one name, and a member that hides another.</summary>
public sealed class InheritedMembersTests : ValueTests<Base>
{
    protected override IEnumerable<Base> Samples =>
    [
        new() { BaseState = "b", Shared = 1 }, new Derived { BaseState = "b", DerivedState = "d", Shared = "s" },
        new MostDerived { BaseState = "b", DerivedState = "d", MostDerivedState = 1, Shared = null },
    ];
}

[TypeNotes(
    "classes, records, private and init-only members, without a constructor call",
    Title = "your class or record",
    Options = "VersionTolerance, KnownTypes, TypeAliases")]
public sealed class RecordTests : ValueTests<Person?>
{
    protected override IEnumerable<Person?> Samples =>
        [null, new("a", null), new Employee("b", new(2000, 1, 1), 1.50m, new Employee("c", null, 2, new Person("d", null)))];
}

[TypeNotes("", Title = "your struct")]
public sealed class RecordStructTests : ValueTests<Segment>
{
    protected override IEnumerable<Segment> Samples => [default, new(new(1, -0d), new(2, double.NaN), "label")];
}

public sealed class StructWithReferencesTests : ValueTests<StructWithReferences>
{
    protected override IEnumerable<StructWithReferences> Samples =>
        [default, new() { Text = "t", Any = new Point(1, 2), Points = [new(3, 4)], Owner = new("o", null), Number = -1, Hidden = 9 }];
}

public sealed class NullableComplexStructTests : ValueTests<StructWithReferences?>
{
    protected override IEnumerable<StructWithReferences?> Samples =>
        [null, default(StructWithReferences), new StructWithReferences { Text = "t" }];
}

public sealed class NestedGenericTests : ValueTests<Pair<int, List<string>>.Inner<Pair<Point?, object>>>
{
    protected override IEnumerable<Pair<int, List<string>>.Inner<Pair<Point?, object>>> Samples =>
        [
            new(),
            new() { Value = new() { First = 1, Second = new() { First = new Point(1, 2), Second = new Pair<int, int> { First = 3 } } } },
        ];
}

public sealed class RecursiveTypeTests : ValueTests<Node>
{
    protected override IEnumerable<Node> Samples =>
        [new(), new() { Value = 1, Next = new() { Value = 2 }, Children = [new() { Value = 3, Children = [new()] }] }];
}

public sealed class AbstractMembersTests : ValueTests<Owner>
{
    protected override IEnumerable<Owner> Samples =>
        [new(), new()
        {
            Pet = new Cat { Name = "c", Lives = 9 },
            House = new Square { Side = 2 },
            Others = new List<Animal> { new Cat(), new Cat { Name = "d" } },
        }];
}

public sealed class EmptyClassTests : ValueTests<Empty>
{
    protected override IEnumerable<Empty> Samples => [new()];
}

public sealed class EmptyStructTests : ValueTests<EmptyStruct>
{
    protected override IEnumerable<EmptyStruct> Samples => [default];
}

/// <summary>Every kind of member beside every other: runs of fixed size, and what interrupts them.</summary>
public sealed class WideClassTests : ValueTests<WideClass>
{
    protected override IEnumerable<WideClass> Samples =>
    [
        new(),
        new()
        {
            A = true, B = 1, C = 'c', D = 1.0m, E = -0d, F = DateTime.UnixEpoch, G = DateTimeOffset.MaxValue, H = Guid.AllBitsSet,
            I = Half.NaN, J = -1,
            K = Int128.MinValue, L = nint.MinValue, M = "m", N = long.MinValue, O = TimeOnly.MaxValue, P = DayOfWeek.Friday, Q = 0, S = new(
                1, 2), T = -1,
        },
    ];
}

/// <summary>How objects come to be, and which members they have on the wire.</summary>
public sealed class ComplexSerializerTests
{
    public static TheoryData<bool> DynamicCode() => [true, false];

    private static Serializer For(bool dynamicCode) => Configuration.Serializer(references: false, tolerance: true, dynamicCode);

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Members_with_an_attribute_are_left_out(bool dynamicCode)
    {
        LeftOut value = new() { Old = 1, Field = 2, Backing = 3, Property = 4, Data = 5, Callback = () => { }, Kept = 6 };
        LeftOut copy = For(dynamicCode).CopyBothWays(value);
        Assert.Equal((0, 0, 0, 0, 0, null, 6), (copy.Old, copy.Field, copy.Backing, copy.Property, copy.Data, copy.Callback, copy.Kept));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_constructor_that_does_something_is_not_called(bool dynamicCode)
    {
        var value = new Counted { Value = 5 };
        int before = Counted.Created;
        Assert.Equal(5, For(dynamicCode).CopyBothWays(value).Value);
        Assert.Equal(before, Counted.Created);
        Assert.Null(For(dynamicCode).CopyBothWays(new WithInitializer { Ignored = "changed" }).Ignored);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void An_empty_constructor_below_one_that_does_something_is_not_called(bool dynamicCode)
    {
        var value = new BelowCounted { Value = 6 };
        int before = Counted.Created;
        Assert.Equal(6, For(dynamicCode).CopyBothWays(value).Value);
        Assert.Equal(before, Counted.Created);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_constructor_that_throws_or_wants_arguments_is_no_obstacle(bool dynamicCode)
    {
        Assert.Equal(7, For(dynamicCode).CopyBothWays(Throwing.Make(7)).Value);
        Assert.Equal(8, For(dynamicCode).CopyBothWays(new WantsArguments(8)).Value);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_type_initializer_runs_as_usual(bool dynamicCode)
    {
        Serializer serializer = For(dynamicCode);
        Assert.Equal("ready", serializer.CopyBothWays(new WithStatic()).Seen);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_finalizer_is_no_member(bool dynamicCode) =>
        Assert.Equal(3, For(dynamicCode).CopyBothWays(new WithFinalizer { Value = 3 }).Value);

    [Fact]
    public void A_member_and_a_type_are_written_under_their_given_names()
    {
        Serializer serializer = For(dynamicCode: true);
        byte[] bytes = serializer.Serialize(new Renamed { Current = 1, Field = 2 });
        string text = System.Text.Encoding.Latin1.GetString(bytes);
        Assert.Contains("Old.Name.Of.It", text, StringComparison.Ordinal);
        Assert.Contains("Former", text, StringComparison.Ordinal);
        Assert.Contains("field-1", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Current", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Renamed", text, StringComparison.Ordinal);
        Renamed copy = serializer.Deserialize<Renamed>(bytes)!;
        Assert.Equal((1, 2), (copy.Current, copy.Field));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Nested_base_classes_of_one_simple_name_may_have_one_private_field(bool dynamicCode)
    {
        var value = new Third.Inner<int>("third", "second", "first");
        GraphAssert.Same(value, For(dynamicCode).CopyBothWays(value));
        Assert.Contains(
            $"@{typeof(First.Inner<>).FullName}",
            System.Text.Encoding.Latin1.GetString(For(dynamicCode).Serialize(value)),
            StringComparison.Ordinal);
    }

    [Fact]
    public void Two_members_of_one_given_name_are_unsupported() =>
        Assert.Contains(
            "same",
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Ambiguous())).Message,
            StringComparison.Ordinal);

    private static class First
    {
        public class Inner<T>(string first)
        {
            private readonly string _name = first;

            public override string ToString() => _name;
        }
    }

    private static class Second
    {
        public class Inner<T>(string second, string first) : First.Inner<T>(first)
        {
            private readonly string _name = second;

            public override string ToString() => _name + base.ToString();
        }
    }

    private static class Third
    {
        public sealed class Inner<T>(string third, string second, string first) : Second.Inner<T>(second, first)
        {
            private readonly string _name = third;

            public override string ToString() => _name + base.ToString();
        }
    }

    [WireName("Old.Name.Of.It")]
    private sealed class Renamed
    {
        [WireName("field-1")]
        public int Field;

        [WireName("Former")]
        public int Current { get; set; }
    }

    private sealed class Ambiguous
    {
        [WireName("same")]
        public int A { get; set; }

        [WireName("same")]
        public int B { get; set; }
    }

    private class Counted
    {
        public static int Created;

        public Counted() => Interlocked.Increment(ref Created);

        public int Value { get; set; }
    }

    private sealed class BelowCounted : Counted;

    private sealed class WithInitializer
    {
        [IgnoreMember]
        public string? Ignored { get; set; } = "initial";
    }

    private sealed class Throwing
    {
        public Throwing() => throw new InvalidOperationException("called");

        public int Value { get; private set; }

        public static Throwing Make(int value)
        {
            var made = (Throwing)System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof(Throwing));
            made.Value = value;
            return made;
        }
    }

    private sealed class WantsArguments(int value)
    {
        public int Value => value;
    }

    private sealed class WithStatic
    {
        private static readonly string Ready = string.Concat("rea", "dy");

        public string Seen => Ready;
    }

    private sealed class WithFinalizer
    {
        public int Value { get; set; }

        ~WithFinalizer() => Value = 0;
    }
}
