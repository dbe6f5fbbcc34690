using System.Reflection;
using Wire.Tests.Contracting.Products;
using static Wire.ContractVerdict;

namespace Wire.Tests.Contracting;

/// <summary>
/// A member that is added or removed shares an object with one that both versions have: whether the payload names its type is what the
/// contract says, and what happens.
/// </summary>
public sealed class ContractSharingTests
{
    public static TheoryData<Type, Type, ContractVerdict> Pairs => new()
    {
        { typeof(Leaf), typeof(object), RefusesSome },
        { typeof(Leaf), typeof(IThing), RefusesSome },
        { typeof(Derived), typeof(Open), RefusesSome },
        { typeof(Leaf[]), typeof(object), RefusesSome },
        { typeof(List<int>), typeof(object), RefusesSome },
        { typeof(List<int>), typeof(IList<int>), RefusesSome },
        { typeof(Leaf), typeof(Leaf), Loses },
        { typeof(List<int>), typeof(List<int>), Loses },
        { typeof(int[]), typeof(object), Loses },
        { typeof(Open), typeof(object), Loses },
        { typeof(object), typeof(object), Loses },
        { typeof(IThing), typeof(object), Loses },
    };

    [Theory]
    [MemberData(nameof(Pairs))]
    public void What_a_passed_over_member_shares_is_judged(Type member, Type variable, ContractVerdict expected) =>
        typeof(ContractSharingTests).GetMethod(nameof(Check), BindingFlags.Static | BindingFlags.NonPublic)!
        .MakeGenericMethod(member, variable).Invoke(null, [expected]);

    [Fact]
    public void What_lies_inside_of_the_member_is_judged_too()
    {
        (ContractDifference difference, Serializer more, Serializer less) = Compare<With<Box<Leaf>, List<object>>, Without<List<object>>>();
        Assert.Equal((RefusesSome, "U"), (difference.Verdict, difference.Member));
        var leaf = new Leaf { V = 1 };
        byte[] bytes = more.Serialize(new With<Box<Leaf>, List<object>> { U = new() { V = leaf }, Z = [leaf] });
        Assert.Equal(
            WireFormatError.Reference, Assert.Throws<WireFormatException>(() => less.Deserialize<Without<List<object>>>(bytes)).Error);
    }

    [Fact]
    public void The_remedy_is_one()
    {
        (ContractDifference difference, _, _) = Compare<With<Leaf, IThing>, Without<IThing>>();
        Assert.Equal("declare W.U so that payloads name what is in it: as " + typeof(IThing), difference.Remedy);
        (difference, Serializer more, Serializer less) = Compare<With<IThing, IThing>, Without<IThing>>();
        Assert.Equal(Loses, difference.Verdict);
        var leaf = new Leaf { V = 1 };
        Assert.Equal(leaf, less.Deserialize<Without<IThing>>(more.Serialize(new With<IThing, IThing> { U = leaf, Z = leaf }))!.Z);
    }

    [Fact]
    public void Without_references_nothing_is_shared()
    {
        var options = new SerializerOptions();
        (ContractDifference difference, Serializer more, Serializer less) = Compare<With<Leaf, IThing>, Without<IThing>>(options);
        Assert.Equal(Loses, difference.Verdict);
        var leaf = new Leaf { V = 1 };
        Assert.Equal(leaf, less.Deserialize<Without<IThing>>(more.Serialize(new With<Leaf, IThing> { U = leaf, Z = leaf }))!.Z);
    }

    private static void Check<TMember, TVariable>(ContractVerdict expected)
        where TMember : class, TVariable
    {
        (ContractDifference added, Serializer more, Serializer less) = Compare<With<TMember, TVariable>, Without<TVariable>>();
        Assert.Equal((expected, "U"), (added.Verdict, added.Member));
        Assert.Equal(ContractDirection.IsReadByOld, added.Direction);
        (ContractDifference removed, _, _) = Compare<Without<TVariable>, With<TMember, TVariable>>();
        Assert.Equal((expected, "U"), (removed.Verdict, removed.Member));
        Assert.Equal(ContractDirection.ReadsOld, removed.Direction);
        Assert.Equal(expected == RefusesSome ? "keep W.U" : null, removed.Remedy);

        object shared = Array.Find(ProductType.All, type => type.Type == typeof(TMember))!.Values[^1]!;
        byte[] bytes = more.Serialize(new With<TMember, TVariable> { U = (TMember)shared, Z = (TMember)shared });
        if (expected == RefusesSome)
        {
            Assert.Equal(
                WireFormatError.Reference, Assert.Throws<WireFormatException>(() => less.Deserialize<Without<TVariable>>(bytes)).Error);
        }
        else
        {
            object? read = less.Deserialize<Without<TVariable>>(bytes)!.Z;
            Assert.Equal(shared.GetType(), read!.GetType());
            Assert.True(shared.GetType() == typeof(object) || ProductValue.IsAlike(shared, read, isWhole: true));
        }
    }

    // From the first to the second, of which one has the member U: the difference that tells of it.
    private static (ContractDifference Difference, Serializer Now, Serializer Old) Compare<TNow, TOld>(SerializerOptions? options = null)
    {
        options ??= new SerializerOptions { PreserveObjectReferences = true };
        options = options with { TypeFilter = options.TypeFilter.Allow<Leaf>().Allow<Derived>().Allow<Open>() };
        var now = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<TNow>("W") });
        var old = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<TOld>("W") });
        WireContract after = WireContract.From(now, typeof(TNow), typeof(Leaf), typeof(Derived), typeof(Open));
        WireContract before = WireContract.From(old, typeof(TOld), typeof(Leaf), typeof(Derived), typeof(Open));
        ContractComparison comparison = after.CompareWith(before);
        ContractComparison back = WireContract.Parse(after.ToString()).CompareWith(WireContract.Parse(before.ToString()));
        Assert.Equal(comparison.ToString(), back.ToString());
        return (
            Assert.Single(comparison.Differences, one => one.Reason.StartsWith("it is passed over", StringComparison.Ordinal)), now, old);
    }

    private sealed class With<TMember, TVariable>
    {
        public TMember? U { get; set; }

        public TVariable? Z { get; set; }
    }

    private sealed class Without<TVariable>
    {
        public TVariable? Z { get; set; }
    }
}
