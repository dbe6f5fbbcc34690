using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Paths;

/// <summary>A value that a path leads to.</summary>
/// <param name="Part">The part of the program that has led to it.</param>
/// <param name="Types">The types that are defined in front of it, where it is in no session.</param>
/// <param name="At">Its offset.</param>
/// <param name="Objects">The number of objects that begin in front of it.</param>
/// <param name="Level">How many values it is inside of, but for the root.</param>
internal readonly record struct PathPlace(PathPart Part, PathTypes Types, int At, int Objects, int Level)
{
    /// <summary>Finds the place to which a program leads from here.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="part">The program's first part.</param>
    /// <param name="compiler">What makes those that follow.</param>
    /// <param name="place">The place, where it is found.</param>
    /// <param name="session">The session that the payload is a message of; null for none.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public PathOutcome Find(
        ReadOnlySpan<byte> payload, PathPart part, PathCompiler compiler, out PathPlace place, DeserializerSession? session = null)
    {
        var at = new PathCursor(payload, Types, At, Objects, Level, session);
        PathOutcome outcome = at.Find(ref part, compiler);
        place = new PathPlace(part, at.Types, at.At, at.Objects, Level);
        return (payload[0] & Format.PayloadHeader.References) == 0 || Types.Limits.AllowObjects(at.Objects) ? outcome : PathOutcome.Other;
    }

    /// <summary>Reads the value; false where that is left to the general way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryRead<T>(ReadOnlySpan<byte> payload, out T? value)
    {
        ReadOnlySpan<byte> rest = payload[At..];
        int size = Part.RawSize;
        if (size > 0 && size <= rest.Length)
        {
            value = Unsafe.ReadUnaligned<T>(in MemoryMarshal.GetReference(rest));
            return true;
        }

        return Unsafe.As<PathReader<T>>(Part.Reader!).TryRead(rest, Objects, out value);
    }

    /// <summary>Reads what a walk has found. Returns whether there is a value; null where that is left to the general way.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool? TryEnd<T>(PathOutcome outcome, ReadOnlySpan<byte> payload, out T? value)
    {
        switch (outcome)
        {
            case PathOutcome.Found when TryRead(payload, out value):
                return true;
            case PathOutcome.Null when default(T) is null:
                value = default;
                return true;
            case PathOutcome.Missing:
                value = default;
                return false;
            default:
                value = default;
                return null;
        }
    }
}
