using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>A type with one value: a byte that is 0, so that a count of values is always bounded by the bytes that are left.</summary>
internal sealed class SingleValueSerializer<T>(T instance) : ValueSerializer<T>
    where T : notnull
{
    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, T value) => writer.WriteByte(0);

    public override T Read(ref WireReader reader)
    {
        if (reader.ReadByte() != 0)
        {
            Throw.InvalidValue(typeof(T).Name, "its byte is not 0");
        }

        return instance;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Empty;
}
