using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The bytes that announce each object of a type that takes no identifier.</summary>
internal readonly struct FlatLead
{
    /// <summary>The number of bytes; 0 where the type takes an identifier.</summary>
    public readonly int Size;

    private readonly byte _first;
    private readonly byte[]? _bytes;

    /// <summary>Makes it.</summary>
    public FlatLead(TypeEntry entry)
    {
        _bytes = entry.Prefix ?? (entry.HasOwnManifest ? null : [Tag.Declared]);
        (Size, _first) = _bytes is null ? (0, default) : (_bytes.Length, _bytes[0]);
    }

    /// <summary>Writes the bytes, for which there is room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref byte start)
    {
        if (Size == 1)
        {
            start = _first;
        }
        else
        {
            Unsafe.CopyBlockUnaligned(ref start, ref MemoryMarshal.GetArrayDataReference(_bytes!), (uint)Size);
        }
    }

    /// <summary>Returns whether there are these bytes, where there are as many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begins(ref byte start) =>
        Size == 1 ? start == _first : MemoryMarshal.CreateReadOnlySpan(ref start, Size).SequenceEqual(_bytes);
}
