using Wire.Format;
using Wire.Values;

namespace Wire.ValueSerializers.Forms;

/// <summary>A variable of a collection class whose writer had the elements there without a tag, and without an object number.</summary>
/// <param name="part">Reads the collection.</param>
/// <param name="nullables">The number of bytes in front that say whether there is one.</param>
internal sealed class UntaggedSerializer<T>(ValueSerializer part, int nullables) : ValueSerializer<T?>
    where T : class
{
    public override void Write(ref WireWriter writer, T? value) => part.WriteObject(ref writer, value!);

    public override T? Read(ref WireReader reader)
    {
        for (int i = 0; i < nullables; i++)
        {
            if (!BooleanFormat.Load(ref reader.ReadRef(1)))
            {
                return null;
            }
        }

        reader.Session.Costs.TakeObject(part);
        return (T)part.ReadObject(ref reader);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(part);
}
