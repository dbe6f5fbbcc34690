using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Plans;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;
using Wire.Values;

namespace Wire.Skipping;

/// <summary>Skips values by their shape alone: their types need not exist in this program, and are not looked up.</summary>
internal static class Skipper
{
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
    public static void SkipMember(ref WireReader reader, Shape shape)
    {
        // It has no name here: an error in it belongs to the object.
        reader.Member = GraphPath.Root;
        Skip(ref reader, shape);
    }

    /// <summary>Skips one value.</summary>
    public static void Skip(ref WireReader reader, Shape shape)
    {
        if (!LayoutWalker.TryPass(ref reader, shape))
        {
            var walker = new LayoutWalker(WalkStops.Parts, Frames(ref reader));
            walker.GoTo(shape, reader.Offset);
            Run(ref reader, ref walker);
        }
    }

    /// <summary>Skips the first members or elements of a value.</summary>
    /// <param name="reader">The reader, at the first of them.</param>
    /// <param name="shape">The shape that has them, which is no map.</param>
    /// <param name="count">How many are skipped.</param>
    public static void SkipParts(ref WireReader reader, Shape shape, uint count)
    {
        uint passed = 0;
        if (shape.Members.Length > 0)
        {
            while (passed < count && LayoutWalker.TryPass(ref reader, shape.Members[passed].Shape))
            {
                passed++;
            }
        }
        else if (shape.ElementFixedSize is > 0 and long size)
        {
            reader.Skip(count * size);
            passed = count;
        }

        if (passed < count)
        {
            var walker = new LayoutWalker(WalkStops.Parts, Frames(ref reader));
            walker.OpenParts(shape, passed, count, reader.Member);
            Run(ref reader, ref walker);
        }
    }

    /// <summary>Skips the comparer of a set or map.</summary>
    public static void SkipComparer(ref WireReader reader)
    {
        var walker = new LayoutWalker(WalkStops.Parts, Frames(ref reader));
        walker.OpenComparer(reader.Member);
        Run(ref reader, ref walker);
    }

    // Nothing that is skipped skips anything itself, so that a session has one list for all walks.
    private static Segments<WalkLevel> Frames(ref WireReader reader)
    {
        Segments<WalkLevel> frames = reader.Session.SkippedValues.Frames;
        if (frames.Count > 0)
        {
            // What the message before has left that failed.
            frames.Clear();
        }

        return frames;
    }

    private static void Run(ref WireReader reader, ref LayoutWalker walker)
    {
        int member = reader.Member;
        while (SkipStep(ref reader, ref walker))
        {
        }

        reader.Member = member;

        // Sessions live long, and shapes are what payloads choose.
        reader.Session.SkippedValues.Frames.Clear();
    }

    // Skips what the walker comes to at its next step; false at the end.
    private static bool SkipStep(ref WireReader reader, ref LayoutWalker walker)
    {
        switch (walker.Next(ref reader))
        {
            case WalkStep.End:
                return false;
            case WalkStep.Parts:
                walker.Open(reader.Member);
                break;
            case WalkStep.PartsEnd:
                reader.Member = walker.Mark;
                break;
            case WalkStep.Level:
                // A level, as an object is, without which a schema bounds how deep values are.
                EnterPath(ref reader);
                walker.Enter(walker.Inside, 0);
                break;
            case WalkStep.LevelEnd:
                reader.Member = reader.Session.Path.Exit();
                break;
            case WalkStep.Object:
                SkipObject(ref reader, ref walker);
                break;
            case WalkStep.ObjectEnd:
                reader.Member = reader.Session.Path.Exit();
                reader.Session.Recorder?.EndObject(ref reader);
                reader.Session.SkippedValues.EndValue(ref reader, walker.Mark);
                break;
            case WalkStep.Reference:
                reader.Session.Recorder?.AddReference(ref reader, walker.Number);
                break;
            case WalkStep.Framed:
                // Its bytes may refer to what is outside of it.
                reader.Session.Recorder?.Lose();
                UserBlock.Skip(ref reader);
                break;
            default:
                throw new UnreachableException();
        }

        return true;
    }

    /// <summary>Skips a value of fixed size.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void SkipFixed(ref WireReader reader, long size)
    {
        // Small values lie in one window.
        if (size <= SmallSize)
        {
            reader.ReadRef((int)size);
        }
        else
        {
            reader.Skip(size);
        }
    }

    /// <summary>Skips a value of a built-in type of varying size.</summary>
    public static void SkipScalar(ref WireReader reader, byte tag)
    {
        if (tag is Tag.String or Tag.Type)
        {
            // A Type is written as its name: reading it would look up the type, and refuse it when it is not allowed.
            StringFormat.Skip(ref reader);
        }
        else
        {
            BuiltInTypes.ByTag(tag).ReadObject(ref reader);
        }
    }

    /// <summary>Gets the layout of an object, whose manifest is read where there is one.</summary>
    /// <param name="reader">The reader, behind the tag.</param>
    /// <param name="walker">The walker, which has come to the object.</param>
    /// <param name="layout">The type information in the bytes.</param>
    /// <returns>The shape of its content; null for a plain object.</returns>
    public static Shape? LayoutOf(ref WireReader reader, in LayoutWalker walker, out SkippedObjects.Layout layout)
    {
        if (walker.Inside is not null || walker.Tag == Tag.Object)
        {
            layout = new(null, walker.Tag == Tag.Declared ? walker.Inside : null);
            return walker.Inside;
        }

        Manifest manifest = reader.Session.ReadManifest(ref reader, walker.Tag);
        layout = new(manifest, null);
        return manifest.SkippableShape();
    }

    private static void SkipObject(ref WireReader reader, ref LayoutWalker walker)
    {
        DeserializerSession session = reader.Session;
        int manifests = session.ManifestCount;
        Shape? shape = LayoutOf(ref reader, walker, out SkippedObjects.Layout layout);
        if (shape is { IsAsyncSequence: true })
        {
            // Its number would stand for other elements, or for none, in the payload that is written.
            session.Recorder?.Lose();
        }

        int next = session.Objects.Count;
        if (session.SkippedValues.TrySkipAgain(ref reader))
        {
            session.Recorder?.AddAgain(ref reader, next);
            return;
        }

        int number = session.SkippedValues.BeginValue(ref reader, walker.TagStart, manifests, layout);
        session.Recorder?.BeginObject(
            ref reader, number, layout.Manifest, walker.Tag, walker.Tag == Tag.Vector ? (byte)walker.Number : (byte)0);
        EnterPath(ref reader);
        walker.Enter(shape, number);
    }

    // The walk takes no room on the stack, however deep it is.
    private static void EnterPath(ref WireReader reader)
    {
        _ = reader.Session.Path.Enter(reader.Member);
        reader.Member = GraphPath.Root;
    }
}
