using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.ValueSerializers.Conversion;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A processor vector: its elements, as many as the type has.</summary>
internal sealed class VectorSerializer<TVector, T>(ValueSerializer<T> element)
    : ConvertedSerializer<TVector, ReadOnlyMemory<T>>(new ReadOnlyMemorySerializer<T>(element), To, From)
    where TVector : unmanaged
    where T : unmanaged
{
    private static int Count => Unsafe.SizeOf<TVector>() / Unsafe.SizeOf<T>();

    private static ReadOnlyMemory<T> To(TVector vector) =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<TVector, T>(ref vector), Count).ToArray();

    private static TVector From(ReadOnlyMemory<T> elements) => elements.Length == Count
        ? MemoryMarshal.Read<TVector>(MemoryMarshal.AsBytes(elements.Span))
        : throw new FormatException($"It has {elements.Length} elements, and {Count} here.");
}
