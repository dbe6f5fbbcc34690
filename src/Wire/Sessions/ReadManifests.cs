using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;

namespace Wire;

/// <summary>The manifests that a reader has been told, by their identifiers.</summary>
internal struct ReadManifests()
{
    // A thread lives long: what it meets again and again is little.
    private const int MaxRemembered = 64;

    private Manifest[] _manifests = new Manifest[4];
    private Manifest? _last;

    // By identifier: how messages begin whose root is of a type that an earlier one has defined.
    private RootReader?[] _roots = [];

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Forgets all but the first ones.</summary>
    public void Truncate(int count)
    {
        Count = count;
        if (count < _roots.Length)
        {
            Array.Clear(_roots, count, _roots.Length - count);
        }
    }

    /// <summary>Forgets all, between messages that stand alone.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Clear()
    {
        Count = 0;
        if (_manifests.Length > MaxRemembered)
        {
            _manifests = new Manifest[4];
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
        return _manifests[identifier];
    }

    /// <summary>What reads a root whose manifest an earlier message has defined; the last one is remembered. Null where <see cref="Wire.RootReader.TryCreate"/> says so.</summary>
    public RootReader? RootReader<T>(int identifier, byte header, ValueSerializer serializer, SerializerOptions options)
    {
        if (identifier >= _roots.Length)
        {
            Array.Resize(ref _roots, Math.Max(4, (identifier + 1) * 2));
        }

        ref RootReader? known = ref _roots[identifier];
        return known is RootReader<T> && known.IsFor(header, serializer)
            ? known
            : known = Wire.RootReader.TryCreate<T>(options, header, Tag.OfIdentifier(identifier), serializer, null);
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

        // One comparison with the last one seen, and only then a look-up by key.
        Manifest? manifest = _last;
        if (manifest is null || !bytes.SequenceEqual(manifest.Bytes))
        {
            _last = manifest = session.Serializer.Registry.Manifests.Get(bytes);
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
        if (!ReferenceEquals(_manifests[index], manifest))
        {
            _manifests[index] = manifest;
        }

        Count = index + 1;
    }
}
