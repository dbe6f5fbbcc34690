using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;

namespace Wire;

/// <summary>The manifests that a reader has been told, by their identifiers.</summary>
internal struct ReadManifests()
{
    // A thread lives long: what it meets again and again is little.
    private const int MaxRemembered = 64;

    private Known[] _manifests = new Known[4];

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Forgets all but the first ones. What is known about the others comes to use when the same are defined in the same places.</summary>
    public void Truncate(int count) => Count = count;

    /// <summary>Forgets all, between messages that stand alone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Clear()
    {
        Count = 0;
        if (_manifests.Length > MaxRemembered)
        {
            _manifests = new Known[4];
        }
    }

    /// <summary>Reads the manifest that a tag announces: a new one, or the identifier of an earlier one.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="identifier">The manifest's identifier.</param>
    public Manifest Read(ref WireReader reader, byte tag, out int identifier)
    {
        if (tag == Tag.Definition)
        {
            identifier = Count;
            return Define(ref reader);
        }

        uint id = tag == Tag.Defined ? reader.ReadVarUInt32() : tag - (uint)Tag.FirstShortIdentifier;
        if (id >= (uint)Count)
        {
            Throw.Format(
                WireFormatError.UnknownManifest,
                $"The payload refers to manifest {id}, and {Count} are known. A message of a long-lived session has to be read with the DeserializerSession that read the messages before it.");
        }

        identifier = (int)id;
        return _manifests[identifier].Manifest;
    }

    /// <summary>What reads a root behind an identifier of one byte, if one was like it; null when not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly RootReader<T>? FindRoot<T>(ReadOnlySpan<byte> payload)
    {
        Known[] manifests = _manifests;
        int identifier;
        return payload.Length > 1 && (identifier = payload[1] - Tag.FirstShortIdentifier) >= 0 && identifier < Count && identifier < manifests.Length
            && manifests[identifier].RootReader is RootReader<T> root && root.Header == payload[0] ? root : null;
    }

    /// <summary>Remembers what reads roots behind an identifier.</summary>
    public readonly void AddRoot(int identifier, RootReader? root) => _manifests[identifier].RootReader = root;

    /// <summary>What reads the values behind a tag, if every one of them can stand in such a variable; null when that is not known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ValueSerializer? FindFitting(byte tag, Type variable, Type root)
    {
        Known[] manifests = _manifests;
        uint identifier = tag - (uint)Tag.FirstShortIdentifier;
        if (identifier >= (uint)Count || identifier >= (uint)manifests.Length)
        {
            return null;
        }

        ref Known known = ref manifests[identifier];
        return ReferenceEquals(known.Variable, variable) && ReferenceEquals(known.Root, root) ? known.Serializer : null;
    }

    /// <summary>Remembers what reads the values behind a tag into variables of one type, the first that asks in payloads of such a root.</summary>
    public readonly void AddFitting<T>(byte tag, Manifest manifest, ValueSerializer serializer, Type root)
    {
        ref Known known = ref _manifests[tag - Tag.FirstShortIdentifier];
        if ((known.Serializer is null || !ReferenceEquals(known.Root, root)) && manifest.Keeps(serializer) && !typeof(T).IsCollectible && ObjectFormat.AlwaysFits<T>(serializer))
        {
            known.Serializer = serializer;
            known.Variable = typeof(T);
            known.Root = root;
        }
    }

    private Manifest Define(ref WireReader reader)
    {
        uint length = reader.ReadVarUInt32();
        if (length > Manifest.MaxLength)
        {
            Throw.Format(WireFormatError.Manifest, $"A manifest of {length} bytes is longer than the {Manifest.MaxLength} that the format allows.");
        }

        DeserializerSession session = reader.Session;
        if (Count >= session.Limits.MaxManifests)
        {
            Throw.Limit(nameof(Limits.MaxManifests), session.Limits.MaxManifests, "The number of types that the session defines");
        }

        ReadOnlySpan<byte> bytes = MemoryMarshal.CreateReadOnlySpan(ref reader.Take((int)length), (int)length);

        // Most messages define the types of the message before, in the same order. Only others are looked up by key.
        int index = Count;
        Manifest? manifest = index < _manifests.Length ? _manifests[index].Manifest : null;
        if (manifest is null || !bytes.SequenceEqual(manifest.Bytes))
        {
            manifest = session.Serializer.Registry.Manifests.Get(bytes);
        }

        Add(manifest);
        return manifest;
    }

    /// <summary>Adds a manifest whose bytes have been recognized.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(Manifest manifest)
    {
        int index = Count;
        if (index == _manifests.Length)
        {
            Array.Resize(ref _manifests, index * 2);
        }

        // Often the manifest of the message before is still there.
        ref Known known = ref _manifests[index];
        if (!ReferenceEquals(known.Manifest, manifest))
        {
            known = new Known { Manifest = manifest };
        }

        Count = index + 1;
    }

    private struct Known
    {
        public Manifest Manifest;

        // What reads its values, all of which can stand in variables of a type, in payloads of a root that the caller asks for.
        public ValueSerializer? Serializer;
        public Type? Variable;
        public Type? Root;

        // What reads it as a root of a message behind an identifier of one byte, for who asked last.
        public RootReader? RootReader;
    }
}
