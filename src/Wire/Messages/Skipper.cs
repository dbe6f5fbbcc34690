using Wire.Errors;
using Wire.Format;
using Wire.Kept;
using Wire.Manifests;
using Wire.Plans;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Messages;

/// <summary>Skips values by their shape alone: their types need not exist in this program, and are not looked up.</summary>
internal static class Skipper
{
    // Small values lie in one window.
    private const int SmallSize = 64;

    /// <summary>Skips a whole message.</summary>
    /// <param name="reader">The reader, at its header.</param>
    /// <param name="typed">The shape of a typed root; null when unknown.</param>
    public static void SkipRoot(ref WireReader reader, TypedPlan? typed)
    {
        if (!MessageHeader.Read(ref reader))
        {
            Skip(ref reader, Shape.TaggedOnly);
        }
        else if (typed is not null)
        {
            typed.Skip(ref reader);
        }
        else
        {
            ThrowHelper.Format(WireFormatError.SchemaMismatch, "A typed root can only be passed over where its type is known.");
        }
    }

    /// <summary>Skips a member that the reader's type does not have.</summary>
    public static void SkipMember(ref WireReader reader, Shape shape, Levels? above)
    {
        // It has no name here: an error in it belongs to the object.
        reader.Member = GraphPath.Root;
        Skip(ref reader, shape, above);
    }

    /// <summary>Skips one value.</summary>
    public static void Skip(ref WireReader reader, Shape shape, Levels? above = null)
    {
        if (!TrySkipLeaf(ref reader, shape))
        {
            int member = reader.Member;
            SkipHere(ref reader, shape, above);
            reader.Member = member;
        }
    }

    // Objects are a level, as they are when they are read, and recursions too, without which a schema bounds how deep values are.
    private static void SkipLevel(ref WireReader reader, Shape shape, Levels? above)
    {
        GraphPath path = reader.Session.Path;
        bool hasStack = path.Enter(reader.Member);
        reader.Member = GraphPath.Root;
        if (TrySkipLeaf(ref reader, shape))
        {
            // A level, for an object is there.
        }
        else if (hasStack)
        {
            SkipHere(ref reader, shape, above);
        }
        else
        {
            FreshStack.Skip(ref reader, shape, above);
        }

        reader.Member = path.Exit();
    }

    private static bool TrySkipLeaf(ref WireReader reader, Shape shape)
    {
        int size = shape.FixedSize;
        if (size is > 0 and <= SmallSize)
        {
            reader.ReadRef(size);
        }
        else if (size > 0)
        {
            reader.Skip(size);
        }
        else if (shape.Code == Tag.String)
        {
            StringFormat.Skip(ref reader);
        }
        else
        {
            return false;
        }

        return true;
    }

    internal static void SkipHere(ref WireReader reader, Shape shape, Levels? above)
    {
        switch (shape.Code)
        {
            case ShapeCode.Nullable:
                if (BooleanFormat.Load(ref reader.ReadRef(1)))
                {
                    Skip(ref reader, shape.Element!, above);
                }

                break;
            case ShapeCode.Set:
                ComparerFormat.Skip(ref reader);
                goto case ShapeCode.Sequence;
            case ShapeCode.Sequence:
                SkipMany(ref reader, (uint)reader.ReadCount(shape.Element!.MinSize, 0, out _), shape.Element, null, above);
                break;
            case ShapeCode.Map:
                ComparerFormat.Skip(ref reader);
                SkipMany(
                    ref reader,
                    (uint)reader.ReadCount(Shape.AddSizes(shape.Element!.MinSize, shape.Value!.MinSize), 0, out _),
                    shape.Element,
                    shape.Value,
                    above);
                break;
            case ShapeCode.Array:
                ArrayFormat.Bounds bounds = ArrayFormat.ReadBounds(ref reader, shape.Element!.MinSize, 0, rank: null);
                SkipMany(ref reader, bounds.Count, shape.Element, null, above);
                break;
            case ShapeCode.Members:
                Levels? level = Levels.Inside(shape, above);
                foreach (ShapeMember member in shape.Members)
                {
                    Skip(ref reader, member.Shape, level);
                }

                break;
            case ShapeCode.Union:
                above = Levels.Inside(shape, above);
                shape = shape.Members[(int)UnionFormat.ReadCase(ref reader, shape.Members.Length)].Shape;
                goto case ShapeCode.Members;
            case ShapeCode.Recursion:
                Levels? target = above;
                for (int i = 0; i < shape.Size; i++)
                {
                    target = target!.Above;
                }

                SkipLevel(ref reader, target!.Shape, target.Above);
                break;
            case ShapeCode.Tagged:
                SkipTagged(ref reader, shape.Element!, above);
                break;
            case ShapeCode.Framed:
                // Its bytes may refer to what is outside of it.
                reader.Session.Recorder?.Lose();
                UserFrame.Skip(ref reader);
                break;
            default:
                SkipBuiltIn(ref reader, shape.Code);
                break;
        }
    }

