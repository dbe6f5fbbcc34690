using System.Buffers;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("only the segment; the default one stays the default one")]
public sealed class ArraySegmentTests : ValueTests<ArraySegment<string?>>
{
    protected override IEnumerable<ArraySegment<string?>> Samples =>
        [default, ArraySegment<string?>.Empty, new(["a", null, "b"]), new(["outside", "inside", "outside"], 1, 1)];

    // What lies outside of the segment does not come back.
    protected override void More(ArraySegment<string?> expected, ArraySegment<string?> actual) =>
        Assert.Equal(actual.Array?.Length ?? 0, actual.Count);
}

public sealed class ArraySegmentOfValuesTests : ValueTests<ArraySegment<int>?>
{
    protected override IEnumerable<ArraySegment<int>?> Samples =>
        [null, default(ArraySegment<int>), new ArraySegment<int>([1, 2, 3], 1, 2)];
}

[TypeNotes("only what it spans")]
public sealed class MemoryTests : ValueTests<Memory<byte>>
{
    protected override IEnumerable<Memory<byte>> Samples => [default, new([1]), new([1, 2, 3], 1, 2)];
}

public sealed class MemoryOfReferencesTests : ValueTests<Memory<object?>>
{
    protected override IEnumerable<Memory<object?>> Samples => [default, new([1, null, "x"])];
}

public sealed class ReadOnlyMemoryTests : ValueTests<ReadOnlyMemory<char>>
{
    protected override IEnumerable<ReadOnlyMemory<char>> Samples => [default, "text".AsMemory(1, 2), new(['a'])];
}

public sealed class ReadOnlyMemoryOfStructsTests : ValueTests<ReadOnlyMemory<KeyValuePair<int, string?>>?>
{
    protected override IEnumerable<ReadOnlyMemory<KeyValuePair<int, string?>>?> Samples =>
        [null, default(ReadOnlyMemory<KeyValuePair<int, string?>>), new([new(1, "x"), default])];
}

[TypeNotes("comes back as one segment")]
public sealed class ReadOnlySequenceTests : ValueTests<ReadOnlySequence<byte>>
{
    protected override IEnumerable<ReadOnlySequence<byte>> Samples => [default, new([1, 2, 3]), Fragments.Every([1, 2, 3, 4, 5], 2)];
}

public sealed class ReadOnlySequenceOfReferencesTests : ValueTests<ReadOnlySequence<string?>>
{
    protected override IEnumerable<ReadOnlySequence<string?>> Samples => [new(["a", null])];
}
