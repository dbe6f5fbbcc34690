using Wire.Skipping;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Forms;

/// <summary>Reads the elements of a set as another collection, and passes over the comparer, which that does not have.</summary>
internal sealed class BehindComparerSerializer<T>(ValueSerializer<T> elements) : ValueSerializer<T>, IMeasured
{
    public override void Write(ref WireWriter writer, T value) => elements.Write(ref writer, value);

    public override T Read(ref WireReader reader)
    {
        Skipper.SkipComparer(ref reader);
        return elements.Read(ref reader);
    }

    internal override Format.Shape Describe(ShapeBuilder builder) => builder.Build(elements);

    public long MeasureObject() => elements.Measure();
}
