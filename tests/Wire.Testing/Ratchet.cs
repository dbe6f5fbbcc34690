using System.Globalization;

namespace Wire.Testing;

/// <summary>
/// Numbers that may become less and never more. A file of the source tree has them, a line each: the number, a blank, and what is counted.
/// </summary>
/// <remarks>
/// What has become less fails too, so that the file follows: <c>eng/approve.sh</c> writes the lesser number. It never writes a greater one.
/// </remarks>
public static class Ratchet
{
    /// <summary>Compares numbers with those of a file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="counts">What is counted, with its number now. What is missing here has come down to nothing.</param>
    /// <param name="advice">What to do where a number has become more: a sentence.</param>
    public static void AssertTight(string file, IReadOnlyDictionary<string, int> counts, string advice)
    {
        Dictionary<string, int> recorded = Read(file);
        string[] more =
        [
            .. counts.Where(count => count.Value > recorded.GetValueOrDefault(count.Key))
                .OrderBy(count => count.Key, StringComparer.Ordinal)
                .Select(count => recorded.TryGetValue(count.Key, out int before)
                    ? $"{count.Key}: {before} has become {count.Value}"
                    : $"{count.Key}: {count.Value} is new"),
        ];

        // What has become more keeps its number.
        Dictionary<string, int> tightened = recorded
            .Where(row => counts.ContainsKey(row.Key))
            .ToDictionary(row => row.Key, row => Math.Min(row.Value, counts[row.Key]));
        string? less = Record.Exception(() => Approved.AssertEqual(file, Text(file, tightened)))?.Message;
        if (more.Length > 0)
        {
            Assert.Fail(string.Join('\n', ["More than the ratchet allows, and no command changes that:", .. more, advice]));
        }

        if (less is not null)
        {
            Assert.Fail("Less than the ratchet has: it follows. " + less);
        }
    }

    private static Dictionary<string, int> Read(string file) => File.ReadLines(file)
        .Where(line => !line.StartsWith('#'))
        .Select(line => line.Split(' ', 2))
        .ToDictionary(parts => parts[1], parts => int.Parse(parts[0], CultureInfo.InvariantCulture));

    private static string Text(string file, Dictionary<string, int> rows) => string.Concat(
    [
        .. File.ReadLines(file).TakeWhile(line => line.StartsWith('#')).Select(line => line + "\n"),
        .. rows.OrderByDescending(row => row.Value).ThenBy(row => row.Key, StringComparer.Ordinal)
            .Select(row => string.Create(CultureInfo.InvariantCulture, $"{row.Value} {row.Key}\n")),
    ]);
}
