using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Allocations;

/// <summary>
/// To read messages of hundreds of kinds in any order allocates exactly what it does to read those of one kind: the objects.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class KindAllocationTests
{
    private const int Count = 200;

    private static readonly Type[] Parts =
        [typeof(int), typeof(string), typeof(Guid), typeof(double), typeof(byte), typeof(char), typeof(decimal), typeof(long)];

    private static readonly Type[] Kinds =
    [
        .. (from first in Parts from second in Parts from third in Parts select typeof(Kind<,,>).MakeGenericType(first, second, third))
            .Take(Count),
    ];

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(false, true)]
    public void Hundreds_of_kinds_take_what_each_of_them_takes(bool tolerance, bool known)
    {
        var serializer = new Serializer(new SerializerOptions
        {
            VersionTolerance = tolerance,
            TypeFilter = WireTypeFilter.Default.Allow(typeof(Kind<,,>)),
            KnownTypes = known ? [.. Kinds.Select((kind, i) => KeyValuePair.Create(i * 3, kind))] : [],
        });
        var random = new Random(3);
        byte[][] payloads = [.. Kinds.Select((kind, i) => serializer.Serialize(Activator.CreateInstance(kind, [i])!))];
        random.Shuffle(payloads);
        int[] order = [.. Enumerable.Range(0, payloads.Length * 3).Select(i => i % payloads.Length)];
        random.Shuffle(order);
        var all = new Gauge(() =>
        {
            foreach (int i in order)
            {
                serializer.Deserialize<Kind>(payloads[i]);
            }
        });
        long alone = long.MaxValue;
        Gauge.Settle(
            () =>
            {
                alone = Math.Min(alone, payloads.Sum(payload => BytesOf(serializer, payload)) * 3);
                return all.BytesOfTenCalls == alone;
            },
            all);
        Assert.Equal(alone, all.BytesOfTenCalls);
        for (int i = 0; i < payloads.Length; i++)
        {
            Kind read = serializer.Deserialize<Kind>(payloads[i])!;
            Assert.Same(Kinds[read.Number], read.GetType());
        }
    }

    private static long BytesOf(Serializer serializer, byte[] payload)
    {
        const int Calls = 10;
        serializer.Deserialize<Kind>(payload);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Calls; i++)
        {
            serializer.Deserialize<Kind>(payload);
        }

        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private abstract class Kind
    {
        public int Number { get; set; }
    }

    private sealed class Kind<TFirst, TSecond, TThird> : Kind
    {
        public Kind(int number) => Number = number;

        public TFirst? First { get; set; }

        public TSecond? Second { get; set; }

        public TThird? Third { get; set; }
    }
}
