using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire.Paths;

/// <summary>One step of a path's program.</summary>
/// <param name="Code">What it does.</param>
/// <param name="Before">The number of bytes of fixed values in front of it, which are passed over first.</param>
/// <param name="Shape">The shape of what it passes over, or looks in; null where the code says it.</param>
/// <param name="Index">The index of an element, or the number of bytes of a value that is not null.</param>
/// <param name="Key">A key.</param>
internal readonly record struct PathInstruction(PathCode Code, int Before, Shape? Shape = null, uint Index = 0, PathKey? Key = null)
{
    /// <summary>Gets whether it passes over short text, or a nullable of a fixed size.</summary>
    public bool IsPlain => Code is PathCode.Text or PathCode.Nullable;

    /// <summary>
    /// Passes over a plain value, in a local variable: a place in memory would have to be waited for from each instruction to the next.
    /// </summary>
    /// <param name="start">The first byte of the payload.</param>
    /// <param name="length">The number of its bytes.</param>
    /// <param name="place">The offset, which may be behind the end then; undefined where it is not passed.</param>
    /// <returns>False where text is long, the payload too short, or a byte wrong.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPass(ref byte start, int length, ref long place)
    {
        place += Before;
        if (place >= length)
        {
            return false;
        }

        uint header = Unsafe.Add(ref start, (nint)place);
        if (Code == PathCode.Text)
        {
            place += header == 0 ? 1 : 1 + ((header - 1) >> 1 << (int)((header - 1) & 1));
            return header < 0x80;
        }

        place += 1 + (header * Index);
        return header <= 1;
    }
}
