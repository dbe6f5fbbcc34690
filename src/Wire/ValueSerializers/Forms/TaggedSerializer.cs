using Wire.Errors;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Forms;

/// <summary>
/// A variable of a collection that is a value type, such as an immutable array, whose writer had a class there: null, an earlier object, or
/// a collection with its tag.
/// </summary>
/// <param name="exact">Reads what the writer's declared type was; null when that may not occur.</param>
internal sealed class TaggedSerializer<T>(ValueSerializer? exact) : ValueSerializer<T>
    where T : struct
{
    private bool _isJudged;

    /// <summary>Gets whether null becomes the default value, which stands for no collection.</summary>
    public bool HasNull { get; init; }

    /// <summary>Makes the reader of a variable whose writer had a class there; null when there is none.</summary>
    public static TaggedSerializer<T>? Adapt(ValueSerializer own, Shape writer, AdaptContext context, bool hasNull) =>
        writer.Code == ShapeCode.Tagged
            ? new(writer.Element!.Code == ShapeCode.None ? null : own.Adapt(writer.Element, context)) { HasNull = hasNull }
            : null;

    public override void Write(ref WireWriter writer, T value) => exact!.WriteObject(ref writer, value);

    public override T Read(ref WireReader reader) =>
        TryRead(ref reader, out T value) || HasNull ? value : ThrowHelper.Format<T>(
            WireFormatError.TypeMismatch,
            $"The payload holds null where a {typeof(T)} is needed, which has no value for it. {Advice.ChangedMember}");

    /// <summary>Reads the value; false when it is null.</summary>
    public bool TryRead(ref WireReader reader, out T value)
    {
        value = default;
        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return false;
        }

        DeserializerSession session = reader.Session;
        object read = tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition
            ? session.ReadBody(ref reader, session.ReadType<T>(ref reader, tag))
            : tag == Tag.Declared
            ? session.ReadBody(ref reader, Exact(session))
            : session.ReadTagged(ref reader, tag, typeof(T));
        value = read is T fitting ? fitting : ObjectFormat.Mismatch<T>(read);
        return true;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.TaggedOnly;

    private ValueSerializer Exact(DeserializerSession session)
    {
        if (!_isJudged && !session.IsTrusted)
        {
            session.Serializer.Registry.Resolver.Judge(typeof(T));
            _isJudged = true;
        }

        return exact ?? ThrowHelper.Format<ValueSerializer>(
            WireFormatError.Tag,
            $"The payload says that a value is of the declared type {typeof(T)}, whose layout the schema does not have.");
    }
}

/// <summary>The same variable where null is a value of its own.</summary>
internal sealed class NullableTaggedSerializer<T>(TaggedSerializer<T> tagged) : ValueSerializer<T?>
    where T : struct
{
    public override void Write(ref WireWriter writer, T? value) => tagged.Write(ref writer, value.GetValueOrDefault());

    public override T? Read(ref WireReader reader) => tagged.TryRead(ref reader, out T value) ? value : null;

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(tagged);
}
