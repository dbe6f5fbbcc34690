using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>A type whose values are written as values of another one, which says the same and has a value serializer.</summary>
/// <param name="slot">Writes and reads the other value.</param>
/// <param name="to">Makes the other value.</param>
/// <param name="from">Makes the value again.</param>
/// <param name="nullIsValue">Whether null is a value of the other type.</param>
/// <param name="overhead">
/// About how many bytes of memory making the value takes, beside its own fields and what is written: so many are copied out of objects that
/// the payload may refer to again and again, or stand behind few bytes. Null for none.
/// </param>
/// <remarks>
/// The two functions may throw what <see cref="Read"/> turns into a <see cref="WireFormatException"/>, and nothing else for bad bytes.
/// </remarks>
internal class ConvertedSerializer<T, TWritten>(
    ValueSerializer<TWritten> slot,
    Func<T, TWritten> to,
    Func<TWritten, T> from,
    bool nullIsValue = false,
    Func<TWritten, long>? overhead = null)
    : ValueSerializer<T>
{
    internal override int ElementSize => slot.ElementSize;

    public override void Write(ref WireWriter writer, T value)
    {
        TWritten written = to(value);
        if (overhead?.Invoke(written) is > 0 and long bytes)
        {
            writer.Session.Costs.Charge(writer.Member, bytes);
        }

        slot.Write(ref writer, written);
    }

    public override T Read(ref WireReader reader)
    {
        int member = reader.Member;
        TWritten written = slot.Read(ref reader);
        // What is wrong from here on is wrong with the whole, and not with the last of its parts.
        reader.Member = member;
        if (written is null && !nullIsValue)
        {
            ThrowHelper.InvalidValue(typeof(T).Name, "it is null inside");
        }

        if (overhead?.Invoke(written) is > 0 and long bytes)
        {
            reader.Session.Costs.Charge(bytes);
        }

        try
        {
            return from(written);
        }
        catch (Exception e) when (e is ArgumentException
            or FormatException
            or InvalidOperationException
            or NotSupportedException
            or OverflowException
            && ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(T).Name, e);
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(slot);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new ConvertedSerializer<T, TWritten>((ValueSerializer<TWritten>)slot.Adapt(writer, context), to, from, nullIsValue, overhead);
}
