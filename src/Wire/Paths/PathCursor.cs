using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Paths;

/// <summary>
/// A place in a payload that is all in memory. What it cannot pass over as the general way would, it leaves to that: damaged bytes, what
/// exceeds a limit, references on the way, and what is rare. So it never has to say what is wrong.
/// </summary>
internal ref partial struct PathCursor
{
    private readonly ref byte _start;
    private readonly int _length;
    private readonly PathLimits _limits;
    private readonly DeserializerSession? _session;
    private readonly int _level;

    // The bytes that say how much the last element takes, and where that began; true while they are remembered.
    private Marks _marks;
    private int _marked;
    private int _markedFrom;
    private bool _isMarking;

    /// <summary>Goes into a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="types">The types that are defined in front of the place.</param>
    /// <param name="at">The offset of the place.</param>
    /// <param name="objects">The number of objects that begin in front of it.</param>
    /// <param name="level">How many values it is inside of, but for the root.</param>
    /// <param name="session">The session that it is a message of; null for none.</param>
    public PathCursor(
        ReadOnlySpan<byte> payload, PathTypes types, int at, int objects = 1, int level = 0, DeserializerSession? session = null)
    {
        _start = ref MemoryMarshal.GetReference(payload);
        _length = payload.Length;
        _limits = types.Limits;
        _session = session;
        _level = level;
        At = at;
        Objects = objects;
        Types = types;
    }

    /// <summary>The offset.</summary>
    public int At;

    /// <summary>The number of objects that begin in front of it.</summary>
    public int Objects;

    /// <summary>The types that are defined in front of it, where it is in no session.</summary>
    public PathTypes Types;

    /// <summary>The manifest that the last tag has named; null where it has named none.</summary>
    public Manifest? Named;

    /// <summary>Gets the next byte. There has to be one, or the place is not used.</summary>
    public readonly ref byte Here
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref Unsafe.Add(ref _start, At);
    }

    /// <summary>Gets the number of bytes from here on.</summary>
    public readonly int Left
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _length - At;
    }

    private readonly ReadOnlySpan<byte> Rest => MemoryMarshal.CreateReadOnlySpan(ref Here, Left);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySkip(long size)
    {
        if (size > Left)
        {
            return false;
        }

        At += (int)size;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadByte(out byte value)
    {
        if (At >= _length)
        {
            value = 0;
            return false;
        }

        value = Here;
        if (_isMarking)
        {
            Mark(value);
        }

        At++;
        return true;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadNumber(out uint value)
    {
        if (At < _length && Here < 0x80 && !_isMarking)
        {
            value = Here;
            At++;
            return true;
        }

        return TryReadLongNumber(out value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadLongNumber(out uint value)
    {
        if (!VarUInt32.TryRead(Rest, out value, out int length))
        {
            return false;
        }

        for (; length > 0; length--)
        {
            TryReadByte(out _);
        }

        return true;
    }

    /// <summary>Passes over text, or null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySkipText()
    {
        if (!TryReadNumber(out uint header))
        {
            return false;
        }

        if (header == 0)
        {
            return true;
        }

        header--;
        return TrySkip((long)(header >> 1) << (int)(header & 1));
    }

    /// <summary>Reads the number of elements or pairs.</summary>
    public bool TryReadCount(Shape shape, out uint count) =>
        TryReadNumber(out count) && count <= _limits.Elements && (long)count * shape.ElementMinSize <= Left;

    /// <summary>Passes over a comparer that is no object and has no text.</summary>
    public bool TrySkipComparer() => TryReadByte(out byte code) && ComparerCode.IsKnown(code);

    /// <summary>Passes over a value.</summary>
    /// <param name="shape">Its shape.</param>
    /// <param name="level">How many values it is inside of, but for the root.</param>
    public bool TrySkip(Shape shape, int level)
    {
        while (level <= _limits.Levels)
        {
            if (shape.FixedSize is > 0 and int size)
            {
                return TrySkip(size);
            }

            switch (shape.Code)
            {
                case Tag.String:
                    return TrySkipText();
                case ShapeCode.Nullable:
                    if (!TryReadByte(out byte isThere) || isThere > 1)
                    {
                        return false;
                    }

                    if (isThere == 0)
                    {
                        return true;
                    }

                    shape = shape.Element!;
                    continue;
                case ShapeCode.Tagged:
                    if (!TryReadTag(shape, out Shape? inside, out _))
                    {
                        return false;
                    }

                    if (inside is null)
                    {
                        return true;
                    }

                    shape = inside;
                    break;
                case ShapeCode.Recursion:
                    shape = shape.Resolved;
                    break;
                case ShapeCode.Union:
                    if (!TryReadNumber(out uint number) || number >= (uint)shape.Members.Length)
                    {
                        return false;
                    }

                    shape = shape.Members[number].Shape;
                    continue;
                case ShapeCode.Members:
                    foreach (ShapeMember member in shape.Members)
                    {
                        if (!TrySkip(member.Shape, level + 1))
                        {
                            return false;
                        }
                    }

                    return true;
                case ShapeCode.Sequence:
                    return TryReadCount(shape, out uint count) && TrySkipElements(shape, count, level);
                case ShapeCode.Set or ShapeCode.Map:
                    return TrySkipComparer() && TryReadCount(shape, out count) && TrySkipElements(shape, count, level);
                default:
                    return false;
            }

            level++;
        }

        return false;
    }

    /// <summary>Reads a tag.</summary>
    /// <param name="position">The shape of the position.</param>
    /// <param name="inside">The shape of what follows; null where nothing does, or where it has been passed over.</param>
    /// <param name="tag">The tag.</param>
    public bool TryReadTag(Shape position, out Shape? inside, out byte tag)
    {
        inside = null;
        Named = null;
        if (!TryReadByte(out tag))
        {
            return false;
        }

        switch (tag)
        {
            case Tag.Null:
                return true;
            case Tag.Reference:
                return TryReadNumber(out _);
            case Tag.Declared:
                inside = position.Declared;
                break;
            case Tag.Definition:
                Named = Define();
                inside = Named?.Schema;
                break;
            case Tag.Defined:
                Named = TryReadNumber(out uint number) ? Find(number) : null;
                inside = Named?.Schema;
                break;
            case >= Tag.FirstShortIdentifier:
                Named = Find((uint)tag - Tag.FirstShortIdentifier);
                inside = Named?.Schema;
                break;
            case Tag.Vector:
                inside = TryReadByte(out byte element) && TagTypes.IsTag(element) ? TagTypes.VectorOf(element) : null;
                break;
            case Tag.Object:
                Objects++;
                return true;
            case Tag.String or Tag.Type:
                return TrySkipText();
            default:
                return TagTypes.FixedSizeOf(tag) is > 0 and int size && TrySkip(size);
        }

        Objects++;
        return inside is not null;
    }

    private readonly Manifest? Find(uint number) =>
        _session is not null ? _session.Manifests.Find((int)number) : Types.Find(number);

    // Null where it is left to the general way: in a session, which takes note of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Manifest? Define()
    {
        if (_session is not null || !TryReadNumber(out uint length) || length > ManifestContent.MaxLength || length > Left
            || Types.Add(MemoryMarshal.CreateReadOnlySpan(ref Here, (int)length), out Manifest? manifest) is not { } types)
        {
            return null;
        }

        // The same bytes would be another identifier's the next time.
        _isMarking = false;
        Types = types;
        At += (int)length;
        return manifest;
    }
}
