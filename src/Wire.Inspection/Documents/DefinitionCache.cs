using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using Wire.Format;

namespace Wire.Documents;

/// <summary>
/// The definitions of types that documents have read last, of all of the program: messages mostly have the same ones. Payloads choose what
/// goes in, so that it is bounded, and emptied when it is full. Thread-safe.
/// </summary>
internal static class DefinitionCache
{
    // What is made of a definition takes up to some hundred bytes of memory for each of its own.
    private const int MostBytes = 1 << 18;
    private const int MostOfOne = 1 << 14;

    private static readonly ConcurrentDictionary<byte[], ManifestContent> Known = new(new ByBytes());
    private static int _bytes;

    /// <summary>Reads a manifest, or finds the one with the same bytes that was read before. A large one is not kept.</summary>
    /// <exception cref="WireFormatException">The bytes are no manifest.</exception>
    public static ManifestContent Read(ReadOnlySpan<byte> bytes)
    {
        if (Known.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(bytes, out ManifestContent? found))
        {
            return found;
        }

        var read = new ManifestContent(bytes.ToArray());
        if (bytes.Length <= MostOfOne && Known.TryAdd(read.Bytes, read) && Interlocked.Add(ref _bytes, bytes.Length) > MostBytes)
        {
            Known.Clear();
            Interlocked.Exchange(ref _bytes, 0);
        }

        return read;
    }

    // HashCode is seeded per process, so that nobody can make definitions collide.
    private sealed class ByBytes : IEqualityComparer<byte[]>, IAlternateEqualityComparer<ReadOnlySpan<byte>, byte[]>
    {
        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode([DisallowNull] byte[] obj) => GetHashCode(obj.AsSpan());

        public byte[] Create(ReadOnlySpan<byte> alternate) => alternate.ToArray();

        public bool Equals(ReadOnlySpan<byte> alternate, byte[] other) => alternate.SequenceEqual(other);

        public int GetHashCode(ReadOnlySpan<byte> alternate)
        {
            var hash = new HashCode();
            hash.AddBytes(alternate);
            return hash.ToHashCode();
        }
    }
}
