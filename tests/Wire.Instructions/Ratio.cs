namespace Wire.Instructions;

/// <summary>How much more a door may take than the shortest one, of the same message.</summary>
/// <param name="Operation">Through that door.</param>
/// <param name="Shortest">Through a span, or into a buffer.</param>
/// <param name="Most">How many times as many instructions are allowed.</param>
internal sealed record Ratio(string Operation, string Shortest, double Most)
{
    private const string Read = "POCO, defaults, read";
    private const string Write = "POCO, defaults, write";

    /// <summary>
    /// Gets all of them. A <see cref="MemoryStream"/> takes 150 instructions for a <see cref="Stream.Position"/> and a <see
    /// cref="MemoryStream.Write(ReadOnlySpan{byte})"/> of the bytes alone.
    /// </summary>
    public static Ratio[] All { get; } =
    [
        new("POCO, sequence of one segment, read", Read, 1.15),
        new("POCO, read, with the bytes consumed", Read, 1.15),
        new("POCO, memory stream, read", Read, 1.5),
        new("POCO, memory stream, write", Write, 1.7),
        new("POCO, other stream, write", Write, 1.5),
        .. new[] { "Order of 40 members", "64 mixed objects" }.SelectMany(static message => new[] { "write", "read" }.Select(
            way => new Ratio($"{message}, references, interpreted, {way}", $"{message}, references, {way}", 1.5))),
        .. new[] { "Order of 40 members", "64 mixed objects" }.SelectMany(static message => new[] { "write", "read" }.Select(
            way => new Ratio($"{message}, references, generated, {way}", $"{message}, references, {way}", 1.05))),
        new("Order of 40 members, flat, generated, write", "Order of 40 members, flat, write", 1.2),
        new("Order of 40 members, flat, generated, read", "Order of 40 members, flat, read", 1.2),
        new("Mixed types, flat, generated, write", "Mixed types, flat, write", 1.2),
        new("Mixed types, flat, generated, read", "Mixed types, flat, read", 1.2),
    ];

    /// <summary>Tells what it is now, and whether that is allowed.</summary>
    public (string Text, bool Holds) Of(Counts counts)
    {
        double now = counts.Of(Operation) / counts.Of(Shortest);
        return now <= Most
            ? ($"{Operation,-52}{now,12:F2}  of '{Shortest}': holds, up to {Most}", true)
            : ($"{Operation,-52}{now,12:F2}  of '{Shortest}': FAILED, {Most} are allowed", false);
    }
}
