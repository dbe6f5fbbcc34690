using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Plans;
using Wire.Values;

namespace Wire.Sessions;

/// <summary>The readers for the manifests that a single byte identifies, by identifier, as far as they are known.</summary>
/// <param name="count">The number of identifiers.</param>
internal struct ManifestReaders(int count)
{
    private Known[] _known = new Known[count];

    /// <summary>Finds the plan for a root after an identifier of one byte; null when it is not known.</summary>
    /// <param name="payload">The message.</param>
    /// <param name="count">The number of identifiers that are in use.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ReadPlan? FindPlan(ReadOnlySpan<byte> payload, int count)
    {
        Known[] known = _known;
        int identifier;
        return payload.Length > 1 && (identifier = payload[1] - Tag.FirstShortIdentifier) >= 0
            && identifier < count && identifier < known.Length
            && known[identifier].Plan is { } plan && plan.Header == payload[0] ? plan : null;
    }

    /// <summary>Caches the plan for roots after an identifier.</summary>
    public readonly void AddPlan(int identifier, ReadPlan? plan) => _known[identifier].Plan = plan;

    /// <summary>Finds the reader of the values after a tag, if all of them fit such a variable; null when that is not known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ValueSerializer? FindFitting(byte tag, int count, Type variable, Type root)
    {
        Known[] all = _known;
        uint identifier = tag - (uint)Tag.FirstShortIdentifier;
        if (identifier >= (uint)count || identifier >= (uint)all.Length)
        {
            return null;
        }

        ref Known known = ref all[identifier];
        return ReferenceEquals(known.Variable, variable) && ReferenceEquals(known.Root, root) ? known.Serializer : null;
    }

    /// <summary>Caches the reader of the values after a tag for variables of one type, the first one seen with this root type.</summary>
    public readonly void AddFitting<T>(byte tag, ValueSerializer serializer, Type root)
    {
        ref Known known = ref _known[tag - Tag.FirstShortIdentifier];
        if ((known.Serializer is null || !ReferenceEquals(known.Root, root))
            && !typeof(T).IsCollectible && ObjectFormat.AlwaysFits<T>(serializer))
        {
            known.Serializer = serializer;
            known.Variable = typeof(T);
            known.Root = root;
        }
    }

    /// <summary>Forgets what is known of an identifier, which means another manifest from now on.</summary>
    public readonly void Forget(int identifier)
    {
        if (identifier < _known.Length)
        {
            _known[identifier] = default;
        }
    }

    /// <summary>Makes room for identifiers, as far as a single byte can tell them.</summary>
    public void Resize(int count) => Array.Resize(ref _known, Math.Min(count, Tag.ShortIdentifiers));

    private struct Known
    {
        // The reader of its values, all of which fit variables of a type, in payloads of a root type.
        public ValueSerializer? Serializer;
        public Type? Variable;
        public Type? Root;

        // The reader of it as a root after an identifier of one byte, for the type requested last.
        public ReadPlan? Plan;
    }
}
