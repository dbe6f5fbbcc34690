using Wire.Copying;
using Wire.Errors;
using Wire.Format;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// A type with one value, or with only one instance that has a meaning elsewhere, because others contain code: a byte 0, so that a count of
/// values is always bounded by the remaining bytes.
/// </summary>
internal sealed class SingleValueSerializer<T>(T instance) : ValueSerializer<T>
    where T : notnull
{
    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, T value)
    {
        if (!value.Equals(instance))
        {
            ThrowHelper.Unsupported(
                value.GetType(), $"of all instances of {typeof(T)} only the default one can be written. Use a class of your own for it.");
        }

        writer.WriteByte(0);
    }

    public override T Read(ref WireReader reader)
    {
        if (reader.ReadByte() != 0)
        {
            ThrowHelper.InvalidValue(typeof(T).Name, "its byte is not 0");
        }

        return instance;
    }

    internal override T Copy(ref GraphCopier copier, T value) => value.Equals(instance) ? instance : throw new CopyGivenUpException();

    internal override Shape Describe(ShapeBuilder builder) => Shape.Empty;
}
