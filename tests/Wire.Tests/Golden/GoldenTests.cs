using System.Globalization;
using System.Text;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Golden;

/// <summary>
/// The bytes of every built-in type and family, kept in <c>tests/Compat</c> by the version of the format: what one version has
/// written, all later ones read. <c>WIRE_GOLDEN_WRITE=1 dotnet test</c> writes the files of new samples and never changes one
/// that is there; <see cref="CompatTests"/> sees to it that nobody else does.
/// </summary>
public sealed class GoldenTests
{
    private static readonly (string Title, SerializerOptions Options)[] Variants =
    [
        ("default", Configuration.Options(references: false, tolerance: true, dynamicCode: true)),
        ("VersionTolerance off", Configuration.Options(references: false, tolerance: false, dynamicCode: true)),
        ("PreserveObjectReferences on", Configuration.Options(references: true, tolerance: true, dynamicCode: true)),
    ];

    public static TheoryData<string> Names() => [.. GoldenSamples.All.Select(sample => sample.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void The_sample_is_written_as_these_bytes(string name)
    {
        GoldenSample sample = Find(name);
        Assert.Equal(Kept(sample), Text(sample));
    }

    public static TheoryData<string, string> Vectors()
    {
        var vectors = new TheoryData<string, string>();
        foreach (string version in GoldenVectors.Versions)
        {
            foreach (string file in Directory.GetFiles(version, "*.golden").Order(StringComparer.Ordinal))
            {
                vectors.Add(Path.GetFileName(version), Path.GetFileNameWithoutExtension(file));
            }
        }

        return vectors;
    }

    [Theory]
    [MemberData(nameof(Vectors))]
    public void The_bytes_of_every_version_are_read_as_the_sample(string version, string name)
    {
        GoldenSample sample = Find(name);
        List<(string Title, byte[] Bytes)> payloads =
            GoldenFile.Payloads(File.ReadAllLines(GoldenFile.Of(GoldenVectors.FolderOf(version), name)));
        Assert.Equal(Variants.Select(v => v.Title), payloads.Select(p => p.Title));
        foreach ((string title, byte[] bytes) in payloads)
        {
            foreach (bool dynamicCode in new[] { false, true })
            {
                SerializerOptions options = Variants.Single(v => v.Title == title).Options with { DynamicCode = dynamicCode };
                GraphAssert.Same(sample.Value, new Serializer(options).Deserialize<object>(bytes));
            }
        }
    }

    [Fact]
    public void Every_file_has_a_sample_of_its_own()
    {
        Assert.Equal(GoldenSamples.All.Count, GoldenSamples.All.Select(sample => sample.Name.ToUpperInvariant()).Distinct().Count());
        Assert.All(GoldenSamples.All, sample => Kept(sample));
        Assert.Equal(
            GoldenSamples.All.Select(sample => sample.Name).Order(StringComparer.Ordinal),
            Directory.GetFiles(GoldenVectors.Folder, "*.golden").Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal));
    }

    private static GoldenSample Find(string name) => GoldenSamples.All.Single(sample => sample.Name == name);

    private static string Kept(GoldenSample sample) =>
        GoldenVectors.Read(GoldenFile.Of(GoldenVectors.Folder, sample.Name), () => Text(sample));

    private static string Text(GoldenSample sample)
    {
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"type:  {sample.Type}\nvalue: {Describe(sample.Value)}\n");
        foreach ((string title, SerializerOptions options) in Variants)
        {
            GoldenFile.Append(text, title, new Serializer(options).Serialize(sample.Value));
        }

        return text.ToString();
    }

    private static string Describe(object value) => value switch
    {
        string text => $"\"{text}\"",
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        IFormattable formattable and not Enum => formattable.ToString(null, CultureInfo.InvariantCulture),
        System.Collections.IEnumerable items =>
            $"[{string.Join(", ", items.Cast<object?>().Select(item => item is null ? "null" : Describe(item)))}]",
        GoldenOrder order => $"Number = {order.Number}, Note = {order.Note}, Lines = {Describe(
            order.Lines)}, Extra = {order.Extra}, Previous = {(order.Previous is null ? "null" : $"{{ {Describe(order.Previous)} }}")}",
        GoldenLine line => $"{line.Product} {line.Price.ToString(CultureInfo.InvariantCulture)} x {line.Count}",
        _ => value.ToString()!,
    };
}
