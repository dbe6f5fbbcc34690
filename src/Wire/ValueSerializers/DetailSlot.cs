using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>
/// A variable of a class that is a detail of another one, such as UTF8Encoding of Encoding: it is written as a variable of the other, and
/// what it holds comes back as what it was.
/// </summary>
/// <param name="whole">Writes and reads variables of the other class.</param>
internal sealed class DetailSlot<T, TWhole>(ValueSerializer<TWhole?> whole) : ValueSerializer<T?>
    where T : class, TWhole
    where TWhole : class
{
    public override void Write(ref WireWriter writer, T? value) => whole.Write(ref writer, value);

    public override T? Read(ref WireReader reader) =>
        whole.Read(ref reader) is not { } value ? null : value as T ?? ObjectFormat.Mismatch<T>(value);

    internal override Shape Describe(ShapeBuilder builder) => whole.Describe(builder);

    // An object is never part of another without a tag in front of it.
    private protected override ValueSerializer? AdaptToRecursion(Shape writer, AdaptContext context) => null;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new DetailSlot<T, TWhole>((ValueSerializer<TWhole?>)whole.Adapt(writer, context));
}
