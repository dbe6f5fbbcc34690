using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Skipping;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// A user's type with a single instance: a byte 0. No other class is written like this, so a program without the singleton reports an error
/// instead of making a second instance.
/// </summary>
/// <param name="instance">The one instance.</param>
/// <param name="members">
/// The members written by a writer without the singleton, which are skipped; null for the single byte.
/// </param>
internal sealed class SingletonSerializer<T>(T instance, Shape? members) : ValueSerializer<T>, IOwnSchema
    where T : class
{
    public override void Write(ref WireWriter writer, T value) => writer.WriteByte(0);

    public override T Read(ref WireReader reader)
    {
        reader.Session.Track(instance);
        if (members is not null)
        {
            Skipper.SkipMember(ref reader, members);
        }
        else if (reader.ReadByte() != 0)
        {
            ThrowHelper.InvalidValue(typeof(T).Name, "the byte of a singleton is not 0");
        }

        return instance;
    }

    // There is one instance.
    internal override bool TryAddParts(GraphParts parts, object value) => true;

    internal override T Copy(ref GraphCopier copier, T value) => instance;

    internal override Shape Describe(ShapeBuilder builder) => Shape.Empty;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (writer.Code != ShapeCode.Members)
        {
            return null;
        }

        Array.ForEach(writer.Members, member => context.Differences?.AddUnknown(member.Name));
        return new SingletonSerializer<T>(instance, writer);
    }
}
