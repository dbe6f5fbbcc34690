using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Xunit;

namespace Wire.Tests.Documentation;

/// <summary>Runs every test vector of docs/format.md, and demands one for each of its clauses.</summary>
public partial class FormatVectorTests
{
    private const string Fence = "```";

    private static readonly (string[] Clauses, List<Vector> Vectors) Document = Parse(File.ReadAllLines(Location()));

    public static TheoryData<string, string> Values => Select("value");

    public static TheoryData<string, string> Refusals => Select("refused");

    /// <summary>Lists the values of the document, and their bytes.</summary>
    internal static IEnumerable<(string Title, byte[] Bytes)> ValuesOfDocument() =>
        from vector in Document.Vectors
        where vector.Kind == "value"
        group vector by (vector.Name, vector.Hex) into same
        select ($"{same.First().Clause} {same.Key.Name}", Convert.FromHexString(same.Key.Hex));

    [Fact]
    public void Every_clause_has_a_vector()
    {
        Assert.NotEmpty(Document.Clauses);
        Assert.All(Document.Clauses, clause => Assert.True(
            Document.Vectors.Any(v => v.Clause == clause || v.Clause.StartsWith(clause + ".", StringComparison.Ordinal)),
            $"Clause {clause} has no vector."));
    }

    [Fact]
    public void Every_sample_is_in_the_document() =>
        Assert.Empty(FormatSamples.All.Keys.Except(Document.Vectors.Where(v => v.Kind == "value").Select(v => v.Name)));

    [Theory]
    [MemberData(nameof(Values))]
    public void Value_has_these_bytes(string name, string hex)
    {
        Assert.True(FormatSamples.All.TryGetValue(name, out FormatSample? sample), $"The document names an unknown sample '{name}'.");
        byte[] bytes = Convert.FromHexString(hex);

        Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(sample.Write()));
        sample.Check(bytes);
    }

    [Theory]
    [MemberData(nameof(Refusals))]
    public void Bytes_are_refused(string error, string hex)
    {
        WireFormatException e =
            Assert.ThrowsAny<WireFormatException>(() => new Serializer().Deserialize<object>(Convert.FromHexString(hex)));

        Assert.Equal(error, e.Error.ToString());
    }

    private static TheoryData<string, string> Select(string kind)
    {
        var data = new TheoryData<string, string>();
        foreach (Vector vector in Document.Vectors.Where(v => v.Kind == kind))
        {
            data.Add(vector.Name, vector.Hex);
        }

        return data;
    }

    // A vector is a fenced block: `value: <sample>` or `refused: <error>`, then `hex: ` lines, in which # begins a comment.
    private static (string[] Clauses, List<Vector> Vectors) Parse(string[] lines)
    {
        var clauses = new List<string>();
        var vectors = new List<Vector>();
        for (int i = 0; i < lines.Length; i++)
        {
            if (Heading().Match(lines[i]) is { Success: true } heading)
            {
                clauses.Add(heading.Groups[1].Value);
            }
            else if (lines[i] == Fence + "vector")
            {
                string[] block = [.. lines.Skip(i + 1).TakeWhile(line => line != Fence)];
                Match subject = Subject().Match(block.Length > 1 ? block[0] : "");
                if (!subject.Success || !block.Skip(1).All(line => line.StartsWith("hex: ", StringComparison.Ordinal)))
                {
                    throw new FormatException(
                        string.Create(CultureInfo.InvariantCulture, $"Line {i + 1} begins a block that is no vector."));
                }

                string hex = string.Concat(
                    block.Skip(1).Select(line => line["hex: ".Length..].Split('#')[0].Replace(" ", "", StringComparison.Ordinal)));
                vectors.Add(new Vector(clauses[^1], subject.Groups[1].Value, subject.Groups[2].Value, hex));
                i += block.Length + 1;
            }
        }

        return ([.. clauses], vectors);
    }

    private static string Location([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "..", "docs", "format.md");

    [GeneratedRegex(@"^##+ (\d+(?:\.\d+)*)\.? ")]
    private static partial Regex Heading();

    [GeneratedRegex("^(value|refused): (.+)$")]
    private static partial Regex Subject();

    private sealed record Vector(string Clause, string Kind, string Name, string Hex);
}
