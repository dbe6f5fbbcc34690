using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;

namespace Wire.Documents;

/// <content>Manifests and their identifiers (docs/format.md, clause 5).</content>
internal ref partial struct DocumentParser
{
    // The most of memory that each byte of a definition may take.
    private const int MemoryOfDefinition = 128;

    // The most of memory that a type takes which an earlier message has defined.
    private const int MemoryOfUse = 128;

    private Shape LayoutOf(PayloadType type, Shape position)
    {
        _named = type;
        // By identity: only the root, and what has no schema, is known to declare nothing. A schema leaves out some declared types.
        if (ReferenceEquals(position, Shape.TaggedOnly) && !type.IsNamed)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest, "A manifest has no type, because the declared one should say it, and none is declared here.");
        }

        return type.Layout ?? ThrowHelper.Format<Shape>(
            WireFormatError.SchemaMismatch,
            $"The payload has no schema of '{type}', because VersionTolerance was off where it was written: its values can neither be "
            + "shown nor passed over.");
    }

    private PayloadType Define(int start)
    {
        uint id = _isNumbered ? _in.ReadVarUInt32() : (uint)_scratch.Defined.Count;
        ManifestErrors.CheckNumber(limits, id);
        uint length = _in.ReadVarUInt32();
        if (length > ManifestContent.MaxLength)
        {
            ManifestErrors.TooLong(length);
        }

        ReadOnlySpan<byte> bytes = _in.ReadBytes(length);
        if (_isNumbered)
        {
            DefinitionCheck.Verify(id, bytes, _in.ReadBytes(DefinitionCheck.Size));
        }

        TakeMemory(MemoryOfDefinition * bytes.Length);
        PayloadType? before = _isNumbered ? _scratch.Types.GetValueOrDefault(id) ?? session?.FindCertain(id) : null;
        _manifestBytes += ManifestContent.DefinitionLengthOf((int)length);
        ManifestErrors.CheckBytes(limits, _manifestBytes + (_isNumbered ? session?.Bytes ?? 0 : 0));
        if (before is not null && !bytes.SequenceEqual(before.Definition.Bytes))
        {
            if (!_scratch.Types.ContainsKey(id))
            {
                session?.Break();
            }

            ThrowHelper.Format(
                WireFormatError.Manifest,
                $"Type {id} is defined as other than before. The message is damaged, or of another session.");
        }

        var type = new PayloadType(DefinitionCache.Read(bytes)) { Id = id, Offset = start, Length = _in.At - start };
        _scratch.Defined.Add(type);
        if (_isNumbered)
        {
            _scratch.Types[id] = type;
        }

        return type;
    }

    private PayloadType Find(uint id)
    {
        if (!_isNumbered)
        {
            return id < (uint)_scratch.Defined.Count ? _scratch.Defined[(int)id] : Unknown(id);
        }

        if (!_scratch.Types.TryGetValue(id, out PayloadType? type))
        {
            type = session?.Find(id) ?? Unknown(id);
            TakeMemory(MemoryOfUse);
            _scratch.Types.Add(id, type);
        }

        return type;
    }

    private readonly PayloadType Unknown(uint id)
    {
        ManifestErrors.Unknown(id, _isNumbered);
        return null;
    }
}
