using System.Collections.Frozen;
using System.Numerics;
using System.Reflection;
using System.Text;
using Bench;
using BenchmarkDotNet.Attributes;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Full;

/// <summary>
/// How to find what belongs to a built-in type: comparing references one by one, behind a check of the type's assembly, as
/// the original Wire did; or in one frozen table. Over as many types as have a tag.
/// </summary>
[ShortRunJob]
public class TypeLookupBenchmarks
{
    private static readonly Type[] BuiltIn =
    [
        typeof(string), typeof(int), typeof(long), typeof(bool), typeof(double), typeof(Guid), typeof(DateTime), typeof(decimal),
        typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(uint), typeof(ulong), typeof(Int128), typeof(UInt128),
        typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(char), typeof(Rune), typeof(DateTimeOffset),
        typeof(TimeSpan), typeof(DateOnly), typeof(TimeOnly), typeof(Version), typeof(Type), typeof(object), typeof(Uri),
        typeof(Complex), typeof(BigInteger),
    ];

    private static readonly Assembly Core = typeof(object).Assembly;
    private static readonly FrozenDictionary<Type, int> Table = BuiltIn.Index().ToFrozenDictionary(pair => pair.Item, pair => pair.Index);

    private Type _asked = typeof(string);

    /// <summary>The first and a late type of the chain, and a type of the user's.</summary>
    [Params(nameof(String), nameof(TimeOnly), nameof(Poco))]
    public string Asked { get; set; } = nameof(String);

    [GlobalSetup]
    public void Find() => _asked = Array.Find(BuiltIn, type => type.Name == Asked) ?? typeof(Poco);

    [Benchmark(Baseline = true)]
    public int ReferenceChain()
    {
        if (!ReferenceEquals(_asked.Assembly, Core))
        {
            return -1;
        }

        Type[] chain = BuiltIn;
        for (int i = 0; i < chain.Length; i++)
        {
            if (ReferenceEquals(chain[i], _asked))
            {
                return i;
            }
        }

        return -1;
    }

    [Benchmark]
    public int FrozenTable() => Table.TryGetValue(_asked, out int index) ? index : -1;
}
