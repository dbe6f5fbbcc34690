using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;

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

    private static readonly ConcurrentDictionary<byte[], TypeDefinition> Known = new(new ByBytes());
    private static int _bytes;

    /// <summary>Finds a definition; null where it is not there.</summary>
    public static TypeDefinition? Find(ReadOnlySpan<byte> bytes) =>
        Known.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(bytes, out TypeDefinition? found) ? found : null;

    /// <summary>Keeps a definition, unless it is large.</summary>
    public static TypeDefinition Add(TypeDefinition definition)
    {
        int size = definition.Bytes.Length;
        if (size <= MostOfOne && Known.TryAdd(definition.Bytes, definition) && Interlocked.Add(ref _bytes, size) > MostBytes)
        {
            Known.Clear();
            Interlocked.Exchange(ref _bytes, 0);
        }

        return definition;
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
