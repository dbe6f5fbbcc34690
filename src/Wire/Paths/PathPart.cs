using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Manifests;

namespace Wire.Paths;

/// <summary>
/// The part of a path's program that one layout of the writer has decided, and those that go on from there, by the layouts that the bytes
/// have. Thread-safe.
/// </summary>
internal sealed class PathPart
{
    // Payloads choose how many layouts there are.
    private const int Most = 16;

    private (Shape Inside, PathPart Part)[] _next = [];

    private readonly PathInstruction[] _instructions = [];
    private readonly bool _isPassable = true;

    /// <summary>The instructions.</summary>
    public required PathInstruction[] Instructions
    {
        get => _instructions;
        init
        {
            _instructions = value;
            _isPassable = Array.TrueForAll(value, next => next.IsPlain);
        }
    }

    /// <summary>The number of bytes of fixed values in front of what comes behind them.</summary>
    public required int Before { get; init; }

    /// <summary>The end behind them.</summary>
    public required PathEnd End { get; init; }

    /// <summary>The shape of that.</summary>
    public required Shape Shape { get; init; }

    /// <summary>The number of steps of the path that have been taken until then.</summary>
    public required int Taken { get; init; }

    /// <summary>The number of parts of its program.</summary>
    public required StrongBox<int> Made { get; init; }

    /// <summary>The reader of the value; null for other ends.</summary>
    public PathReader? Reader { get; init; }

    /// <summary>The number of bytes of a value whose memory is what the payload has, so that it needs no reader; 0 for others.</summary>
    public required int RawSize { get; init; }

    /// <summary>
    /// Gets whether it leads over nothing but text, what has a fixed size and nullables of that: most often <see cref="TryPass"/> is the
    /// whole way.
    /// </summary>
    public bool IsPassable => _isPassable;

    /// <summary>
    /// Gets whether it is passable and leads to a value that has a reader. A place without one is read in the general way, which says what
    /// is wrong there.
    /// </summary>
    public bool IsPlain => _isPassable && End == PathEnd.Value && Reader is not null;

    /// <summary>Makes a part that ends where it begins.</summary>
    public static PathPart Ending(PathEnd end, Shape shape) => new()
    {
        Instructions = [],
        Before = 0,
        End = end,
        Shape = shape,
        Taken = 0,
        Made = new StrongBox<int>(),
        RawSize = 0,
    };

    /// <summary>Makes the part that leads behind all members of an object.</summary>
    public static PathPart Behind(Shape members)
    {
        var code = new PathWriter();
        foreach (ShapeMember member in members.Members)
        {
            code.Pass(member.Shape);
        }

        return new()
        {
            Instructions = code.Code,
            Before = code.Before,
            End = PathEnd.Value,
            Shape = members,
            Taken = 0,
            Made = new StrongBox<int>(),
            RawSize = 0,
        };
    }

    /// <summary>
    /// Goes the whole way, and into an object whose type is known there by one byte; false where it is more, or for another reason.
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="place">The place to begin at, and then the one that is found.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryEnter(ReadOnlySpan<byte> payload, ref PathPlace place)
    {
        int at = place.At;
        if (!_isPassable || !TryPass(payload, ref at))
        {
            return false;
        }

        if (End == PathEnd.Value)
        {
            place = new PathPlace(this, place.Types, at, place.Objects, place.Level + 2);
            return true;
        }

        if (End != PathEnd.Object || (uint)at >= (uint)payload.Length)
        {
            return false;
        }

        byte tag = payload[at];
        Shape? inside = tag >= Tag.FirstShortIdentifier ? place.Types.Find((uint)tag - Tag.FirstShortIdentifier)?.Schema
            : tag == Tag.Declared ? Shape.Declared
            : null;
        if (inside is null || Next(inside) is not { End: PathEnd.Value, Instructions.Length: 0, Before: 0 } next)
        {
            return false;
        }

        place = new PathPlace(next, place.Types, at + 1, place.Objects + 1, place.Level + 2);
        return true;
    }

    /// <summary>Goes the whole way; false where text is long, the payload too short, or a byte wrong.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="at">The offset of the root's content, and then that of the value, which is in the payload or at its end.</param>
    public bool TryPass(ReadOnlySpan<byte> payload, ref int at)
    {
        long place = at;
        ref byte start = ref MemoryMarshal.GetReference(payload);
        foreach (ref readonly PathInstruction next in Instructions.AsSpan())
        {
            if (!next.TryPass(ref start, payload.Length, ref place))
            {
                return false;
            }
        }

        place += Before;
        if (place > payload.Length)
        {
            return false;
        }

        at = (int)place;
        return true;
    }

    /// <summary>Finds the part that goes on inside of a layout; null where there is none yet.</summary>
    public PathPart? Next(Shape inside)
    {
        foreach ((Shape known, PathPart part) in Volatile.Read(ref _next))
        {
            if (ReferenceEquals(known, inside))
            {
                return part;
            }
        }

        return null;
    }

    /// <summary>Makes and adds the part that goes on inside of a layout; null where there are too many.</summary>
    /// <param name="inside">The layout.</param>
    /// <param name="named">The manifest that it is of; null for the declared one.</param>
    /// <param name="compiler">What makes it.</param>
    public PathPart? Add(Shape inside, Manifest? named, PathCompiler compiler)
    {
        (Shape, PathPart)[] known = Volatile.Read(ref _next);
        if (known.Length == Most || compiler.Compile(inside, named, Taken, Made) is not { } part)
        {
            return null;
        }

        // Of two threads that add one at a time, one has to add it again.
        Volatile.Write(ref _next, [.. known, (inside, part)]);
        return part;
    }
}
