using System.Collections;
using System.Runtime.CompilerServices;
using Wire.Values;

namespace Wire.ValueSerializers.Collections;

/// <summary>The rule by which a kind of collection finds a key, which determines the keys that collide.</summary>
internal enum KeyTable
{
    /// <summary>By comparing in a tree, or not at all.</summary>
    None,

    /// <summary>In chains by the remainder of the hash code modulo a prime, known from the capacity.</summary>
    Chains,

    /// <summary>In such chains, whose number may grow to two or four times as many.</summary>
    GrowingChains,

    /// <summary>In such chains, and again in those of a lookup.</summary>
    Lookup,

    /// <summary>In a tree of hash codes: only equal ones collide.</summary>
    Codes,

    /// <summary>In a table with double hashing.</summary>
    Probes,

    /// <summary>By comparing with all of them.</summary>
    List,
}

/// <summary>The known rules for hash codes of keys.</summary>
internal static class KeyHashes
{
    /// <summary>
    /// Returns whether an attacker cannot choose the hash codes: .NET hashes strings with a secret of the process, at the latest after many
    /// collisions, and reference hash codes do not depend on content.
    /// </summary>
    /// <param name="key">The declared type of the keys.</param>
    /// <param name="comparer">The comparer; null is the default one.</param>
    public static bool AreSecret(Type key, object? comparer) => comparer switch
    {
        null => key == typeof(string),
        ComparerPair pair => AreSecret(key, pair.Keys),
        ReferenceEqualityComparer or EqualityComparer<string> => comparer.GetType().Assembly == typeof(object).Assembly,
        StringComparer => key == typeof(string) && comparer.GetType().Assembly == typeof(object).Assembly,
        _ => false,
    };

    /// <summary>The hash code in a collection with a comparer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Compute<TKey>(TKey key, object? comparer) =>
        comparer is null ? (key is null ? 0 : key.GetHashCode()) : ComputeSlow(key, comparer);

    /// <summary>The hash code in a non-generic collection.</summary>
    public static int ComputeUntyped(object? key, object? comparer) =>
        key is null ? 0 : comparer is null ? key.GetHashCode() : ((IEqualityComparer)comparer).GetHashCode(key);

    private static int ComputeSlow<TKey>(TKey key, object comparer) =>
        comparer is ComparerPair pair ? Compute(key, pair.Keys) : key is null ? 0 : ((IEqualityComparer<TKey>)comparer).GetHashCode(key);
}

/// <summary>The sizes that .NET's hash tables have.</summary>
internal static class TableSizes
{
    /// <summary>The number of chains of a table with a capacity.</summary>
    public static int AtLeast(int count) => GetPrime(null, count);

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = nameof(GetPrime))]
    private static extern int GetPrime(
        [UnsafeAccessorType("System.Collections.HashHelpers, System.Private.CoreLib")] object? helpers, int min);
}
