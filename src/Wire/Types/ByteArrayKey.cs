using System.Diagnostics.CodeAnalysis;

namespace Wire;

/// <summary>Bytes with a precomputed hash: the key under which a manifest is looked up without decoding it.</summary>
internal readonly struct ByteArrayKey(byte[] bytes) : IEquatable<ByteArrayKey>
{
    private readonly int _hash = Hash(bytes);

    public byte[] Bytes { get; } = bytes;

    public bool Equals(ByteArrayKey other) => _hash == other._hash && Bytes.AsSpan().SequenceEqual(other.Bytes);

    public override bool Equals([NotNullWhen(true)] object? obj) => obj is ByteArrayKey other && Equals(other);

    public override int GetHashCode() => _hash;

    // HashCode is seeded per process, so nobody outside can make keys collide.
    private static int Hash(ReadOnlySpan<byte> bytes)
    {
        var hash = new HashCode();
        hash.AddBytes(bytes);
        return hash.ToHashCode();
    }

    /// <summary>Compares keys with each other and with bytes that are not yet a key.</summary>
    public sealed class Comparer : IEqualityComparer<ByteArrayKey>, IAlternateEqualityComparer<ReadOnlySpan<byte>, ByteArrayKey>
    {
        public static readonly Comparer Instance = new();

        public bool Equals(ByteArrayKey x, ByteArrayKey y) => x.Equals(y);

        public int GetHashCode(ByteArrayKey key) => key.GetHashCode();

        public bool Equals(ReadOnlySpan<byte> alternate, ByteArrayKey other) => alternate.SequenceEqual(other.Bytes);

        public int GetHashCode(ReadOnlySpan<byte> alternate) => Hash(alternate);

        public ByteArrayKey Create(ReadOnlySpan<byte> alternate) => new(alternate.ToArray());
    }
}
