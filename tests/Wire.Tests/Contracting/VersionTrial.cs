using System.Reflection;
using System.Reflection.Emit;

namespace Wire.Tests.Contracting;

/// <summary>
/// Two versions of types, what their contracts say of them in both directions, and what then happens to values: any disagreement is an
/// exception that shows the versions.
/// </summary>
internal sealed class VersionTrial(int seed, int values = 4)
{
    private static readonly WireFormatError[] Refusals =
    [
        WireFormatError.SchemaMismatch, WireFormatError.TypeMismatch, WireFormatError.TypeRefused, WireFormatError.TypeNotFound,
        WireFormatError.Manifest,
    ];

    /// <summary>Counts what happened, by verdict: values that were read, and values that were refused.</summary>
    public Dictionary<ContractVerdict, (int Read, int Refused)> Outcomes { get; } = [];

    /// <summary>Makes the module for the types of some trials.</summary>
    public static ModuleBuilder CreateModule(bool isCollectible) => AssemblyBuilder.DefineDynamicAssembly(
        new AssemblyName($"Versions{Guid.NewGuid():N}"), isCollectible ? AssemblyBuilderAccess.RunAndCollect : AssemblyBuilderAccess.Run)
        .DefineDynamicModule("Versions");

    public void Run(ModuleBuilder module)
    {
        var random = new Random(seed);
        var choices = new VersionChoices(random);
        VersionSpec first = choices.Version(), second = choices.Next(first);
        var options = new SerializerOptions { DynamicCode = seed % 2 == 0, PreserveObjectReferences = seed % 3 == 0 };
        var old = new VersionTypes(first, module, $"Old{seed}", options);
        var now = new VersionTypes(second, module, $"New{seed}", options);
        WireContract oldContract = WireContract.Parse(WireContract.From(old.Serializer, old.Root).ToString());
        WireContract nowContract = WireContract.From(now.Serializer, now.Root);
        ContractComparison comparison = nowContract.CompareWith(oldContract);
        try
        {
            Check(old, now, comparison, ContractDirection.ReadsOld, random);
            Check(now, old, comparison, ContractDirection.IsReadByOld, random);
        }
        catch (Exception e) when (e is not InvalidOperationException)
        {
            throw new InvalidOperationException(
                $"Seed {seed}: {e}\nold:\n{first}\nnew:\n{second}\n{comparison}\n{oldContract}\n{nowContract}", e);
        }
    }

    private void Check(VersionTypes writer, VersionTypes reader, ContractComparison comparison, ContractDirection direction, Random random)
    {
        var oracle = new VersionOracle(writer, reader);
        ContractDifference[] differences = [.. comparison.Differences.Where(one => one.Direction == direction)];
        ContractVerdict verdict = differences.Select(one => one.Verdict).DefaultIfEmpty().Max();

        // What an inner class refuses, is refused where such an object is.
        if (verdict == ContractVerdict.Refuses && !Array.Exists(differences, one => one.Type == "T.Root" && one.Verdict == verdict))
        {
            verdict = ContractVerdict.RefusesSome;
        }

        var make = new VersionValues(writer, random);
        for (int i = 0; i < values; i++)
        {
            object value = make.Root();
            string? expected = oracle.ExpectRoot(value);
            byte[] payload = writer.Serializer.Serialize(value);
            string? actual;
            string error = "";
            try
            {
                actual = oracle.ShowRoot(Read(reader, payload));
            }
            catch (WireFormatException e) when (Refusals.Contains(e.Error) || e.Error == WireFormatError.InvalidValue)
            {
                actual = null;
                error = e.Message;
            }

            (int read, int refused) = Outcomes.GetValueOrDefault(verdict);
            Outcomes[verdict] = actual is null ? (read, refused + 1) : (read + 1, refused);
            string shown = $"{direction} {verdict}\nexpected {expected}\nactual   {actual ?? error}";
            Assert.True(actual is null || actual == expected, $"A wrong value: {shown}");
            Assert.True(actual is null || verdict != ContractVerdict.Refuses, $"Read, and not refused: {shown}");
            Assert.True(actual is not null || verdict >= ContractVerdict.RefusesSome, $"Refused, and not read: {shown}");
        }
    }

    private static object Read(VersionTypes reader, byte[] payload)
    {
        MethodInfo read = typeof(VersionTrial).GetMethod(nameof(ReadAs), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(reader.Root);
        try
        {
            return read.Invoke(null, [reader.Serializer, payload])!;
        }
        catch (TargetInvocationException e)
        {
            System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw(e.InnerException!);
            throw;
        }
    }

    private static object ReadAs<T>(Serializer serializer, byte[] payload) => serializer.Deserialize<T>(payload)!;
}
