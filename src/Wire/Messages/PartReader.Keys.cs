using Wire.Format;
using Wire.Manifests;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Messages;

/// <content>Values of maps, found by the text of their keys.</content>
internal ref partial struct PartReader
{
    // Of quoted keys a string comes first, and of others last.
    private bool TryTakeValue(PathStep step)
    {
        Shape map = _shape;
        var begin = new Mark(In.Offset, _session);
        return TryTakeValue(map, step.Text, isText: step.IsQuoted, begin) || TryTakeValue(map, step.Text, isText: !step.IsQuoted, begin);
    }

    private bool TryTakeValue(Shape map, string text, bool isText, in Mark begin)
    {
        GoTo(begin);
        ComparerFormat.Skip(ref In);
        int count = In.ReadCount(Shape.AddSizes(map.Element!.MinSize, map.Value!.MinSize), 0, out _);
        Mark? found = null;
        for (int i = 0; i < count; i++)
        {
            int key = (int)In.Offset;
            int manifests = _session.ManifestCount;
            Skipper.Skip(ref In, map.Element, _above);
            if (KeyText(map.Element, key, manifests, out bool isString) == text && isString == isText)
            {
                if (found is not null)
                {
                    // Keys of two types, of which the path does not say one.
                    return false;
                }

                found = new Mark(In.Offset, _session);
                if (map.Element.Code != ShapeCode.Tagged)
                {
                    break;
                }
            }

            Skipper.Skip(ref In, map.Value, _above);
        }

        if (found is not { } value)
        {
            return false;
        }

        GoTo(value);
        _shape = map.Value;
        return true;
    }

    // The text of a key that has been skipped; null where it is no scalar.
    private readonly string? KeyText(Shape position, int begin, int manifests, out bool isString)
    {
        isString = false;
        var key = new WireReader(_session, _payload[begin..(int)In.Offset], null);
        Skipper.Levels? above = _above;
        Shape? shape = Resolve(position, ref above);
        while (shape is not null && shape.Code is ShapeCode.Nullable or ShapeCode.Tagged)
        {
            shape = shape.Code == ShapeCode.Tagged ? BehindTag(ref key, shape, manifests)
                : BooleanFormat.Load(ref key.ReadRef(1)) ? shape.Element
                : null;
        }

        if (shape is { Code: ShapeCode.Enum } && shape.NameOf(key.Window[..shape.FixedSize]) is { } name)
        {
            return name;
        }

        byte code = shape is null ? (byte)0 : shape.Code == ShapeCode.Enum ? shape.Element!.Code : shape.Code;
        isString = code == Tag.String;
        if (code == Tag.Uri)
        {
            key.ReadByte();
        }

        return code is Tag.String or Tag.Type or Tag.Uri ? StringFormat.Read(ref key)
            : TagTypes.IsTag(code) ? ScalarText.Describe(BuiltInTypes.ByTag(code).ReadObject(ref key))
            : null;
    }

    private readonly Shape? BehindTag(ref WireReader key, Shape position, int manifests)
    {
        byte tag = key.ReadByte();
        switch (tag)
        {
            case Tag.Declared:
                return position.Element;
            case Tag.Definition:
                // It is known by now.
                uint number = _session.IsNumbered ? key.ReadVarUInt32() : (uint)manifests;
                key.Skip(key.ReadVarUInt32() + (_session.IsNumbered ? DefinitionCheck.Size : 0));
                return _session.Manifests.Find((int)number)?.Schema;
            case Tag.Defined or >= Tag.FirstShortIdentifier:
                return _session.ReadManifest(ref key, tag).Schema;
            default:
                return TagTypes.IsTag(tag) ? Shape.BuiltIn(tag) : null;
        }
    }
}
