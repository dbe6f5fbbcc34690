using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// An array whose elements are copied into the enclosing collection. A payload with references can name one array repeatedly, which takes
/// two bytes each time but the memory of all elements.
/// </summary>
/// <param name="array">The array itself.</param>
/// <param name="copiedSize">The bytes of memory that the copy of an element takes.</param>
internal sealed class CopiedArraySerializer<T>(ValueSerializer<T[]?> array, int copiedSize) : ValueSerializer<T[]?>, IElementSized
{
    int IElementSized.LeastSize => array.ElementSize;

    public override void Write(ref WireWriter writer, T[]? value)
    {
        writer.Session.Costs.Charge(writer.Member, SizeOf(value));
        array.Write(ref writer, value);
    }

    public override T[]? Read(ref WireReader reader)
    {
        T[]? value = array.Read(ref reader);
        reader.Session.Costs.Charge(SizeOf(value));
        return value;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, array, value);
        return true;
    }

    internal override T[]? Copy(ref GraphCopier copier, T[]? value) => array.Copy(ref copier, value);

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(array);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new CopiedArraySerializer<T>((ValueSerializer<T[]?>)array.Adapt(writer, context), copiedSize);

    private long SizeOf(T[]? value) => (long)(value?.Length ?? 0) * copiedSize;
}
