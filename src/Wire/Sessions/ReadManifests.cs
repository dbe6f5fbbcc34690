using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Plans;

namespace Wire.Sessions;

/// <summary>
/// The manifests that a reader knows, by identifier. In a standalone payload identifiers are consecutive; in a session's messages each
/// definition carries its own, so that a missed, repeated or late message never makes one type pass for another.
/// </summary>
internal struct ReadManifests()
{
    // A thread lives long, but its repeated types are few.
    private const int MaxRemembered = 64;

    private const int First = 4;

    private Manifest?[] _manifests = new Manifest?[First];

    // The readers of manifests whose identifier takes one byte.
    private ManifestReaders _readers = new(First);

    // In a session: the changes of the current message, and the manifests known only from messages that could not be read.
    private List<Change>? _changes;
    private HashSet<int>? _doubtful;
    private int _blocks;
    private int _beforeFrames;

    // The number of bytes of the known definitions.
    private int _bytes;

    /// <summary>Gets the identifier after the highest known one.</summary>
    public int Count { get; private set; }

    /// <summary>Gets whether two messages have defined different manifests by one identifier.</summary>
    public bool IsContradictory { get; private set; }

    /// <summary>
    /// Forgets all, between standalone messages. Their entries are used again when the next message defines the same types in the same
    /// order.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Clear()
    {
        Count = 0;
        _bytes = 0;
        _blocks = 0;
        if (_manifests.Length > MaxRemembered)
        {
            _manifests = new Manifest?[First];
            _readers = new(First);
        }
    }

    /// <summary>Gets whether a block is being read.</summary>
    public readonly bool IsInBlock => _blocks > 0;

    /// <summary>
    /// Returns a standalone payload to an earlier number of manifests: reading again from there defines the same ones.
    /// </summary>
    /// <returns>The number known before.</returns>
    public int GoTo(int count, bool isNumbered)
    {
        int before = Count;
        if (!isNumbered)
        {
            Move(count);
        }

        return before;
    }

    /// <summary>Records the state at the beginning of a block, whose own manifests are forgotten at its end.</summary>
    public int BeginBlock(bool isNumbered)
    {
        int before = isNumbered ? _changes?.Count ?? 0 : Count;
        if (_blocks++ == 0)
        {
            _beforeFrames = before;
        }

        return before;
    }

    /// <summary>Forgets the definitions of a block.</summary>
    public void EndBlock(int before, bool isNumbered)
    {
        _blocks--;
        if (isNumbered)
        {
            TakeBack(before);
            return;
        }

        Move(before);
    }

    /// <summary>Keeps the definitions of the last message of a session: it was read, and was of the requested type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void Keep()
    {
        if (_changes is { Count: > 0 })
        {
            KeepChanges();
        }
    }

    /// <summary>
    /// Ends a message of a session that could only be skipped: its definitions hold until a readable message says otherwise. Bytes that can
    /// be skipped may still be damaged, and no correct writer defines one identifier twice.
    /// </summary>
    public void KeepInDoubt()
    {
        if (_blocks > 0)
        {
            // It ended inside a block, whose identifiers the writer assigns again.
            TakeBack(_beforeFrames);
            _blocks = 0;
        }

        if (_changes is { Count: > 0 } changes)
        {
            foreach (Change change in changes)
            {
                (_doubtful ??= []).Add(change.Number);
            }

            changes.Clear();
        }
    }

    /// <summary>Forgets the definitions of a session's message that could not be read.</summary>
    public void TakeBack()
    {
        _blocks = 0;
        TakeBack(0);
    }

