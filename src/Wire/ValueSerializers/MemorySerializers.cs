using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Conversion;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers;

/// <summary>Memory of any kind, as the elements that it spans: a count and the elements.</summary>
internal abstract class MemoryOfSerializer<TMemory, T>(ValueSerializer<T> element) : ValueSerializer<TMemory>, ICollectionForm
    where TMemory : struct
{
    private readonly ArraySerializer<T> _array = new(element) { IsObject = false };

    public ValueSerializer AsPart() => this;

    public override void Write(ref WireWriter writer, TMemory value)
    {
        ReadOnlySpan<T> span = Span(value);
        writer.WriteCount(span.Length, Unsafe.SizeOf<T>());
        element.WriteMany(ref writer, span);
    }

    public override TMemory Read(ref WireReader reader) => Wrap(_array.Read(ref reader));

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.AddElements(element, Span((TMemory)value));
        return true;
    }

    internal override TMemory Copy(ref GraphCopier copier, TMemory value)
    {
        ReadOnlySpan<T> span = Span(value);
        var copy = new T[span.Length];
        element.CopyMany(ref copier, span, copy);
        return Wrap(copy);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(_array);

    private protected abstract ReadOnlySpan<T> Span(TMemory memory);

    private protected abstract TMemory Wrap(T[] array);

    private protected abstract ValueSerializer With(ValueSerializer<T> adapted);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Sequence ? With((ValueSerializer<T>)element.Adapt(writer.Element!, context))
        : TaggedSerializer<TMemory>.Adapt(this, writer, context, hasNull: false) ?? CollectionForms.Adapt(this, writer, context);
}

internal sealed class MemorySerializer<T>(ValueSerializer<T> element) : MemoryOfSerializer<Memory<T>, T>(element)
{
    private protected override ReadOnlySpan<T> Span(Memory<T> memory) => memory.Span;

    private protected override Memory<T> Wrap(T[] array) => array;

    private protected override ValueSerializer With(ValueSerializer<T> adapted) => new MemorySerializer<T>(adapted);
}

internal sealed class ReadOnlyMemorySerializer<T>(ValueSerializer<T> element) : MemoryOfSerializer<ReadOnlyMemory<T>, T>(element)
{
    private protected override ReadOnlySpan<T> Span(ReadOnlyMemory<T> memory) => memory.Span;

    private protected override ReadOnlyMemory<T> Wrap(T[] array) => array;

    private protected override ValueSerializer With(ValueSerializer<T> adapted) => new ReadOnlyMemorySerializer<T>(adapted);
}

/// <summary>A sequence of segments is restored as one segment.</summary>
internal sealed class ReadOnlySequenceSerializer<T>(ValueSerializer<T> element) : MemoryOfSerializer<ReadOnlySequence<T>, T>(element)
{
    private protected override ReadOnlySpan<T> Span(ReadOnlySequence<T> memory) =>
        memory.IsSingleSegment ? memory.FirstSpan : memory.ToArray();

    private protected override ReadOnlySequence<T> Wrap(T[] array) => new(array);

    private protected override ValueSerializer With(ValueSerializer<T> adapted) => new ReadOnlySequenceSerializer<T>(adapted);
}

/// <summary>A part of an array, or none: that part alone, without the rest of the array.</summary>
internal sealed class ArraySegmentSerializer<T>(ValueSerializer<T> element)
    : ConvertedSerializer<ArraySegment<T>, ReadOnlyMemory<T>?>(
        new NullableSerializer<ReadOnlyMemory<T>>(new ReadOnlyMemorySerializer<T>(element)), To, From, nullIsValue: true), ICollectionForm
{
    public ValueSerializer AsPart() => this;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        TaggedSerializer<ArraySegment<T>>.Adapt(this, writer, context, hasNull: true) ?? base.AdaptTo(writer, context);

    private static ReadOnlyMemory<T>? To(ArraySegment<T> segment) => segment.Array is null ? (ReadOnlyMemory<T>?)null : segment.AsMemory();

    private static ArraySegment<T> From(ReadOnlyMemory<T>? memory) =>
        memory is { } present && MemoryMarshal.TryGetArray(present, out ArraySegment<T> segment) ? segment : default;
}

/// <summary>The default value, which has no array, differs from an empty one.</summary>
internal sealed class ImmutableArraySerializer<T>(ValueSerializer<T> element)
    : ConvertedSerializer<ImmutableArray<T>, ReadOnlyMemory<T>?>(
        new NullableSerializer<ReadOnlyMemory<T>>(new ReadOnlyMemorySerializer<T>(element)), To, From, nullIsValue: true), ICollectionForm
{
    public ValueSerializer AsPart() => this;

    internal override bool IsImmutable => element.IsImmutable;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        TaggedSerializer<ImmutableArray<T>>.Adapt(this, writer, context, hasNull: true) ?? base.AdaptTo(writer, context);

    private static ReadOnlyMemory<T>? To(ImmutableArray<T> array) => array.IsDefault ? (ReadOnlyMemory<T>?)null : array.AsMemory();

    private static ImmutableArray<T> From(ReadOnlyMemory<T>? memory) =>
        memory is { } present && MemoryMarshal.TryGetArray(present, out ArraySegment<T> segment)
            ? ImmutableCollectionsMarshal.AsImmutableArray(segment.Array)
            : default;
}
