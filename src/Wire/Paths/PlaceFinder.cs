using System.Globalization;
using System.Text;
using Wire.Format;
using Wire.Values;

namespace Wire.Paths;

/// <summary>Finds the path to a place, for the general way. It goes there as views have gone.</summary>
internal static class PlaceFinder
{
    /// <summary>Finds the path.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="place">The place.</param>
    /// <param name="path">The text of the path, to which it is appended.</param>
    public static List<PathStep> Find(ReadOnlySpan<byte> payload, in PathPlace place, StringBuilder path)
    {
        var steps = new List<PathStep>();
        var at = new PathCursor(payload, place.Types.Limits.NoTypes, 1, objects: 0);
        Shape shape = Shape.TaggedOnly, sought = place.Part.Shape.Resolved;
        while (true)
        {
            shape = shape.Resolved;
            if (at.At == place.At && ReferenceEquals(shape, sought))
            {
                return steps;
            }

            switch (shape.Code)
            {
                case ShapeCode.Tagged when at.TryReadTag(shape, out Shape? inside, out _) && inside is not null:
                    shape = inside;
                    break;
                case ShapeCode.Nullable when at.TryReadByte(out _):
                    shape = shape.Element!;
                    break;
                case ShapeCode.Members when shape.Members.Length > 0:
                    ShapeMember member = shape.Members[GoTo(ref at, place.At, shape, (uint)shape.Members.Length)];
                    steps.Add(new PathStep(member.Name, IsQuoted: true, IsInBrackets: true));
                    PathStep.AppendName(path, member.Name);
                    shape = member.Shape;
                    break;
                case ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Map
                    when (shape.Code == ShapeCode.Sequence || at.TrySkipComparer()) && at.TryReadCount(shape, out uint count) && count > 0:
                    int part = GoTo(ref at, place.At, shape, shape.Value is null ? count : 2 * count);
                    steps.Add(PathStep.OfPart(part));
                    path.Append(CultureInfo.InvariantCulture, $"[{(shape.Value is null ? part : part / 2)}]");
                    shape = PartOf(shape, part);
                    break;
                default:
                    // A value behind its tag.
                    return steps;
            }
        }
    }

    // Goes to the part that the place is in: what does not end in front of it.
    private static int GoTo(ref PathCursor at, int place, Shape shape, uint count)
    {
        for (int i = 0; ; i++)
        {
            PathCursor begin = at;
            if (i + 1 == count || !at.TrySkip(PartOf(shape, i), 0) || at.At > place)
            {
                at = begin;
                return i;
            }
        }
    }

    private static Shape PartOf(Shape shape, int part) => shape.Code == ShapeCode.Members ? shape.Members[part].Shape
        : shape.Value is { } value && part % 2 == 1 ? value
        : shape.Element!;
}
