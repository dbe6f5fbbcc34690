namespace Wire.Tests.Testing;

/// <summary>
/// Numbers from bytes, by which a test decides what it makes: shorter bytes make less, and when they have ended, all choices are the first.
/// </summary>
internal sealed class Choices(byte[] bytes)
{
    private int _at;

    /// <summary>Whether nothing is left to choose by.</summary>
    public bool AreOver => _at >= bytes.Length;

    /// <summary>A number below a count.</summary>
    public int Pick(int count) => count <= 1 ? 0 : (count > 256 ? (Next() << 8) | Next() : Next()) % count;

    /// <summary>One of several.</summary>
    public T Of<T>(params ReadOnlySpan<T> several) => several[Pick(several.Length)];

    /// <summary>True in one case of so many.</summary>
    public bool OneIn(int count) => Pick(count) == count - 1;

    /// <summary>Fewer and smaller choices, as long as they still fail: what a person can follow.</summary>
    public static byte[] Shortest(byte[] bytes, Predicate<byte[]> fails)
    {
        for (int size = Math.Max(1, bytes.Length / 2); ; size = Math.Max(1, size / 2))
        {
            bool isShorter = false;
            for (int at = 0; at < bytes.Length;)
            {
                byte[] less = [.. bytes[..at], .. bytes[Math.Min(bytes.Length, at + size)..]];
                if (fails(less))
                {
                    (bytes, isShorter) = (less, true);
                }
                else
                {
                    at += size;
                }
            }

            if (size == 1 && !isShorter)
            {
                break;
            }
        }

        for (int at = 0; at < bytes.Length; at++)
        {
            byte[] smaller = [.. bytes];
            smaller[at] = 0;
            if (bytes[at] != 0 && fails(smaller))
            {
                bytes = smaller;
            }
        }

        return bytes;
    }

    private int Next() => _at < bytes.Length ? bytes[_at++] : 0;
}
