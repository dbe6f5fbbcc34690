namespace Wire.Fuzz.Mutation;

/// <summary>Makes bad inputs from good ones without knowing what the bytes mean.</summary>
internal static class Havoc
{
    public static readonly byte[] Interesting =
        [0, 1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x13, 0x2A, 0x2D, 0x2E, 0x2F, 0x40, 0x46, 0x7F, 0x80, 0x81, 0xFE, 0xFF];

    /// <summary>One to three changes of a few bytes.</summary>
    public static byte[] Change(byte[] input, byte[] other, Random random)
    {
        var bytes = new List<byte>(input);
        for (int i = random.Next(1, 4); i > 0 && bytes.Count > 0; i--)
        {
            Change(bytes, other, random);
        }

        return [.. bytes];
    }

    /// <summary>A header and bytes without sense.</summary>
    public static byte[] Noise(Random random)
    {
        byte[] bytes = new byte[random.Next(1, 120)];
        random.NextBytes(bytes);
        bytes[0] = (byte)(0x10 | random.Next(4));
        for (int i = 1; i < bytes.Length; i++)
        {
            if (random.Next(2) == 0)
            {
                bytes[i] = Interesting[random.Next(Interesting.Length)];
            }
        }

        return bytes;
    }

    private static void Change(List<byte> bytes, byte[] other, Random random)
    {
        int at = random.Next(bytes.Count);
        int size = Math.Min(random.Next(1, 9), bytes.Count - at);
        switch (random.Next(10))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                bytes[at] = (byte)random.Next(256);
                break;
            case 2:
                bytes[at] = Interesting[random.Next(Interesting.Length)];
                break;
            case 3:
                bytes.Insert(at, Interesting[random.Next(Interesting.Length)]);
                break;
            case 4:
                bytes.RemoveRange(at, size);
                break;
            case 5:
                bytes.InsertRange(at, bytes.GetRange(at, size));
                break;
            case 6 when other.Length > 0:
                int start = random.Next(other.Length);
                bytes.InsertRange(at, other.AsSpan(start, Math.Min(random.Next(1, 40), other.Length - start)).ToArray());
                break;
            case 7:
                // A length that became enormous.
                bytes.RemoveAt(at);
                bytes.InsertRange(at, [0xFF, 0xFF, 0xFF, 0xFF, (byte)random.Next(16)]);
                break;
            case 8:
                bytes.RemoveRange(at, bytes.Count - at);
                break;
            default:
                bytes[at] = (byte)(bytes[at] + random.Next(-3, 4));
                break;
        }
    }
}
