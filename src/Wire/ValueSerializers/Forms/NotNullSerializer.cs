using Wire.Errors;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Forms;

/// <summary>Reads what may be no collection, such as the default value of an immutable array, where there must be one.</summary>
internal sealed class NotNullSerializer<T>(ValueSerializer<T> elements) : ValueSerializer<T>, IMeasured
{
    public override void Write(ref WireWriter writer, T value) => elements.Write(ref writer, value);

    public override T Read(ref WireReader reader) => BooleanFormat.Load(ref reader.ReadRef(1))
        ? elements.Read(ref reader)
        : ThrowHelper.Format<T>(
            WireFormatError.SchemaMismatch,
            $"The payload holds the default value of an immutable array or array segment, which is no collection, where a {typeof(T)} is " +
            $"needed. {Advice.ChangedMember}");

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(elements);

    public long MeasureObject() => elements.Measure();
}
