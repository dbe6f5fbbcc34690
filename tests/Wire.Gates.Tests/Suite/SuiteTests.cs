using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Gates.Tests.Suite;

/// <summary>What test.sh relies on in the sources of tests, and what nothing else checks in those of all.</summary>
public sealed partial class SuiteTests
{
    private static readonly IEnumerable<SourceFile> All =
        ((string[])["src", "tests", "benchmarks", "samples", "integrations", "eng"]).SelectMany(folder => SourceFile.In(folder));

    [Fact]
    public void What_runs_alone_runs_in_a_process_of_its_own()
    {
        SourceFile[] alone = [.. With("[Collection(nameof(RunAlone))]")];
        Assert.NotEmpty(alone);
        Assert.Equal(alone, With("[Trait(\"Runs\", \"alone\")]"));

        static IEnumerable<SourceFile> With(string attribute) =>
            SourceFile.In("tests/Wire.Tests").Where(file => file.Text.Contains(attribute, StringComparison.Ordinal));
    }

    [Fact]
    public void Each_folder_of_the_library_has_tests_that_are_run_for_it_and_each_word_stands_for_some()
    {
        (string Name, string Project, string[] Words)[] rows =
        [
            .. File.ReadLines(Path.Combine(Repository.Root, "eng", "only.tsv"))
                .Where(line => !line.StartsWith('#'))
                .Select(line => line.Split('\t'))
                .Select(cells => (cells[0], cells[1], cells.ElementAtOrDefault(2)?.Split(' ') ?? [])),
        ];
        string[] folders =
        [
            .. SourceFile.In("src/Wire").Concat(SourceFile.In("src/Wire.Inspection"))
                .Select(file => file.Path.Split('/'))
                .Where(path => path.Length > 3 && path[2] != "Properties")
                .Select(path => path[2])
                .Distinct(),
        ];
        Assert.Empty(folders.Except(rows.Select(row => row.Name)));
        Assert.Empty(rows.Select(row => row.Name).Where(name => !name.StartsWith("Wire", StringComparison.Ordinal)).Except(folders));
        Assert.All(rows, row =>
        {
            // A folder is a namespace, and a class is mostly the file of its name.
            string[] names =
            [
                .. SourceFile.In($"tests/{row.Project}").SelectMany(file => Class().Matches(file.Text).Select(
                    match => $"{Path.GetDirectoryName(file.Path)!["tests/".Length..].Replace('/', '.')}.{match.Groups[1].Value}.")
                    .Concat(Method().Matches(file.Text).Select(match => match.Groups[1].Value))),
            ];
            Assert.All(row.Words, word => Assert.Contains(
                names, name => name.Contains(word.TrimStart('-'), StringComparison.Ordinal)));
        });
    }

    [Fact]
    public void Each_part_of_the_mutation_has_files()
    {
        string script = File.ReadAllText(Path.Combine(Repository.Root, "eng", "mutate.sh")).ReplaceLineEndings("\n");
        string[][] parts = [.. script.Split("<<'PARTS'\n")[1].Split("\nPARTS")[0].Split('\n').Select(line => line.Split('\t'))];
        Assert.NotEmpty(parts);
        Assert.All(parts, part => Assert.NotEmpty(Directory.EnumerateFiles(
            Path.Combine(Repository.Root, "src", part[1], Path.GetDirectoryName(part[2])!.Replace("**", "", StringComparison.Ordinal)),
            Path.GetFileName(part[2]))));
    }

    // `dotnet format` would write them in this order; the build does not ask for it. A region is a part that a page shows.
    [Fact]
    public void Using_directives_are_in_order_those_of_System_first() => Assert.All(All, file =>
    {
        string head = string.Join('\n', file.Text.Split('\n').TakeWhile(line => !line.StartsWith("namespace ", StringComparison.Ordinal)));
        foreach (string part in head.Split("\n#"))
        {
            string[] written = [.. part.Split('\n').Where(line => Using().IsMatch(line))];
            Assert.Equal(written.OrderBy(Kind).ThenBy(line => !IsOfSystem(line)).ThenBy(Named, StringComparer.OrdinalIgnoreCase), written);
        }
    });

    // Namespaces, then members of types, then other names.
    private static int Kind(string line) =>
        line.Contains(" = ", StringComparison.Ordinal) ? 2 : line.Contains(" static ", StringComparison.Ordinal) ? 1 : 0;

    private static bool IsOfSystem(string line) => Named(line) == "System" || Named(line).StartsWith("System.", StringComparison.Ordinal);

    private static string Named(string line) => line.TrimEnd(';').Split(' ').Skip(1).First(word => word != "static");

    [GeneratedRegex(@"^using (static )?[\w.]+( = [^(]+)?;\r?$")]
    private static partial Regex Using();

    [GeneratedRegex(@"(?:class|struct|record) (\w+)")]
    private static partial Regex Class();

    [GeneratedRegex(@"public (?:void|async Task|Task) (\w+)\(")]
    private static partial Regex Method();
}
