using System.Security.Cryptography;
using Wire.Fuzz.Mutation;
using Wire.Testing.Fuzzing;

namespace Wire.Fuzz.Running;

/// <summary>An input that is worth changing.</summary>
internal sealed record Entry(Target Target, byte[] Bytes);

/// <summary>The inputs that are worth changing: those that targets give, and those that reached new code.</summary>
internal sealed class Corpus(IReadOnlyList<Target> targets, string folder)
{
    private readonly Dictionary<Target, List<Entry>> _byTarget = targets.ToDictionary(target => target, _ => new List<Entry>());
    private readonly Dictionary<string, List<Entry>> _byFormat =
        targets.Select(target => target.Format).Distinct().ToDictionary(format => format, _ => new List<Entry>());

    public int Count { get; private set; }

    /// <summary>Finds the parts of an input; null where the format has none that are known.</summary>
    public static Func<byte[], Layout>? LayoutOf(string format) => format switch
    {
        Routes.Payload => LayoutReader.OfPayload,
        Routes.Messages => LayoutReader.OfMessages,
        _ => null,
    };

    public void Add(Entry entry)
    {
        _byTarget[entry.Target].Add(entry);
        _byFormat[entry.Target.Format].Add(entry);
        Count++;
    }

    /// <summary>Keeps an entry for later runs.</summary>
    public void Save(Entry entry)
    {
        string hash = Convert.ToHexStringLower(SHA256.HashData(entry.Bytes))[..16];
        File.WriteAllBytes(Path.Combine(FolderOf(entry.Target), hash), entry.Bytes);
    }

    /// <summary>The entries of earlier runs.</summary>
    public IEnumerable<Entry> Saved() => targets.SelectMany(target =>
        Directory.GetFiles(FolderOf(target)).Order(StringComparer.Ordinal).Select(file => new Entry(target, File.ReadAllBytes(file))));

    /// <summary>An entry for a target: mostly one of its own, and rather a new one than an old one.</summary>
    public Entry Pick(Target target, Random random)
    {
        List<Entry> own = _byTarget[target];
        List<Entry> from = own.Count == 0 || random.Next(4) == 0 ? _byFormat[target.Format] : own;
        int first = random.Next(2) == 0 ? 0 : from.Count * 3 / 4;
        return from[random.Next(first, from.Count)];
    }

    private string FolderOf(Target target) => Directory.CreateDirectory(Path.Combine(folder, target.Name.Replace(' ', '-'))).FullName;
}
