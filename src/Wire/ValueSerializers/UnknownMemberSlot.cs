using Wire.Equality;
using Wire.Format;
using Wire.Unknown;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// One unknown member of the objects that have kept it, as a member without a field: it is written from the object itself. Nothing is read
/// by it, because a payload's members are those that the class has.
/// </summary>
/// <param name="layout">The members that the objects have kept.</param>
/// <param name="index">The index of this one in their schema.</param>
internal sealed class UnknownMemberSlot<T>(UnknownLayout layout, int index) : ValueSerializer<T>
{
    /// <summary>Gets the content of the member in an object.</summary>
    public UnknownContent ContentOf(object value) =>
        ((IUnknownMembers)value).UnknownMembers is { } unknown && ReferenceEquals(unknown.Layout, layout) ? unknown.Content(index)!
            : throw new InvalidOperationException(
                $"The UnknownMembers of an object of type {typeof(T)} have changed while it was written or compared, as by another thread "
                + "or a callback.");

    public override void Write(ref WireWriter writer, T value) => UnknownFormat.WriteContent(ref writer, ContentOf(value!));

    public override T Read(ref WireReader reader) => throw new NotSupportedException();

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        UnknownFormat.AddParts(parts, (UnknownContent)value);
        return true;
    }

    internal override Shape Describe(ShapeBuilder builder) => layout.Member(index).Shape;
}
