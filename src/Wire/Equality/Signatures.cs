using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;

namespace Wire.Equality;

/// <summary>
/// Hash codes of what objects of one graph hold, to a depth: the same for all that a comparison would call equal, whatever the order of
/// hash tables in them. Objects whose counterpart is known count as that pair.
/// </summary>
/// <remarks>
/// To refine colors by those of the neighbors is the method of Weisfeiler and Leman for isomorphic graphs (Nauchno-Technicheskaya
/// Informatsiya 2:9, 1968).
/// </remarks>
/// <param name="serializer">The serializer of the comparison.</param>
/// <param name="numbers">The numbers of the pairs of objects that belong together.</param>
/// <param name="nodes">The nodes of the linked lists in both graphs.</param>
/// <param name="depth">The number of levels that count.</param>
internal sealed class Signatures(Serializer serializer, IReadOnlyDictionary<object, int> numbers, NodeIndices nodes, int depth)
{
    private readonly Dictionary<(object Value, int Depth), ulong> _known = new(new ByReference());

    /// <summary>Gets a value indicating whether there were unknown members among them.</summary>
    public bool HasUnknown { get; private set; }

    /// <summary>Returns the hash code of an element.</summary>
    public ulong Compute(GraphParts.Part part) => Compute(part.Value, part.Slot, depth);

    /// <summary>Returns the hash code of an element's key, which is the element itself unless it is a pair.</summary>
    public ulong ComputeKey(GraphParts.Part part) =>
        part.Slot is IPairSerializer pair ? Compute(pair.KeyOf(part.Value!), pair.Key, depth) : Compute(part);

    private ulong Compute(object? value, ValueSerializer? slot, int left)
    {
        if (value is null || left == 0)
        {
            return value is null ? 1UL : 2UL;
        }

        if (value is string text)
        {
            return Mix(3, text.AsSpan());
        }

        if (value is UnknownTypeManifest manifest)
        {
            HasUnknown = true;
            return Mix(7, manifest.Definition);
        }

        TypeEntry? entry = slot is null or IObjectSlot ? serializer.Registry.EntryFor(value) : null;
        if (!(entry?.IsTracked ?? value is UnknownObject { HasIdentity: true }))
        {
            return Look(value, entry, slot, left);
        }

        if (numbers.TryGetValue(value, out int number))
        {
            return Mix(4, (ulong)number);
        }

        if (!_known.TryGetValue((value, left), out ulong signature))
        {
            _known[(value, left)] = signature = Look(value, entry, slot, left);
        }

        return signature;
    }

    private ulong Look(object value, TypeEntry? entry, ValueSerializer? slot, int left)
    {
        var parts = new GraphParts(nodes);
        ulong hash = Mix(5, entry is null ? 0 : (ulong)entry.Identity);
        if (entry is { IsStandIn: true } || !(entry?.Serializer ?? slot!).TryAddParts(parts, value))
        {
            return Mix<byte>(hash, serializer.SerializePart(value));
        }

        if (parts.Value is { } bytes)
        {
            return Mix(Mix(hash, (ulong)bytes), (ulong)(bytes >> 64));
        }

        hash = Mix(hash, parts.Form.AsSpan());
        hash = Mix(hash, (ulong)parts.Items.Count);
        if (parts.Block is { } block)
        {
            hash = Mix(hash, block.Bytes);
        }

        ulong sum = 0;
        foreach (GraphParts.Part part in parts.Items)
        {
            ulong item = Compute(part.Value, part.Slot, left - 1);
            if (parts.HashOf is null)
            {
                hash = Mix(hash, item);
            }
            else
            {
                sum += Mix(6, item);
            }
        }

        return Mix(hash, sum);
    }

    private static ulong Mix<T>(ulong hash, ReadOnlySpan<T> values)
        where T : unmanaged
    {
        foreach (byte value in MemoryMarshal.AsBytes(values))
        {
            hash = Mix(hash, value);
        }

        return Mix(hash, (ulong)values.Length);
    }

    // A step of a multiplicative hash: the upper bits depend on all before, and are brought down.
    private static ulong Mix(ulong hash, ulong value)
    {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15UL;
        return hash ^ (hash >> 29);
    }

    private sealed class ByReference : IEqualityComparer<(object Value, int Depth)>
    {
        public bool Equals((object Value, int Depth) x, (object Value, int Depth) y) =>
            x.Depth == y.Depth && ReferenceEquals(x.Value, y.Value);

        public int GetHashCode((object Value, int Depth) key) => HashCode.Combine(RuntimeHelpers.GetHashCode(key.Value), key.Depth);
    }
}
