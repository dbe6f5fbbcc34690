using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;

namespace Wire.Paths;

/// <content>The walk along a path.</content>
internal ref partial struct PathCursor
{
    /// <summary>Goes along a path.</summary>
    /// <param name="part">The part to begin with; then the one that has ended.</param>
    /// <param name="compiler">What makes the parts that follow.</param>
    public PathOutcome Find(ref PathPart part, PathCompiler compiler)
    {
        while (true)
        {
            foreach (ref readonly PathInstruction next in part.Instructions.AsSpan())
            {
                if (!TrySkip(next.Before))
                {
                    return PathOutcome.Other;
                }

                PathOutcome outcome = Take(next);
                if (outcome != PathOutcome.Found)
                {
                    return outcome;
                }
            }

            if (!TrySkip(part.Before))
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
                        : tag == part.Shape.Code ? PathOutcome.Found
                        : tag == Tag.Null ? PathOutcome.Null
                        : PathOutcome.Other;
                case PathEnd.Object:
                    if (!TryReadTag(part.Shape, out inside, out tag))
                    {
                        return PathOutcome.Other;
                    }

                    if (inside is null)
                    {
                        return !compiler.IsWhole(part) ? PathOutcome.Missing : tag == Tag.Null ? PathOutcome.Null : PathOutcome.Other;
                    }

                    break;
                case PathEnd.Case when TryReadNumber(out uint number) && number < (uint)part.Shape.Members.Length:
                    inside = part.Shape.Members[number].Shape;
                    break;
                default:
                    return PathOutcome.Other;
            }

            part = part.Next(inside) ?? part.Add(inside, compiler);
        }
    }

    // Found where the walk goes on.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private PathOutcome Take(in PathInstruction next)
    {
        uint count;
        switch (next.Code)
        {
            case PathCode.Text:
                return Went(TrySkipText());
            case PathCode.Value:
                return Went(TrySkip(next.Shape!, 0));
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
                    : Went(TrySkipElements(next.Shape!, next.Index, 0));
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

            if (!TrySkip(map.Value!, 0))
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
            bool isRead = TryReadText(out PayloadText text);
            isSame = isRead && !text.IsNull
                && (text.IsLatin1 ? key.Bytes is { } bytes && text.Bytes.SequenceEqual(bytes) : text.Equals(key.Text));
            return isRead;
        }

        isSame = size <= Left && MemoryMarshal.CreateReadOnlySpan(ref Here, size).SequenceEqual(key.Bytes);
        return TrySkip(size);
    }

    /// <summary>Reads text in place, or null.</summary>
    public bool TryReadText(out PayloadText text)
    {
        text = default;
        if (!TryReadNumber(out uint header))
        {
            return false;
        }

        if (header == 0)
        {
            return true;
        }

        header--;
        bool isWide = (header & 1) != 0;
        long size = (long)(header >> 1) << (isWide ? 1 : 0);
        if (size > Left)
        {
            return false;
        }

        text = new PayloadText(MemoryMarshal.CreateReadOnlySpan(ref Here, (int)size), isWide);
        At += (int)size;
        return true;
    }

    /// <summary>Reads bytes in place.</summary>
    /// <param name="shape">The shape of them.</param>
    /// <param name="bytes">The bytes.</param>
    public bool TryReadBytes(Shape shape, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if (!TryReadCount(shape, out uint count))
        {
            return false;
        }

        bytes = MemoryMarshal.CreateReadOnlySpan(ref Here, (int)count);
        At += (int)count;
        return true;
    }
}
