using System.Runtime.CompilerServices;
using Wire.Flat;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>A nullable value serializer, without its type.</summary>
internal interface INullableSerializer
{
    /// <summary>The value serializer of the value after the byte that says whether there is one.</summary>
    ValueSerializer Element { get; }
}

/// <summary>A value type or null: a byte that says which, and the value.</summary>
internal sealed class NullableSerializer<T>(ValueSerializer<T> element) : ValueSerializer<T?>, INullableSerializer
    where T : struct
{
    public ValueSerializer Element => element;

    internal override bool HoldsNoObjects => element.HoldsNoObjects;

    internal override IWindowSerializer? InWindow => (element as IFixedSerializer)?.Nullable;

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

    internal override FlatBounds? BoundFlat(FlatScope scope) => element.BoundFlat(scope)?.And(FlatBounds.Fixed(1));

    internal override int WriteFlat(ref byte destination, int room, T? value, ref FlatTypes types)
    {
        if (room < 1)
        {
            return NotFlat;
        }

        destination = value.HasValue ? (byte)1 : (byte)0;
        if (!value.HasValue)
        {
            return 1;
        }

        int size = element.WriteFlat(ref Unsafe.Add(ref destination, 1), room - 1, value.GetValueOrDefault(), ref types);
        return size < 0 ? size : 1 + size;
    }

    internal override int ReadFlat(ref byte source, int available, out T? value, ref FlatTypes types)
    {
        value = null;
        if (available < 1)
        {
            return NotFlat;
        }

        if (!BooleanFormat.Load(ref source))
        {
            return 1;
        }

        int size = element.ReadFlat(ref Unsafe.Add(ref source, 1), available - 1, out T present, ref types);
        value = present;
        return size < 0 ? size : 1 + size;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Nullable(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Nullable
        ? new NullableSerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context))
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
