using Wire.Format;
using Wire.Manifests;
using Wire.Types;
using Wire.Values;

namespace Wire.Skipping;

/// <content>Values of maps, found by the text of their keys.</content>
internal ref partial struct PartReader
{
    // Keys and values take turns.
    private bool TryTakePart(uint part)
    {
        Shape map = _shape;
        Skipper.SkipComparer(ref In);
        uint count = (uint)In.ReadCount(map.ElementMinSize, 0, out _);
        if (part / 2 >= count)
        {
            return false;
        }

        for (uint i = 0; i < part; i++)
        {
            Skipper.Skip(ref In, i % 2 == 0 ? map.Element! : map.Value!);
        }

        _shape = part % 2 == 0 ? map.Element! : map.Value!;
        return true;
    }

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
        Skipper.SkipComparer(ref In);
        int count = In.ReadCount(map.ElementMinSize, 0, out _);
        Mark? found = null;
        for (int i = 0; i < count; i++)
        {
            int key = (int)In.Offset;
            int manifests = _session.ManifestCount;
            Skipper.Skip(ref In, map.Element!);
            if (KeyText(map.Element!, key, manifests, out bool isString) == text && isString == isText)
            {
                if (found is not null)
                {
                    // Keys of two types, of which the path does not say one.
                    return false;
                }

                found = new Mark(In.Offset, _session);
                if (map.Element!.Code != ShapeCode.Tagged)
                {
                    break;
                }
            }

            Skipper.Skip(ref In, map.Value!);
        }

        if (found is not { } value)
        {
            return false;
        }

        GoTo(value);
        _shape = map.Value!;
        return true;
    }

    // The text of a key that has been skipped; null where it is no scalar.
    private readonly string? KeyText(Shape position, int begin, int manifests, out bool isString)
    {
        isString = false;
        var key = new WireReader(_session, _payload[begin..(int)In.Offset], null);
        var walker = new LayoutWalker(WalkStops.All, null);
        walker.GoTo(position, 0);
        while (true)
        {
            switch (walker.Next(ref key))
            {
                case WalkStep.Level:
                    walker.GoTo(walker.Inside!, key.Offset);
                    break;
                case WalkStep.Object when (walker.Inside ?? KnownSchema(ref key, walker, manifests)) is { } inside:
                    walker.GoTo(inside, key.Offset);
                    break;
                case WalkStep.Fixed or WalkStep.Scalar:
                    return ScalarOf(ref key, walker.Shape, out isString);
                default:
                    return null;
            }
        }
    }

    private static string? ScalarOf(ref WireReader key, Shape shape, out bool isString)
    {
        isString = shape.Code == Tag.String;
        if (shape.Code == ShapeCode.Enum && shape.NameOf(key.Window[..shape.FixedSize]) is { } name)
        {
            return name;
        }

        byte code = shape.Code == ShapeCode.Enum ? shape.Element!.Code : shape.Code;
        if (code == Tag.Uri)
        {
            key.ReadByte();
        }

        return code is Tag.String or Tag.Type or Tag.Uri ? StringFormat.Read(ref key)
            : TagTypes.IsTag(code) ? TagTypes.TextOf(code, BuiltInTypes.ByTag(code).ReadObject(ref key))
            : null;
    }

    // The schema of a manifest, which is known by now.
    private readonly Shape? KnownSchema(ref WireReader key, in LayoutWalker walker, int manifests)
    {
        if (walker.Tag == Tag.Object)
        {
            return null;
        }

        if (walker.Tag != Tag.Definition)
        {
            return _session.ReadManifest(ref key, walker.Tag).Schema;
        }

        uint number = _session.IsNumbered ? key.ReadVarUInt32() : (uint)manifests;
        key.Skip(key.ReadVarUInt32() + (_session.IsNumbered ? DefinitionCheck.Size : 0));
        return _session.Manifests.Find((int)number)?.Schema;
    }
}
