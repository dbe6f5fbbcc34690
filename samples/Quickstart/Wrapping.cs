using System.IO.Compression;
using System.Security.Cryptography;
using Wire;

namespace Quickstart;

/// <summary>Payloads that are compressed and encrypted on their way.</summary>
internal static class Wrapping
{
    private const int NonceSize = 12;
    private const int TagSize = 16;

    private static readonly Serializer Serializer =
        new(SerializerOptions.Default with { Limits = Limits.Default with { MaxBytes = 1 << 20 } });

    /// <summary>Returns whether what was wrapped comes back, and what grows too large or was changed is refused.</summary>
    public static bool RoundTrip()
    {
        string[] lines = [.. Enumerable.Range(0, 1000).Select(number => $"line {number}")];
        byte[] payload = Serializer.Serialize(lines);
        byte[] compressed = Compress(lines);
        byte[] key = RandomNumberGenerator.GetBytes(32);
        byte[] encrypted = Encrypt(key, compressed);
        Console.WriteLine($"{payload.Length} bytes, {compressed.Length} compressed, {encrypted.Length} encrypted");

        byte[] changed = [.. encrypted[..^1], (byte)(encrypted[^1] ^ 1)];
        return Decompress<string[]>(Decrypt(key, encrypted))!.SequenceEqual(lines)
            && Throws<AuthenticationTagMismatchException>(() => Decrypt(key, changed))
            && Throws<WireFormatException>(() => Decompress<byte[]>(Bomb()));
    }

    #region compress
    private static byte[] Compress<T>(T value)
    {
        using var output = new MemoryStream();
        using (var brotli = new BrotliStream(output, CompressionLevel.Fastest))
        {
            Serializer.Serialize(value, brotli);
        }

        return output.ToArray();
    }

    private static T? Decompress<T>(byte[] stored)
    {
        using var brotli = new BrotliStream(new MemoryStream(stored), CompressionMode.Decompress);
        return Serializer.Deserialize<T>(brotli); // MaxBytes bounds what comes out of it
    }
    #endregion

    #region encrypt
    private static byte[] Encrypt(byte[] key, byte[] payload)
    {
        byte[] box = new byte[NonceSize + payload.Length + TagSize]; // 12 bytes, new for each message; the payload; 16 bytes
        RandomNumberGenerator.Fill(box.AsSpan(0, NonceSize));
        using var aes = new AesGcm(key, TagSize);
        aes.Encrypt(box.AsSpan(0, NonceSize), payload, box.AsSpan(NonceSize, payload.Length), box.AsSpan(^TagSize..));
        return box;
    }

    private static byte[] Decrypt(byte[] key, byte[] box)
    {
        if (box.Length < NonceSize + TagSize)
        {
            throw new CryptographicException($"{box.Length} bytes are no encrypted payload: it has at least {NonceSize + TagSize}.");
        }

        byte[] payload = new byte[box.Length - NonceSize - TagSize];
        using var aes = new AesGcm(key, TagSize);
        aes.Decrypt(box.AsSpan(0, NonceSize), box.AsSpan(NonceSize, payload.Length), box.AsSpan(^TagSize..), payload);
        return payload; // as it was written: a byte that was changed is an exception
    }
    #endregion

    // 100 MB of zeros in a hundred bytes or so.
    private static byte[] Bomb()
    {
        byte[] start = new Serializer().Serialize(new byte[100_000_000]);
        using var output = new MemoryStream();
        using (var brotli = new BrotliStream(output, CompressionLevel.Fastest))
        {
            brotli.Write(start);
        }

        return output.ToArray();
    }

    private static bool Throws<T>(Action action)
        where T : Exception
    {
        try
        {
            action();
            return false;
        }
        catch (T)
        {
            return true;
        }
    }
}
