using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;

namespace Wire.Documents;

/// <content>Manifests and their identifiers (docs/format.md, clause 5).</content>
internal ref partial struct DocumentParser
{
    private static Layout Laid(PayloadType type) => type.Layout ?? ThrowHelper.Format<Layout>(
        WireFormatError.SchemaMismatch,
        $"The payload has no schema of '{type}', because VersionTolerance was off where it was written: its values can neither be shown nor "
        + "passed over.");

    private PayloadType Define(int start)
    {
        uint id = _isNumbered ? _in.ReadVarUInt32() : (uint)_defined.Count;
        ManifestErrors.CheckNumber(limits, id);
        uint length = _in.ReadVarUInt32();
        if (length > Manifest.MaxLength)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest, $"A manifest of {length} bytes is longer than the {Manifest.MaxLength} that the format allows.");
        }

        ReadOnlySpan<byte> bytes = _in.ReadBytes(length);
        PayloadType? before = _types.GetValueOrDefault(id) ?? session?.Find(id);
        _manifestBytes += Manifest.DefinitionLengthOf((int)length);
        ManifestErrors.CheckBytes(limits, _manifestBytes);
        if (before is not null && !bytes.SequenceEqual(before.Bytes))
        {
            ThrowHelper.Format(
                WireFormatError.Manifest,
                $"Type {id} is defined as other than before. The message is damaged, or of another session.");
        }

        PayloadType type = Read(bytes, start, _in.At - start);
        _defined.Add(type);
        return _types[id] = type;
    }

    private readonly PayloadType Find(uint id)
    {
        if (!_types.TryGetValue(id, out PayloadType? type))
        {
            if ((type = session?.Find(id)) is null)
            {
                ManifestErrors.Unknown(id, _isNumbered);
            }

            _types.Add(id, type!);
        }

        return type!;
    }

    private static PayloadType Read(ReadOnlySpan<byte> bytes, int offset, int length)
    {
        var parser = new ShapeParser(bytes);
        uint header = parser.ReadVarUInt32();
        bool isKnown = (header & 1) != 0;
        string? name = isKnown || header == 0 ? null : parser.ReadText(header >> 1);
        byte flags = parser.ReadByte();
        if ((flags & ~(Manifest.SchemaFlag | Manifest.SurrogateFlag)) != 0)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"0x{flags:X2} are not valid flags of a manifest.");
        }

        Layout? layout = null;
        if ((flags & Manifest.SchemaFlag) != 0)
        {
            layout = Layout.From(parser.ReadShape());
        }
        else
        {
            parser.ReadBytes(sizeof(uint));
        }

        if (!parser.AtEnd)
        {
            ThrowHelper.Format(WireFormatError.Manifest, "Bytes follow the end of a manifest.");
        }

        return new PayloadType(name, isKnown ? (int)(header >> 1) : null, (flags & Manifest.SurrogateFlag) != 0, layout, bytes.ToArray())
        {
            Offset = offset,
            Length = length,
        };
    }
}
