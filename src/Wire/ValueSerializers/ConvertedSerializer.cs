using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>A type whose values are written as values of another one, which says the same and has a value serializer.</summary>
/// <param name="slot">Writes and reads the other value.</param>
/// <param name="to">Makes the other value.</param>
/// <param name="from">Makes the value again.</param>
/// <param name="nullIsValue">Whether null is a value of the other type.</param>
/// <param name="copied">How many bytes <paramref name="from"/> copies out of objects that the payload may refer to again and again; null for none.</param>
internal class ConvertedSerializer<T, TWritten>(
    ValueSerializer<TWritten> slot, Func<T, TWritten> to, Func<TWritten, T> from, bool nullIsValue = false, Func<TWritten, long>? copied = null)
    : ValueSerializer<T>
{
    internal override int ElementSize => slot.ElementSize;

    public override void Write(ref WireWriter writer, T value)
    {
        TWritten written = to(value);
        if (OverheadOf(written) is > 0 and long overhead)
        {
            writer.Session.Costs.Take(writer.Member, overhead);
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
            Throw.InvalidValue(typeof(T).Name, "it is null inside");
        }

        if (OverheadOf(written) is > 0 and long overhead)
        {
            reader.Session.Costs.Take(overhead);
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

    internal override Shape Describe(ShapeBuilder builder) => builder.Of(slot);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        With((ValueSerializer<TWritten>)slot.Adapt(writer, context));

    /// <summary>The same conversion over another layout.</summary>
    private protected virtual ValueSerializer With(ValueSerializer<TWritten> adapted) =>
        new ConvertedSerializer<T, TWritten>(adapted, to, from, nullIsValue, copied);

    /// <summary>About how many bytes of memory making the value takes, beside what has been counted.</summary>
    private protected virtual long OverheadOf(TWritten written) => copied?.Invoke(written) ?? 0;
}
