using Wire.Errors;
using Wire.Values;

namespace Wire.ValueSerializers.Forms;

/// <summary>
/// Reads the collection inside another object as that object itself: the program has no read-only view around it, or not this one.
/// </summary>
/// <param name="slot">Reads a variable that holds the collection.</param>
internal sealed class InsideSerializer<T>(ValueSerializer<T?> slot) : ValueSerializer<T>
{
    public override void Write(ref WireWriter writer, T value) => slot.Write(ref writer, value);

    public override T Read(ref WireReader reader) =>
        slot.Read(ref reader) is { } value ? value : ThrowHelper.Format<T>(
            WireFormatError.InvalidValue, $"Not a valid {typeof(T).Name}: it is null inside.");

    internal override Format.Shape Describe(ShapeBuilder builder) => builder.Build(slot);
}
