using Wire.Migration.Samples;
using Wire.Testing;

namespace Wire.Migration.Tests;

/// <summary>
/// What BinaryFormatter wrote, in <c>Payloads/</c>: it was recorded once by <c>tests/Wire.Migration.Recorder</c>, is not changed, and is
/// recorded again for new samples only.
/// </summary>
internal static class Recorded
{
    public static SerializerOptions Options { get; } = new()
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Sample).Assembly).Allow<IComparable>(),
    };

    /// <summary>Returns the bytes of a sample.</summary>
    public static byte[] Bytes(string name)
    {
        string[] lines = File.ReadAllLines(Path.Combine(Repository.Root, "tests", "Wire.Migration.Tests", "Payloads", name + ".txt"));
        return Convert.FromBase64String(string.Concat(lines.Where(line => !line.StartsWith('#'))));
    }

    /// <summary>Makes the graph that was recorded.</summary>
    public static object Graph(string name) => Sample.All.Single(sample => sample.Name == name).Create();

    /// <summary>Makes a reader.</summary>
    public static BinaryFormatterReader Reader(SerializerOptions? options = null) => new(new Serializer(options ?? Options));
}
