using System.Reflection;
using Wire.Generator.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Generated;
using Xunit.Abstractions;

namespace Wire.Generator.Tests.Fuzzing;

/// <summary>
/// Types that nobody has thought of: what is generated for them compiles, and writes, reads and refuses what emitted code does, and what
/// works without either.
/// </summary>
public sealed class RandomTypesTests(ITestOutputHelper output)
{
    private const int Batches = 60;
    private const int TypesOfBatch = 50;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, Batches).Sample(among: 20)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Generated_code_writes_reads_and_refuses_what_other_code_does(int seed)
    {
        var types = new RandomTypes(seed, TypesOfBatch);
        Compiled compiled = Compiled.Of(types.Source);
        Assembly assembly = compiled.Load();
        var table = (WireTypes)assembly.GetType("Messages")!.GetProperty("Default")!.GetValue(null)!;
        Type[] rows = [.. table.Select(row => row.Type).Where(type => type.Assembly == assembly && !type.IsEnum)];
        Type[] concrete = [.. rows.Where(type => type is { IsAbstract: false, IsValueType: false })];
        var random = new Random(seed);
        int written = 0, refused = 0, damaged = 0, fits = 0;
        foreach (bool references in new[] { false, true })
        {
            var ways = new ThreeWays(
                new SerializerOptions
                {
                    PreserveObjectReferences = references,
                    VersionTolerance = random.Next(2) == 0,
                    EnumsByName = random.Next(2) == 0,
                    TypeFilter = WireTypeFilter.Default.AllowAssembly(assembly),
                },
                table);
            foreach (Type type in rows.Where(type => !type.IsAbstract))
            {
                fits += ways.Fits(type) == true ? 1 : 0;
                if (new RandomValue(random, assembly, concrete).Of(type) is not { } value)
                {
                    continue;
                }

                if (ways.Write(value) is not { } bytes)
                {
                    refused++;
                    continue;
                }

                written++;
                damaged += ways.Damage(type, bytes, random);
            }
        }

        output.WriteLine(
            $"{rows.Length} types, {compiled.Coded.Length} with code, {fits} plans that it fits; {written} values written and read alike, "
            + $"{refused} refused alike, {damaged} damaged payloads alike");
        Assert.InRange(fits, rows.Length, 2 * rows.Length);
        Assert.InRange(written, rows.Length, 2 * rows.Length);
    }
}
