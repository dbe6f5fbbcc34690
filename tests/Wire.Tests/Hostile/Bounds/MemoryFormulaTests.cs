using System.Reflection;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Golden;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Bounds;

/// <summary>
/// What docs/limits.md promises, for every type of the library: what is alive of a message that has been read is counted in
/// <see cref="Limits.MaxAllocation"/>, or less than 24 bytes for each of the payload.
/// </summary>
/// <remarks>
/// A new type is covered by its line in the library's table: its values are those of its test class and its golden vectors, and
/// those of <see cref="LeastValues"/>, of which few bytes make much. Each is read many times over, as an element of an array or a
/// list of its type or as an object, in turn. Where all that reading 500 allocates is counted, that is enough; else what is alive of
/// 2,000 is measured, with all that the runtime takes meanwhile; and where that is too much, of 20,000, of which the runtime's part can
/// be told. With WIRE_TEST_LONG=1 there are 20,000 of each, in all three places.
/// </remarks>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class MemoryFormulaTests
{
    // How many bytes of memory a byte of the payload may make that are not counted (docs/limits.md).
    private const int Uncounted = 24;

    private const int Fewer = 2_000;

    private const int Many = 20_000;

    // What the runtime itself takes meanwhile, and memory that it has given to threads and not yet to objects: three bytes a value.
    private const int Noise = 3 * Many;

    // How far each measurement looks.
    private static readonly int[] Generations = [1, GC.MaxGeneration, GC.MaxGeneration, GC.MaxGeneration];

    private static readonly int Some = Sweep.IsWhole ? Many : 500;

    private static readonly Serializer Measured = Serializer(long.MaxValue, dynamicCode: true);

    private static readonly ILookup<Type, (Type Variable, object Value)> Values =
        All().ToLookup(sample => sample.Definition, sample => (sample.Variable, sample.Value));

    public static TheoryData<Type> Types() => [.. BuiltIns.Types, .. BuiltIns.Families];

    [Theory]
    [MemberData(nameof(Types))]
    public void What_is_alive_is_counted(Type type)
    {
        Assert.NotEmpty(Values[type]);
        var over = new List<string>();
        bool inEach = Sweep.IsWhole || Values[type].Count() == 1;
        foreach ((int i, (Type variable, object value)) in Values[type].Index())
        {
            foreach (Func<int, object> form in Forms(variable, value).Where((_, form) => inEach || form == i % 3))
            {
                if (Over(form) is { } excess)
                {
                    over.Add($"{form(0).GetType()} of {value}: {excess}");
                }
            }
        }

        Assert.True(over.Count == 0, string.Join('\n', over));
    }

    private static IEnumerable<Func<int, object>> Forms(Type variable, object value) =>
    [
        count => ArrayOf(variable, value, count),
        count => Activator.CreateInstance(typeof(List<>).MakeGenericType(variable), ArrayOf(variable, value, count))!,
        count => ArrayOf(typeof(object), value, count),
    ];

    private static Array ArrayOf(Type variable, object value, int count)
    {
        var array = Array.CreateInstance(variable, count);
        for (int i = 0; i < count; i++)
        {
            array.SetValue(value, i);
        }

        return array;
    }

    // By how much what is alive exceeds what is counted; null when it does not.
    private static string? Over(Func<int, object> form)
    {
        byte[] payload = Measured.Serialize(form(Some));
        Measured.Deserialize<object>(payload);

        // Nothing is alive that has not been allocated, which is quicker to measure.
        long before = GC.GetTotalAllocatedBytes(precise: true);
        object? read = Measured.Deserialize<object>(payload);
        long taken = GC.GetTotalAllocatedBytes(precise: true) - before;
        GC.KeepAlive(read);
        if (IsCounted(payload, taken))
        {
            return null;
        }

        read = null;
        return OverAlive(form, Fewer, noise: 0) is null ? null : OverAlive(form, Many, Noise);
    }

    // By how much what is alive of a number of them exceeds what is counted; null when it does not.
    private static string? OverAlive(Func<int, object> form, int count, int noise)
    {
        byte[] payload = Measured.Serialize(form(count));
        Measured.Deserialize<object>(payload);

        // A message takes what it takes each time; what the process takes beside it, such as for its pools, comes and goes.
        long alive = long.MaxValue;
        foreach (int generation in Generations)
        {
            alive = Math.Min(alive, AliveOf(payload, generation) - noise);
            if (IsCounted(payload, alive))
            {
                return null;
            }
        }

        return $"{alive / (double)count:F1} bytes each, of {payload.Length / (double)count:F1} of the payload, and less than "
            + $"{(alive - ((long)Uncounted * payload.Length)) / (double)count:F1} are counted";
    }

    // What is alive, or no less: looking at the young generations alone is quicker, and then all counts that has become old or is large.
    private static long AliveOf(byte[] payload, int generation)
    {
        long before = Alive(generation);
        int collections = GC.CollectionCount(GC.MaxGeneration);
        object? read = Measured.Deserialize<object>(payload);
        long alive = Alive(generation) - before;
        GC.KeepAlive(read);
        bool isSure = generation == GC.MaxGeneration || GC.CollectionCount(GC.MaxGeneration) == collections;
        return isSure ? alive : long.MaxValue;
    }

    private static bool IsCounted(byte[] payload, long memory)
    {
        long counted = memory - ((long)Uncounted * payload.Length);
        return counted <= 1
            || Record.Exception(() =>
                Serializer(counted - 1, dynamicCode: false)
                    .Deserialize<object>(payload)) is WireFormatException { Error: WireFormatError.Limit };
    }

    private static long Alive(int generation)
    {
        for (int i = 0; i < 2; i++)
        {
            GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
            GC.WaitForPendingFinalizers();
        }

        return GC.GetTotalMemory(forceFullCollection: false);
    }

    private static Serializer Serializer(long maxAllocation, bool dynamicCode) => new(
        Configuration.Options(references: false, tolerance: true, dynamicCode) with
        {
            Limits = Limits.Default with { MaxAllocation = maxAllocation },
        });

    private static IEnumerable<(Type Definition, Type Variable, object Value)> All() =>
        from sample in OfTestClasses()
            .Concat(GoldenSamples.All.Select(sample => (Variable: sample.Type, sample.Value)))
            .Concat(LeastValues.All)
        from definition in BuiltIns.Definitions(sample.Value is Type ? typeof(Type) : sample.Variable)
        select (definition, sample.Variable, sample.Value);

    private static IEnumerable<(Type Variable, object Value)> OfTestClasses() =>
        from candidate in typeof(MemoryFormulaTests).Assembly.GetTypes()
        let parent = candidate.BaseType
        where !candidate.IsAbstract && parent is { IsGenericType: true } && parent.GetGenericTypeDefinition() == typeof(ValueTests<>)
        let samples = parent.GetProperty("Samples", BindingFlags.Instance | BindingFlags.NonPublic)!
        from value in ((System.Collections.IEnumerable)samples.GetValue(Activator.CreateInstance(candidate))!).Cast<object?>()
        where value is not null
        select (parent.GetGenericArguments()[0], value);
}
