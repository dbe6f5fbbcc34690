using System.Text;

namespace Wire.Testing;

/// <summary>
/// Files of the source tree that say what something is: lists, tables of pages, ratchets. Where one differs from what is, the test fails
/// with the difference and writes a <c>.received</c> file beside it, which <c>eng/approve.sh</c> puts in its place.
/// </summary>
public static class Approved
{
    /// <summary>The command that accepts all that was received.</summary>
    public const string Command = "eng/approve.sh";

    // A longer difference is read in the files.
    private const int MaxLines = 60;

    /// <summary>Compares a whole file with what it should be.</summary>
    /// <param name="file">The approved file, which may be missing when what it is about is new.</param>
    /// <param name="text">What is.</param>
    public static void AssertEqual(string file, string text)
    {
        string received = ReceivedOf(file);
        string approved = File.Exists(file) ? File.ReadAllText(file).ReplaceLineEndings("\n") : "";
        if (approved == text)
        {
            File.Delete(received);
            return;
        }

        File.WriteAllText(received, text);
        Assert.Fail(Report(file, received, approved, text));
    }

    /// <summary>Compares the part of a page between two marks, which it has once each, with what it should be.</summary>
    /// <param name="file">The page.</param>
    /// <param name="begin">The mark in front, with its line's end.</param>
    /// <param name="end">The mark behind.</param>
    /// <param name="text">What is.</param>
    public static void AssertPart(string file, string begin, string end, string text)
    {
        string page = File.ReadAllText(file).ReplaceLineEndings("\n");
        string received = ReceivedOf(file);

        // Several tests have a part of one page each: what another one has received stays.
        string current = File.Exists(received) ? File.ReadAllText(received) : page;
        string updated = current[..PartOf(current).Start] + text + current[PartOf(current).End..];
        if (updated == page)
        {
            File.Delete(received);
        }
        else
        {
            File.WriteAllText(received, updated);
        }

        string approved = page[PartOf(page)];
        if (approved != text)
        {
            Assert.Fail(Report(file, received, approved, text));
        }

        Range PartOf(string whole)
        {
            int start = whole.IndexOf(begin, StringComparison.Ordinal) + begin.Length;
            return start..whole.IndexOf(end, start, StringComparison.Ordinal);
        }
    }

    /// <summary>The file that a test writes beside an approved one: with <c>.received</c> in front of the ending.</summary>
    public static string ReceivedOf(string file) => Path.ChangeExtension(file, $".received{Path.GetExtension(file)}");

    /// <summary>The lines that only one of two texts has, and those that both have in another order.</summary>
    public static string Difference(string approved, string actual)
    {
        string[] before = approved.Split('\n');
        string[] after = actual.Split('\n');
        string[] lines =
        [
            .. Without(before, after).Select(line => (Mark: '-', line.Index, line.Text))
                .Concat(Without(after, before).Select(line => (Mark: '+', line.Index, line.Text)))
                .OrderBy(line => line.Index)
                .Select(line => $"{line.Mark} {line.Index + 1}: {line.Text}"),
        ];
        if (lines.Length == 0)
        {
            int first = Enumerable.Range(0, before.Length).First(i => before[i] != after[i]);
            return $"The same lines in another order, from line {first + 1} on:\n- {before[first]}\n+ {after[first]}";
        }

        return string.Join('\n', lines.Take(MaxLines)) + (lines.Length > MaxLines ? $"\nand {lines.Length - MaxLines} more lines" : "");
    }

    private static string Report(string file, string received, string approved, string actual) => new StringBuilder()
        .Append(Relative(file)).Append(" differs from what is (- approved, + received):\n")
        .Append(Difference(approved, actual))
        .Append("\nIf this is meant, run ").Append(Command).Append(", which puts ").Append(Relative(received)).Append(" in its place.")
        .ToString();

    private static string Relative(string file) => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/');

    // The lines of a text beyond those that the other one has too, each as often as it has it.
    private static IEnumerable<(int Index, string Text)> Without(string[] lines, string[] others)
    {
        var left = others.GroupBy(line => line).ToDictionary(group => group.Key, group => group.Count());
        for (int i = 0; i < lines.Length; i++)
        {
            if (left.TryGetValue(lines[i], out int count) && count > 0)
            {
                left[lines[i]] = count - 1;
            }
            else
            {
                yield return (i, lines[i]);
            }
        }
    }
}
