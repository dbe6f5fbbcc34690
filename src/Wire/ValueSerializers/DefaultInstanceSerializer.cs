using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers;

/// <summary>A type of which only its default instance has a meaning elsewhere; others are made of code. A byte that is 0.</summary>
internal sealed class DefaultInstanceSerializer<T>(T instance) : ValueSerializer<T>
    where T : notnull
{
    private readonly SingleValueSerializer<T> _single = new(instance);

    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, T value)
    {
        if (!value.Equals(instance))
        {
            Throw.Unsupported(value.GetType(), $"of all instances of {typeof(T)} only the default one can be written. Use a class of your own for it.");
        }

        _single.Write(ref writer, value);
    }

    public override T Read(ref WireReader reader) => _single.Read(ref reader);

    internal override Shape Describe(ShapeBuilder builder) => builder.Of(_single);
}
