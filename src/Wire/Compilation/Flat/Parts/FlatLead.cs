using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The bytes that announce each object of a type that takes no identifier.</summary>
internal readonly struct FlatLead
{
    private readonly byte[]? _bytes;

    /// <summary>Makes it.</summary>
    public FlatLead(TypeEntry entry) => _bytes = entry.Prefix ?? (entry.HasOwnManifest ? null : [Tag.Declared]);

    /// <summary>Gets the number of bytes; 0 where the type takes an identifier.</summary>
    public int Size => _bytes?.Length ?? 0;

    /// <summary>Writes the bytes, for which there is room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref byte start)
    {
        if (_bytes!.Length == 1)
        {
            start = _bytes[0];
        }
        else
        {
            Unsafe.CopyBlockUnaligned(ref start, ref MemoryMarshal.GetArrayDataReference(_bytes), (uint)_bytes.Length);
        }
    }

    /// <summary>Returns whether there are these bytes, where there are as many.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Begins(ref byte start) => _bytes!.Length == 1
        ? start == _bytes[0]
        : MemoryMarshal.CreateReadOnlySpan(ref start, _bytes.Length).SequenceEqual(_bytes);
}
