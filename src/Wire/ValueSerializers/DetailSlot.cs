using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// A variable of a class that is written as another one, such as UTF8Encoding as Encoding: the value is restored as its own class.
/// </summary>
/// <param name="whole">Writes and reads variables of the other class.</param>
internal sealed class DetailSlot<T, TWhole>(ValueSerializer<TWhole?> whole) : ValueSerializer<T?>, IRecursionAdapter
    where T : class, TWhole
    where TWhole : class
{
    // Whether what is written of the class is read as it again: Encoding.UTF8 is, IPAddress.Loopback is not. Tried with the first one.
    private bool? _comesBack;

    public override void Write(ref WireWriter writer, T? value)
    {
        Serializer serializer = writer.Session.Serializer;
        if (value is not null && !(_comesBack ??= serializer.Deserialize<TWhole>(serializer.Serialize(value)) is T))
        {
            throw ObjectFormat.Lost(typeof(T), value.GetType(), typeof(TWhole));
        }

        whole.Write(ref writer, value);
    }

    public override T? Read(ref WireReader reader) =>
        whole.Read(ref reader) is not { } value ? null : value as T ?? ObjectFormat.Mismatch<T>(value);

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, whole, value);
        return true;
    }

    internal override T? Copy(ref GraphCopier copier, T? value) => (T?)whole.Copy(ref copier, value);

    internal override Shape Describe(ShapeBuilder builder) => whole.Describe(builder);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Recursion
        // An object inside another always has a tag.
        ? null
        : new DetailSlot<T, TWhole>((ValueSerializer<TWhole?>)whole.Adapt(writer, context));
}
