using Wire.Testing.Fuzzing;
using Wire.Tests.Documents;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// Paths that have met good payloads find in every other what the general way finds there, and refuse it with the same error.
/// </summary>
internal sealed class PathTarget(Func<IEnumerable<Seed>> seeds) : Target("path", Routes.Payload)
{
    private const int PathsOfSeed = 6;
    private const int Tried = 8;

    // Most inputs begin as the seed does that they are made of.
    private const int Beginning = 24;

    private static readonly Serializer Serializer = new(Configuration.Options(references: false, tolerance: true, dynamicCode: true));

    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);

    private Dictionary<string, List<PathPair>>? _paths;

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // Each look may end in an exception.
    public override long Allowance(byte[] input) => Tried * PathPair.Looks * base.Allowance(input);

    public override object? Read(byte[] input)
    {
        _paths ??= Warm();
        if (_paths.TryGetValue(KeyOf(input), out List<PathPair>? paths))
        {
            foreach (PathPair path in paths)
            {
                path.Check(input);
            }
        }

        return null;
    }

    private static string KeyOf(byte[] input) => Convert.ToHexString(input.AsSpan(0, Math.Min(Beginning, input.Length)));

    private Dictionary<string, List<PathPair>> Warm()
    {
        var all = new Dictionary<string, List<PathPair>>();
        foreach (Seed seed in _seeds.Value)
        {
            if (!all.TryGetValue(KeyOf(seed.Bytes), out List<PathPair>? paths))
            {
                all.Add(KeyOf(seed.Bytes), paths = []);
            }

            foreach ((string path, PayloadNode node) in NodeWalk.Paths(PayloadDocument.Parse(seed.Bytes).Root).Skip(1).Take(PathsOfSeed))
            {
                if (paths.Count < Tried)
                {
                    paths.Add(PathPair.Create(Serializer, path, node.ScalarType ?? typeof(object)));
                    paths[^1].Check(seed.Bytes);
                }
            }
        }

        return all;
    }
}
