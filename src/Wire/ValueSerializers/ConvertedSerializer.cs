using Wire.Format;

namespace Wire;

/// <summary>A type whose values are written as values of another one, which says the same and has a value serializer.</summary>
internal class ConvertedSerializer<T, TWritten>(ValueSerializer<TWritten> slot, Func<T, TWritten> to, Func<TWritten, T> from, bool nullIsValue = false)
    : ValueSerializer<T>
{
    internal override int ElementSize => slot.ElementSize;

    public override void Write(ref WireWriter writer, T value) => slot.Write(ref writer, to(value));

    public override T Read(ref WireReader reader)
    {
        TWritten written = slot.Read(ref reader);
        if (written is null && !nullIsValue)
        {
            Throw.InvalidValue(typeof(T).Name, "it is null inside");
        }

        try
        {
            return from(written);
        }
        catch (Exception e) when (e is ArgumentException or FormatException or InvalidOperationException or NotSupportedException or OverflowException
            && Throw.IsOfBytes(e))
        {
            throw Throw.Invalid(typeof(T).Name, e);
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => slot.Describe(builder);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new ConvertedSerializer<T, TWritten>((ValueSerializer<TWritten>)slot.Adapt(writer, context), to, from, nullIsValue);
}
