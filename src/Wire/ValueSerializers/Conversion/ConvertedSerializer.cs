using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Conversion;

/// <summary>A type whose values are written as equivalent values of another type.</summary>
/// <param name="slot">Writes and reads the other value.</param>
/// <param name="to">Makes the other value.</param>
/// <param name="from">Makes the value again.</param>
/// <param name="nullIsValue">True if null is a value of the other type.</param>
/// <param name="overhead">
/// Estimates the bytes of memory for making the value, in addition to its fields and the written value: copies of objects that the payload
/// may refer to repeatedly, or memory behind few bytes. Null for none.
/// </param>
/// <param name="isImmutable">True if values cannot change, as those of value types that refer to nothing cannot in any case.</param>
/// <remarks>
/// For invalid bytes the two functions may only throw exceptions that <see cref="Read"/> turns into a <see cref="WireFormatException"/>.
/// </remarks>
internal class ConvertedSerializer<T, TWritten>(
    ValueSerializer<TWritten> slot,
    Func<T, TWritten> to,
    Func<TWritten, T> from,
    bool nullIsValue = false,
    Func<TWritten, long>? overhead = null,
    bool isImmutable = false)
    : ValueSerializer<T>, IElementSized
{
    int IElementSized.LeastSize => slot.ElementSize;

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
        // Errors from here on belong to the whole value, not to its last part.
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

    internal override bool IsImmutable => isImmutable || !RuntimeHelpers.IsReferenceOrContainsReferences<T>();

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, slot, to((T)value));
        return true;
    }

    internal override T Copy(ref GraphCopier copier, T value) => IsImmutable ? value : from(slot.Copy(ref copier, to(value)));

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(slot);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new ConvertedSerializer<T, TWritten>(
            (ValueSerializer<TWritten>)slot.Adapt(writer, context), to, from, nullIsValue, overhead, isImmutable);
}
