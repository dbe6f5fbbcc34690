namespace Wire.Tests.Hostile;

/// <summary>Makes bad payloads from good ones.</summary>
internal sealed class Mutator(int seed)
{
    private static readonly byte[] Interesting = [0, 1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x13, 0x2A, 0x2D, 0x2E, 0x2F, 0x40, 0x46, 0x7F, 0x80, 0x81, 0xFE, 0xFF];

    private readonly Random _random = new(seed);

    public byte[] Next(IReadOnlyList<Sample> corpus, byte[] from)
    {
        var bytes = new List<byte>(from);
        for (int i = _random.Next(1, 4); i > 0 && bytes.Count > 0; i--)
        {
            Mutate(bytes, corpus);
        }

        return [.. bytes];
    }

    /// <summary>A header and bytes without sense.</summary>
    public byte[] Noise()
    {
        byte[] bytes = new byte[_random.Next(1, 120)];
        _random.NextBytes(bytes);
        bytes[0] = (byte)(0x10 | _random.Next(4));
        for (int i = 1; i < bytes.Length; i++)
        {
            if (_random.Next(2) == 0)
            {
                bytes[i] = Interesting[_random.Next(Interesting.Length)];
            }
        }

        return bytes;
    }

    private void Mutate(List<byte> bytes, IReadOnlyList<Sample> corpus)
    {
        int at = _random.Next(bytes.Count);
        int size = Math.Min(_random.Next(1, 9), bytes.Count - at);
        switch (_random.Next(9))
        {
            case 0:
                bytes[at] ^= (byte)(1 << _random.Next(8));
                break;
            case 1:
                bytes[at] = (byte)_random.Next(256);
                break;
            case 2:
                bytes[at] = Interesting[_random.Next(Interesting.Length)];
                break;
            case 3:
                bytes.Insert(at, Interesting[_random.Next(Interesting.Length)]);
                break;
            case 4:
                bytes.RemoveRange(at, size);
                break;
            case 5:
                bytes.InsertRange(at, bytes.GetRange(at, size));
                break;
            case 6:
                byte[] other = corpus[_random.Next(corpus.Count)].Payload;
                int start = _random.Next(other.Length);
                bytes.InsertRange(at, other.AsSpan(start, Math.Min(_random.Next(1, 40), other.Length - start)).ToArray());
                break;
            case 7:
                // A length that became enormous.
                bytes.RemoveAt(at);
                bytes.InsertRange(at, [0xFF, 0xFF, 0xFF, 0xFF, (byte)_random.Next(16)]);
                break;
            default:
                bytes[at] = (byte)(bytes[at] + _random.Next(-3, 4));
                break;
        }
    }
}
