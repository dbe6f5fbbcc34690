using Wire.Errors;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// Reads a variable whose objects are not what they are for other variables of their type: the elements of tuples in them have changed
/// places. Where objects have numbers, another variable may refer to one of them, so nothing is read there.
/// </summary>
internal sealed class UnsharedSerializer<T>(ValueSerializer<T> moved) : ValueSerializer<T>
{
    public override void Write(ref WireWriter writer, T value) => moved.Write(ref writer, value);

    public override T Read(ref WireReader reader)
    {
        T value = moved.Read(ref reader);
        return value is null || !reader.Session.IsTracking ? value : ThrowHelper.Format<T>(
            WireFormatError.SchemaMismatch,
            "The elements of a tuple in a collection have changed places here, and the payload was written with " +
            "PreserveObjectReferences: it may be shared with a variable that names the elements in another order. Keep their order.");
    }

    internal override Format.Shape Describe(ShapeBuilder builder) => builder.Build(moved);
}
