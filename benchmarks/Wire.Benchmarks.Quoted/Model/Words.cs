namespace Bench.Quoted;

/// <summary>What the fixture of MessagePack's benchmark makes beside numbers and dates.</summary>
internal static class Words
{
    /// <summary>Eight characters.</summary>
    public static string Word(this Random random) => new(random.GetItems<char>("abcdefghijklmnopqrstuvwxyz0123456789", 8));

    public static bool Flag(this Random random) => random.Next(2) == 0;
}
