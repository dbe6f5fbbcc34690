using System.Reflection;
using Wire.Generator.Tests.Invented;
using Wire.Generator.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Generated;
using Xunit.Abstractions;

namespace Wire.Generator.Tests;

/// <summary>
/// Code that is generated for types that nobody wrote, code that is emitted for them, and what works without either write the same bytes,
/// read them, and refuse the same. Types are compiled in batches, each of which depends on a number alone.
/// </summary>
public sealed class InventedTests(ITestOutputHelper output)
{
    private const int Count = 40;

    private static readonly int[] Sampled = [0, 3, 5, 6];

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, Sweep.IsWhole ? 24 : 4)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Invented_types_are_written_read_and_refused_alike(int seed)
    {
        var batch = new InventedTypes(seed, Count);
        Assembly assembly = Compiled.Of(batch.Source).Load();
        var table = (WireTypes)assembly.GetType("Messages", throwOnError: true)!.GetProperty("Default")!.GetValue(null)!;
        Type[] coded = CodedTypes.Of(table);
        AssertCoded(batch, coded);

        CodeWays[] all = CodeWays.All(
            WireTypeFilter.Default.AllowWhere((_, name) => name == assembly.GetName().Name), table);
        Type[] known = [.. batch.All.Where(IsKnown).Select(type => assembly.GetType(type.FullName, throwOnError: true)!)];
        Type[] types = [.. coded.Union(known)];
        int written = 0, refused = 0, damaged = 0, flat = 0;
        for (int way = 0; way < all.Length; way++)
        {
            // One of four in which any two options meet in every way.
            if (!Sweep.IsWhole && way != Sampled[seed % Sampled.Length])
            {
                continue;
            }

            CodeWays ways = all[way];
            Assert.DoesNotContain(coded, type => CodedTypes.Fits(ways.Generated, type) is not true);
            var random = new Random(seed);
            foreach (Type type in types)
            {
                for (int round = 0; round < 3; round++)
                {
                    // Without references, those that are in themselves are refused.
                    bool isShared = round == 1 || ways.Generated.Options.PreserveObjectReferences;
                    object value = new RandomValue(random, assembly, known, isShared).Of(type)!;
                    if (ways.Write(value) is not { } bytes)
                    {
                        refused++;
                        continue;
                    }

                    written++;
                    damaged += round == 2 ? ways.Damage(type, bytes, random) : 0;
                }

                flat += !type.IsValueType && CodedTypes.FlatOf(ways.Generated, type) is { IsGenerated: true } ? 1 : 0;
            }
        }

        output.WriteLine(
            $"{batch.All.Count} types, {coded.Length} closed ones with code, {flat} flat; {written} values written and read alike, "
            + $"{refused} refused alike, {damaged} damaged payloads alike");
        Assert.InRange(written, types.Length * 2, int.MaxValue);
        Assert.InRange(flat, 1, int.MaxValue);
    }

    // Exactly the types that are meant to.
    private static void AssertCoded(InventedTypes batch, Type[] coded) => Assert.Equal(
        batch.All.Where(type => type.IsCoded).Select(type => type.FullName).Order(StringComparer.Ordinal),
        coded.Select(type => (type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type).FullName!)
            .Distinct().Order(StringComparer.Ordinal));

    private static bool IsKnown(InventedType type) => (type.IsClass || type.IsStruct) && !type.IsAbstract && !type.IsGeneric;
}