    /// <summary>Skips elements, or pairs.</summary>
    public static void SkipMany(ref WireReader reader, uint count, Shape key, Shape? value, Levels? above)
    {
        long size = key.FixedSize == 0 || value is { FixedSize: 0 } ? 0 : (long)key.FixedSize + (value?.FixedSize ?? 0);
        if (size > 0)
        {
            reader.Skip(count * size);
            return;
        }

        for (uint i = 0; i < count; i++)
        {
            reader.Member = ~(int)i;
            Skip(ref reader, key, above);
            if (value is not null)
            {
                Skip(ref reader, value, above);
            }
        }
    }

    private static void SkipTagged(ref WireReader reader, Shape declared, Levels? above)
    {
        KeptRecorder? recorder = reader.Session.Recorder;
        recorder?.Save(ref reader);
        var begin = new Beginning(reader.Offset, reader.Session.ManifestCount, reader.ReadByte());
        byte tag = begin.Tag;
        switch (tag)
        {
            case Tag.Null:
                break;
            case Tag.Reference:
                recorder?.Pause();
                uint number = reader.ReadVarUInt32();
                recorder?.AddReference(ref reader, number);
                break;
            case Tag.Declared when declared.Code != ShapeCode.None:
                recorder?.Pause();
                SkipObject(ref reader, begin, new(null, declared, above), declared);
                break;
            case >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition:
                recorder?.Pause();
                Manifest manifest = reader.Session.ReadManifest(ref reader, tag);
                SkipObject(ref reader, begin, new(manifest, null, null), manifest.SkippableShape());
                break;
            case Tag.Vector:
                recorder?.Pause();
                begin = begin with { Element = reader.ReadByte() };
                SkipObject(ref reader, begin, default, Shape.Sequence(BuiltInTypes.VectorElement(begin.Element)));
                break;
            case Tag.Object:
                recorder?.Pause();
                SkipObject(ref reader, begin, default, null);
                break;
            default:
                SkipBuiltIn(ref reader, tag);
                break;
        }
    }

    private static void SkipObject(ref WireReader reader, in Beginning begin, in SkippedObjects.Layout layout, Shape? shape)
    {
        DeserializerSession session = reader.Session;
        int next = session.Objects.Count;
        if (session.PassedOver.TrySkipAgain(ref reader))
        {
            session.Recorder?.AddAgain(ref reader, next);
            return;
        }

        int number = session.PassedOver.BeginValue(ref reader, begin.Offset, begin.Manifests, layout);
        session.Recorder?.BeginObject(ref reader, number, layout.Manifest, begin.Tag, begin.Element);
        if (shape is not null)
        {
            SkipLevel(ref reader, shape, layout.Above);
        }

        session.Recorder?.EndObject(ref reader);
        session.PassedOver.EndValue(ref reader, number);
    }

    private static void SkipBuiltIn(ref WireReader reader, byte tag)
    {
        if (tag is Tag.String or Tag.Type)
        {
            // A Type is written as its name: reading it would look up the type, and refuse it when it is not allowed.
            StringFormat.Skip(ref reader);
        }
        else if (TagTypes.FixedSizeOf(tag) is > 0 and int size)
        {
            reader.ReadRef(size);
        }
        else
        {
            BuiltInTypes.ByTag(tag).ReadObject(ref reader);
        }
    }

    /// <summary>The beginning of an object: where its tag is, how many manifests were known there, and that tag.</summary>
    private readonly record struct Beginning(long Offset, int Manifests, byte Tag, byte Element = 0);

    /// <summary>The enclosing members shapes, innermost first, to which a recursion refers.</summary>
    internal sealed record Levels(Shape Shape, Levels? Above)
    {
        /// <summary>Adds a shape to those around it, where one inside it may refer to them.</summary>
        public static Levels? Inside(Shape shape, Levels? above) => shape.HasRecursion ? new Levels(shape, above) : above;
    }
}
