using System.Runtime.CompilerServices;

namespace Wire.ValueSerializers.Collections;

/// <summary>Consecutive elements of a collection that gives or takes them one by one.</summary>
[InlineArray(Size)]
internal struct Chunk<T>
{
    public const int Size = 16;

    private T _first;
}
