using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using Wire.Testing;
using static Wire.ContractVerdict;

namespace Wire.Tests.Contracting.Products;

/// <summary>
/// Every type of a member that becomes every other one: what the contract says of it, and what happens to values, are the same.
/// </summary>
public sealed class ContractProductTests
{
    public static TheoryData<bool, bool> Options => new() { { false, false }, { true, true }, { false, true }, { true, false } };

    // Changes that a rule of its own is for.
    public static TheoryData<Type, Type, ContractVerdict> Changes => new()
    {
        { typeof(Collection<int>), typeof(object), RefusesSome },
        { typeof(ReadOnlyCollection<int>), typeof(object), RefusesSome },
        { typeof(ObservableCollection<int>), typeof(object), RefusesSome },
        { typeof(ReadOnlyDictionary<int, int>), typeof(object), RefusesSome },
        { typeof(Exception), typeof(object), RefusesSome },
        { typeof(Tuple<int, int>), typeof(object), Reads },
        { typeof(Tuple<string, int>), typeof(object), Reads },
        { typeof(Case<int>), typeof(object), RefusesSome },
        { typeof(Box<int>), typeof(object), RefusesSome },
        { typeof(int[,]), typeof(int[,,]), RefusesSome },
        { typeof(int[,]), typeof(long[,]), Reads },
        { typeof(int[]), typeof(Memory<int>), RefusesSome },
        { typeof(List<int>), typeof(ReadOnlyMemory<int>), RefusesSome },
        { typeof(HashSet<int>), typeof(Memory<int>), RefusesSome },
        { typeof(byte[]), typeof(Memory<byte>), RefusesSome },
        { typeof(int[]), typeof(ImmutableArray<int>), Reads },
        { typeof(ArraySegment<int>), typeof(Memory<int>), RefusesSome },
        { typeof(ImmutableArray<int>), typeof(ReadOnlyMemory<int>), RefusesSome },
        { typeof(ImmutableArray<int>?), typeof(List<int>), Reads },
        { typeof(ImmutableArray<int>?), typeof(Memory<int>), RefusesSome },
        { typeof(Dictionary<string, string>), typeof(StringDictionary), RefusesSome },
        { typeof(NameValueCollection), typeof(ExpandoObject), RefusesSome },
        { typeof(SortedSet<int>), typeof(HashSet<int>), RefusesSome },
        { typeof(IReadOnlyDictionary<string, string>), typeof(Dictionary<string, string>), Reads },
        { typeof(Dictionary<int, int>), typeof(IEnumerable<KeyValuePair<int, int>>), Reads },
        { typeof(IEnumerable<KeyValuePair<int, int>>), typeof(List<KeyValuePair<int, int>>), RefusesSome },
        { typeof(List<int>), typeof(IImmutableList<int>), Reads },
        { typeof(Lazy<int>), typeof(int), Refuses },
        { typeof(Index), typeof(int), Refuses },
        { typeof(int), typeof(Index), Refuses },
        { typeof(Plain), typeof(Index), Refuses },
        { typeof(Plain), typeof(int), Reads },
        { typeof(Both), typeof(Nothing), Refuses },
        { typeof((int, int)), typeof(Nothing), Refuses },
        { typeof(KeyValuePair<int, int>), typeof(Nothing), Refuses },
        { typeof(Nothing), typeof(Both), Loses },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public void A_change_has_its_verdict(Type written, Type own, ContractVerdict verdict)
    {
        ProductMember old = Create(written), now = Create(own);
        Assert.Equal(verdict, now.Contract.CompareWith(old.Contract).ReadsOld);
        var failures = new List<string>();
        Check(old, now, [], failures);
        Assert.Empty(failures);

        static ProductMember Create(Type type) =>
            ProductMember.Create(Array.Find(ProductType.All, known => known.Type == type)!, new SerializerOptions());
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void A_verdict_on_every_change_of_type_is_what_happens(bool references, bool dynamicCode)
    {
        var options = new SerializerOptions { PreserveObjectReferences = references, DynamicCode = dynamicCode };
        ProductMember[] members = [.. ProductType.All.Select(type => ProductMember.Create(type, options))];
        var failures = new List<string>();
        var outcomes = new Dictionary<ContractVerdict, (int Read, int Refused)>();
        int trial = (references ? 1 : 0) + (dynamicCode ? 2 : 0);
        foreach (ProductMember own in members)
        {
            foreach (ProductMember written in members)
            {
                if (Sweep.Takes(trial++, among: 24))
                {
                    Check(written, own, outcomes, failures);
                }
            }
        }

        Assert.True(failures.Count == 0, string.Join(Environment.NewLine, failures.Take(20).Prepend($"{failures.Count} failed")));

        // None of the verdicts is vacuous.
        Assert.Equal(Enum.GetValues<ContractVerdict>(), outcomes.Keys.Order());
        Assert.InRange(outcomes[RefusesSome].Read, 1, int.MaxValue);
        Assert.InRange(outcomes[RefusesSome].Refused, 1, int.MaxValue);
    }

    private static void Check(
        ProductMember written, ProductMember own, Dictionary<ContractVerdict, (int Read, int Refused)> outcomes, List<string> failures)
    {
        ContractComparison comparison = own.Contract.CompareWith(written.Contract);
        ContractDifference[] differences = [.. comparison.Differences.Where(one => one.Direction == ContractDirection.ReadsOld)];

        // What an inner class refuses, is refused where such an object is.
        ContractVerdict verdict = differences
            .Select(one => one.Type != ProductMember.Name && one.Verdict == Refuses ? RefusesSome : one.Verdict)
            .DefaultIfEmpty().Max();
        for (int i = 0; i < written.Payloads.Length; i++)
        {
            (int read, int refused) = outcomes.GetValueOrDefault(verdict);
            try
            {
                object? value = own.Read(written.Payloads[i]);
                outcomes[verdict] = (read + 1, refused);
                if (verdict == Refuses)
                {
                    Fail("is read");
                }
                else if (!ProductValue.IsAlike(written.Type.Values[i], value, isWhole: verdict == Reads))
                {
                    Fail($"becomes {value ?? "null"}");
                }
            }
            catch (WireFormatException e)
            {
                outcomes[verdict] = (read, refused + 1);
                if (verdict < RefusesSome)
                {
                    Fail($"is refused: {e.Message}");
                }
            }

            void Fail(string what) => failures.Add(
                $"{written.Type} to {own.Type}: {verdict}, and {written.Type.Values[i] ?? "null"} {what}{Environment.NewLine}  "
                + string.Join("; ", differences.Select(one => $"{one.Type}.{one.Member} {one.Verdict}: {one.Reason}")));
        }
    }
}
