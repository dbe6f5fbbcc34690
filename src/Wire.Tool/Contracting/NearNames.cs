namespace Wire.Tool.Contracting;

/// <summary>Finds the names that somebody may have meant who wrote another one.</summary>
internal static class NearNames
{
    private const int Most = 3;

    /// <summary>Returns the nearest names, the best first; none where all are far. Namespaces may be left out.</summary>
    public static string[] Find(string name, IEnumerable<string> names)
    {
        int parts = name.Count(character => character == '.') + 1;
        (string Name, int Distance)[] near =
        [
            .. names.Distinct()
                .Select(other => (Name: other, Distance: Math.Min(Distance(name, other), Distance(name, LastOf(other, parts)))))
                .Where(other => other.Distance <= Math.Max(1, name.Length / 3))
                .OrderBy(other => other.Distance)
                .ThenBy(other => other.Name, StringComparer.Ordinal),
        ];
        return [.. near.TakeWhile(other => other.Distance <= near[0].Distance + 1).Take(Most).Select(other => other.Name)];
    }

    private static string LastOf(string name, int parts) => string.Join('.', name.Split('.').TakeLast(parts));

    // The number of characters to add, remove or change; the case of a letter is none of these.
    private static int Distance(string a, string b)
    {
        int[] row = [.. Enumerable.Range(0, b.Length + 1)];
        for (int i = 1; i <= a.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int changed = diagonal + (char.ToUpperInvariant(a[i - 1]) == char.ToUpperInvariant(b[j - 1]) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(changed, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