    /// <summary>Reads the manifest that a tag announces: a new one, or the identifier of an earlier one.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="tag">The tag.</param>
    /// <param name="isNumbered">True if definitions carry their identifiers.</param>
    /// <param name="identifier">The manifest's identifier.</param>
    public Manifest Read(ref WireReader reader, byte tag, bool isNumbered, out int identifier)
    {
        if (tag == Tag.Definition)
        {
            uint number = isNumbered ? reader.ReadVarUInt32() : (uint)Count;
            ManifestErrors.CheckNumber(reader.Session.Limits, number);
            identifier = (int)number;
            return Define(ref reader, identifier, isNumbered);
        }

        uint id = tag == Tag.Defined ? reader.ReadVarUInt32() : tag - (uint)Tag.FirstShortIdentifier;
        if (id >= (uint)Count || _manifests[(int)id] is not { } manifest)
        {
            identifier = 0;
            return ManifestErrors.Unknown(id, isNumbered);
        }

        identifier = (int)id;
        return manifest;
    }

    /// <summary>Finds the plan for a root after an identifier of one byte, if it is known; null otherwise.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ReadPlan? FindPlan(ReadOnlySpan<byte> payload) => _readers.FindPlan(payload, Count);

    /// <summary>Caches the plan for roots after an identifier of one byte, valid while the identifier means this manifest.</summary>
    public readonly void AddPlan(int identifier, Manifest manifest, ReadPlan? plan)
    {
        if (ReferenceEquals(_manifests[identifier], manifest))
        {
            _readers.AddPlan(identifier, plan);
        }
    }

    /// <summary>
    /// Finds the reader of the values after a tag, if all of them fit such a variable; null when that is not known.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ValueSerializer? FindFitting(byte tag, Type variable, Type root) => _readers.FindFitting(tag, Count, variable, root);

    /// <summary>
    /// Caches the reader of the values after a tag for variables of one type, the first one seen with this root type.
    /// </summary>
    public readonly void AddFitting<T>(byte tag, Manifest manifest, ValueSerializer serializer, Type root)
    {
        if (ReferenceEquals(_manifests[tag - Tag.FirstShortIdentifier], manifest) && manifest.Keeps(serializer))
        {
            _readers.AddFitting<T>(tag, serializer, root);
        }
    }

    /// <summary>Returns whether a byte stands for a manifest.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool Is(byte tag, Manifest manifest)
    {
        Manifest?[] manifests = _manifests;
        int identifier = tag - Tag.FirstShortIdentifier;
        return identifier < Count && (uint)identifier < (uint)manifests.Length && ReferenceEquals(manifests[identifier], manifest);
    }

    /// <summary>Finds the manifest that a byte stands for; null when there is none.</summary>
    public readonly Manifest? Find(byte tag) => Find(tag - Tag.FirstShortIdentifier);

    /// <summary>Finds the manifest with an identifier; null when there is none.</summary>
    public readonly Manifest? Find(int identifier) => (uint)identifier < (uint)Count ? _manifests[identifier] : null;

    /// <summary>Finds the byte that stands for a manifest among the first ones.</summary>
    public readonly bool TryFind(Manifest manifest, int most, out byte tag)
    {
        int identifier = Array.IndexOf(_manifests, manifest, 0, Math.Min(Count, most));
        tag = (byte)(Tag.FirstShortIdentifier + identifier);
        return identifier >= 0;
    }

    /// <summary>Returns whether a standalone payload may define one more manifest.</summary>
    public readonly bool HasRoom(Manifest manifest, Limits limits) =>
        Count < limits.MaxManifests && _bytes + manifest.DefinitionLength <= limits.MaxManifestBytes;

