using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// A number, text or sequence that stands for a value of another type. In the schema it is a member of that type's name, so that neither is
/// read as the other.
/// </summary>
/// <param name="name">The name of the type.</param>
/// <param name="slot">Writes and reads the number, text or sequence.</param>
internal sealed class NamedValueSerializer<T>(string name, ValueSerializer<T> slot) : ValueSerializer<T>, IElementSized, INamedValue
{
    int IElementSized.LeastSize => slot.ElementSize;

    internal override bool HoldsNoObjects => slot.HoldsNoObjects;

    internal override bool IsImmutable => slot.IsImmutable;

    public override void Write(ref WireWriter writer, T value) => slot.Write(ref writer, value);

    public override T Read(ref WireReader reader) => slot.Read(ref reader);

    internal override bool TryAddParts(GraphParts parts, object value) => slot.TryAddParts(parts, value);

    internal override T Copy(ref GraphCopier copier, T value) => slot.Copy(ref copier, value);

    internal override Shape Describe(ShapeBuilder builder) => Shape.FromMembers([new ShapeMember(name, builder.Build(slot))]);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        writer is { Code: ShapeCode.Members, Members: [var member] } && member.Name == name
            ? new NamedValueSerializer<T>(name, (ValueSerializer<T>)slot.Adapt(member.Shape, context))
            : null;
}
