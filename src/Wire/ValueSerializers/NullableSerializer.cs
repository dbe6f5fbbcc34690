using Wire.Compilation.Flat.Parts;
using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers;

/// <summary>A value type or null: a byte that says which, and the value.</summary>
internal sealed class NullableSerializer<T>(ValueSerializer<T> element) : ValueSerializer<T?>, IFlatSlot, IWindowSlot
    where T : struct
{
    internal override bool HoldsNoObjects => element.HoldsNoObjects;

    internal override bool IsImmutable => element.IsImmutable;

    IWindowSerializer? IWindowSlot.InWindow => (element as IFixedSerializer)?.Nullable;

    public FlatPart? CreateFlatPart() => (element as IFixedSerializer)?.Nullable as FlatPart;

    public override void Write(ref WireWriter writer, T? value)
    {
        if (value is { } present)
        {
            writer.WriteByte(1);
            element.Write(ref writer, present);
        }
        else
        {
            writer.WriteByte(0);
        }
    }

    public override T? Read(ref WireReader reader) => BooleanFormat.Load(ref reader.ReadRef(1)) ? element.Read(ref reader) : null;

    internal override bool TryAddParts(GraphParts parts, object value) => element.TryAddParts(parts, value);

    internal override T? Copy(ref GraphCopier copier, T? value) => value is { } present ? element.Copy(ref copier, present) : null;

    internal override Shape Describe(ShapeBuilder builder) => Shape.Nullable(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Nullable
        ? new NullableSerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context))
        : element is ICollectionForm && TaggedSerializer<T>.Adapt(element, writer, context, hasNull: false) is { } tagged
        ? new NullableTaggedSerializer<T>(tagged)
        : new PresentSerializer<T>((ValueSerializer<T>)element.Adapt(writer, context));
}

/// <summary>Reads a value that a writer declared not nullable as one that may be null.</summary>
internal sealed class PresentSerializer<T>(ValueSerializer<T> element) : ValueSerializer<T?>
    where T : struct
{
    internal override bool HoldsNoObjects => element.HoldsNoObjects;

    public override void Write(ref WireWriter writer, T? value) => element.Write(ref writer, value.GetValueOrDefault());

    public override T? Read(ref WireReader reader) => element.Read(ref reader);

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(element);
}
