using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Values;

namespace Wire.Paths;

/// <content>The walk along a path.</content>
internal ref partial struct PathCursor
{
    /// <summary>Goes along a path.</summary>
    /// <param name="part">The part to begin with; then the one that has ended.</param>
    /// <param name="compiler">What makes the parts that follow.</param>
    public PathOutcome Find(ref PathPart part, PathCompiler compiler)
    {
        for (int hops = compiler.Hops; hops > 0; hops--)
        {
            long place = At;
            foreach (ref readonly PathInstruction next in part.Instructions.AsSpan())
            {
                long before = place;
                if (next.IsPlain && next.TryPass(ref _start, _length, ref place))
                {
                    continue;
                }

                PathOutcome outcome = TrySkipTo(before + next.Before) ? Take(next) : PathOutcome.Other;
                if (outcome != PathOutcome.Found)
                {
                    return outcome;
                }

                place = At;
            }

            if (!TrySkipTo(place + part.Before))
            {
                return PathOutcome.Other;
            }

            Shape? inside;
            byte tag;
            switch (part.End)
            {
                case PathEnd.Value:
                    return PathOutcome.Found;
                case PathEnd.Missing:
                    return PathOutcome.Missing;
                case PathEnd.TaggedValue:
                    return !TryReadByte(out tag) ? PathOutcome.Other
                        : tag == part.Shape.Code ? (tag == Tag.String && IsNullText ? PathOutcome.Other : PathOutcome.Found)
                        : tag == Tag.Null ? PathOutcome.Null
                        : PathOutcome.Other;
                case PathEnd.Object:
                    if (!TryReadTag(part.Shape, out inside, out tag) || tag == Tag.Reference)
                    {
                        return PathOutcome.Other;
                    }

                    if (compiler.IsWhole(part) && tag is not (Tag.Null or Tag.Declared or Tag.Vector) && !compiler.TakesNamed)
                    {
                        // What it names is asked about in the general way.
                        return PathOutcome.Other;
                    }

                    if (inside is null)
                    {
                        return !compiler.IsWhole(part) ? PathOutcome.Missing : tag == Tag.Null ? PathOutcome.Null : PathOutcome.Other;
                    }

                    break;
                case PathEnd.Case when TryReadNumber(out uint number) && number < (uint)part.Shape.Members.Length:
                    Named = null;
                    inside = part.Shape.Members[number].Shape;
                    break;
                default:
                    return PathOutcome.Other;
            }

            if ((part.Next(inside) ?? part.Add(inside, Named, compiler)) is not { } following)
            {
                return PathOutcome.Other;
            }

            part = following;
        }

        return PathOutcome.Other;
    }

    // Text behind its tag is never null.
    private readonly bool IsNullText => !PayloadText.TryRead(Rest, out PayloadText text, out _) || text.IsNull;

    private bool TrySkipTo(long place)
    {
        if (place > _length)
        {
            return false;
        }

        At = (int)place;
        return true;
    }

    // Found where the walk goes on.
    private PathOutcome Take(in PathInstruction next)
    {
        uint count;
        switch (next.Code)
        {
            case PathCode.Text:
                return Went(TrySkipText());
            case PathCode.Value or PathCode.Nullable:
                return Went(TrySkip(next.Shape!, _level));
            case PathCode.Comparer:
                return Went(TrySkipComparer());
            case PathCode.Present:
                return !TryReadByte(out byte isThere) ? PathOutcome.Other
                    : isThere == 1 ? PathOutcome.Found
                    : isThere == 0 ? PathOutcome.Missing
                    : PathOutcome.Other;
            case PathCode.Element:
                return !TryReadCount(next.Shape!, out count) ? PathOutcome.Other
                    : next.Index >= count ? PathOutcome.Missing
                    : Went(TrySkipElements(next.Shape!, next.Index, _level));
            default:
                return TryReadCount(next.Shape!, out count) ? FindKey(next.Key!, next.Shape!, count) : PathOutcome.Other;
        }
    }

    private static PathOutcome Went(bool isPassed) => isPassed ? PathOutcome.Found : PathOutcome.Other;

    private PathOutcome FindKey(PathKey key, Shape map, uint count)
    {
        for (uint i = 0; i < count; i++)
        {
            if (!TryReadKey(key, map.Element!.FixedSize, out bool isSame))
            {
                return PathOutcome.Other;
            }

            if (isSame)
            {
                return PathOutcome.Found;
            }

            if (!TrySkip(map.Value!, _level))
            {
                return PathOutcome.Other;
            }
        }

        return PathOutcome.Missing;
    }

    private bool TryReadKey(PathKey key, int size, out bool isSame)
    {
        if (size == 0)
        {
            isSame = false;
            if (!PayloadText.TryRead(Rest, out PayloadText text, out int length) || text.Length > StringFormat.MaxUncounted)
            {
                return false;
            }

            At += length;
            isSame = !text.IsNull
                && (text.IsLatin1 ? key.Bytes is { } bytes && text.Bytes.SequenceEqual(bytes) : text.Equals(key.Text));
            return true;
        }

        isSame = size <= Left && MemoryMarshal.CreateReadOnlySpan(ref Here, size).SequenceEqual(key.Bytes);
        return TrySkip(size);
    }
}