    /// <summary>Adds a recognized manifest to those of a standalone payload.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(Manifest manifest)
    {
        int index = Count;
        if (index >= _manifests.Length)
        {
            Grow(index);
        }

        // Often the manifest of the previous message is still there.
        if (!ReferenceEquals(_manifests[index], manifest))
        {
            Set(index, manifest);
        }

        _bytes += manifest.DefinitionLength;
        Count = index + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void KeepChanges()
    {
        foreach (Change change in _changes!)
        {
            _doubtful?.Remove(change.Number);
        }

        _changes.Clear();
    }

    private Manifest Define(ref WireReader reader, int number, bool isNumbered)
    {
        uint length = reader.ReadVarUInt32();
        if (length > ManifestContent.MaxLength)
        {
            ManifestErrors.TooLong(length);
        }

        DeserializerSession session = reader.Session;
        int whole = (int)length + (isNumbered ? DefinitionCheck.Size : 0);
        ReadOnlySpan<byte> bytes = MemoryMarshal.CreateReadOnlySpan(ref reader.ReadRef(whole), whole);
        if (isNumbered)
        {
            DefinitionCheck.Verify((uint)number, bytes[..(int)length], bytes[(int)length..]);
            bytes = bytes[..(int)length];
        }

        // Most messages define the same types as the previous one, in the same order. Only others are looked up by key.
        Manifest? before = number < _manifests.Length ? _manifests[number] : null;
        bool isSame = before is not null && bytes.SequenceEqual(before.Bytes);
        if (!isNumbered || !isSame)
        {
            int instead = isNumbered ? before?.DefinitionLength ?? 0 : 0;
            ManifestErrors.CheckBytes(session.Limits, (long)_bytes + ManifestContent.DefinitionLengthOf((int)length) - instead);
        }

        Manifest manifest = isSame ? before! : session.Serializer.Registry.Manifests.Get(bytes);
        if (isNumbered)
        {
            Report(number, before, manifest);
        }
        else
        {
            Add(manifest);
        }

        return manifest;
    }

    private void Report(int number, Manifest? before, Manifest manifest)
    {
        bool isKnown = ReferenceEquals(before, manifest);
        bool isDoubtful = _doubtful?.Contains(number) == true;

        // A block's definitions are local to it, and the writer reuses its identifiers afterwards.
        if (before is not null && !isKnown && _blocks == 0)
        {
            CheckContradiction(number, before, manifest, isDoubtful);
        }

        if (isKnown && !isDoubtful)
        {
            return;
        }

        (_changes ??= []).Add(new Change(number, before));
        if (isKnown)
        {
            return;
        }

        if (number >= _manifests.Length)
        {
            Grow(number);
        }

        Replace(number, manifest);
        Count = Math.Max(Count, number + 1);
    }

    private void CheckContradiction(int number, Manifest before, Manifest manifest, bool isDoubtful)
    {
        if (_changes?.Exists(change => change.Number == number) == true)
        {
            ManifestErrors.DefinedTwice(number, before, manifest);
        }

        if (!isDoubtful)
        {
            IsContradictory = true;
            ManifestErrors.DefinedOtherwise(number, before, manifest);
        }
    }

    // In a standalone payload: forgets the manifests from a number on, or returns to them.
    private void Move(int count)
    {
        for (int i = Math.Min(count, Count); i < Math.Max(count, Count); i++)
        {
            _bytes += (count > Count ? 1 : -1) * _manifests[i]!.DefinitionLength;
        }

        Count = count;
    }

    private void TakeBack(int changes)
    {
        for (int i = (_changes?.Count ?? 0) - 1; i >= changes; i--)
        {
            (int number, Manifest? before) = _changes![i];
            if (!ReferenceEquals(_manifests[number], before))
            {
                Replace(number, before);
            }

            _changes.RemoveAt(i);
        }

        while (Count > 0 && _manifests[Count - 1] is null)
        {
            Count--;
        }
    }

    // In a session.
    private void Replace(int number, Manifest? manifest)
    {
        _bytes += (manifest?.DefinitionLength ?? 0) - (_manifests[number]?.DefinitionLength ?? 0);
        Set(number, manifest);
    }

    private readonly void Set(int number, Manifest? manifest)
    {
        _manifests[number] = manifest;
        _readers.Forget(number);
    }

    // Out of line: rarely called.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int number)
    {
        Array.Resize(ref _manifests, Math.Max(number + 1, _manifests.Length * 2));
        _readers.Resize(_manifests.Length);
    }

    /// <summary>A manifest that a message has defined, and the previous one with its identifier.</summary>
    private readonly record struct Change(int Number, Manifest? Before);
}
