using System.Globalization;
using System.Text;
using Wire.Tests.Behaviour.Versions.Changes;

namespace Wire.Tests.Documentation;

/// <summary>The tables of docs/changes.md, from the cases that are tried: no outcome is written down twice.</summary>
internal static class ChangesPage
{
    public static string Text()
    {
        var text = new StringBuilder();
        int readings = AllChanges.All.Sum(change => change.Readings.Count());
        text.Append(
            CultureInfo.InvariantCulture,
            $"\n{AllChanges.All.Count()} changes, {readings} values. Each is written and read with emitted code and without, alone and ")
            .Append("in a session, as the\nfirst message and as a later one.\n");
        foreach ((string title, Change[] changes) in AllChanges.Groups)
        {
            text.Append("\n## ").Append(title)
                .Append("\n\n| change | the new release, from old bytes | the old release, from new bytes |\n|---|---|---|\n");
            foreach (Change change in changes)
            {
                text.Append(
                    CultureInfo.InvariantCulture, $"| {change.Name} | {Cell(change, byNew: true)} | {Cell(change, byNew: false)} |\n");
            }
        }

        return text.ToString();
    }

    private static string Cell(Change change, bool byNew) => string.Join(
        "; ", change.Readings.Where(reading => reading.IsByNew == byNew).Select(Outcome).Distinct());

    private static string Outcome(Reading reading) =>
        reading.Error is null && Loss.Between(reading.Written, reading.Expected).Count > 0 ? $"{reading.Words} ⚑" : reading.Words;
}
