namespace Versions;

/// <summary>Each of the four releases reads the messages of each.</summary>
internal static class Matrix
{
    // What docs/versioning.md says: a line for each payload that is read.
    private static readonly string[] Expected =
    [
        "OrderPlaced     1 -> 1  7, Ada, 19.90, Paid, 12 x pencil",
        "OrderPlaced     1 -> 2  7, Ada, 19.90, Paid, 12 x pencil, null",
        "OrderPlaced     1 -> 3  7, Ada, 19.90, Paid, 12 x pencil",
        "OrderPlaced     1 -> 4  7, Ada, 19.90, Paid, 12 x pencil, EUR",
        "OrderPlaced     2 -> 1  7, Ada, 19.90, 3, 12 x pencil",
        "OrderPlaced     2 -> 2  7, Ada, 19.90, Shipped, 12 x pencil, a gift",
        "OrderPlaced     2 -> 3  7, Ada, 19.90, Shipped, 12 x pencil",
        "OrderPlaced     2 -> 4  7, Ada, 19.90, Shipped, 12 x pencil, EUR",
        "OrderCancelled  2 -> 1  error TypeRefused",
        "OrderCancelled  2 -> 2  7, too late",
        "OrderCancelled  2 -> 3  7, too late",
        "OrderCancelled  2 -> 4  7, 'too late', Unknown",
        "OrderPlaced     3 -> 1  7, Ada, 19.90, Paid, 12 x pencil",
        "OrderPlaced     3 -> 2  7, Ada, 19.90, Paid, 12 x pencil, null",
        "OrderPlaced     3 -> 3  7, Ada, 19.90, Paid, 12 x pencil",
        "OrderPlaced     3 -> 4  7, Ada, 19.90, Paid, 12 x pencil, EUR",
        "OrderCancelled  3 -> 1  error TypeRefused",
        "OrderCancelled  3 -> 2  7, too late",
        "OrderCancelled  3 -> 3  7, too late",
        "OrderCancelled  3 -> 4  7, 'too late', Unknown",
        "OrderPlaced     4 -> 1  error TypeRefused",
        "OrderPlaced     4 -> 2  error TypeRefused",
        "OrderPlaced     4 -> 3  error TypeRefused",
        "OrderPlaced     4 -> 4  7000000000, Ada, 19.90, Paid, 12 x pencil, USD",
        "OrderCancelled  4 -> 1  error TypeRefused",
        "OrderCancelled  4 -> 2  error SchemaMismatch",
        "OrderCancelled  4 -> 3  error SchemaMismatch",
        "OrderCancelled  4 -> 4  7000000000, '', TooLate",
    ];

    /// <summary>Prints what came back, and returns whether that is what the page says.</summary>
    public static bool Run()
    {
        Release[] releases = [new Release1.Release(), new Release2.Release(), new Release3.Release(), new Release4.Release()];
        string[] lines = [.. Lines(releases)];
        for (int i = 0; i < lines.Length; i++)
        {
            Console.WriteLine($"{(i < Expected.Length && lines[i] == Expected[i] ? "" : "! ")}{lines[i]}");
        }

        return lines.SequenceEqual(Expected);
    }

    private static IEnumerable<string> Lines(Release[] releases) =>
        from writer in Enumerable.Range(1, releases.Length)
        from message in releases[writer - 1].Write()
        from reader in Enumerable.Range(1, releases.Length)
        select $"{message.Name,-14}  {writer} -> {reader}  {releases[reader - 1].Read(message.Payload)}";
}
