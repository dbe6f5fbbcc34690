using Wire.Errors;
using Wire.Format;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>
/// A CancellationToken that will not change any more: false for one that cannot be cancelled, and true for one that has been. Any other
/// token's source stays in its process, so a copy would wait for ever.
/// </summary>
internal sealed class CancellationTokenSerializer : ValueSerializer<CancellationToken>
{
    private const byte None = 0;
    private const byte Cancelled = 1;

    internal override bool IsLeaf => true;

    public override void Write(ref WireWriter writer, CancellationToken value)
    {
        if (!value.CanBeCanceled)
        {
            writer.WriteByte(None);
        }
        else if (value.IsCancellationRequested)
        {
            writer.WriteByte(Cancelled);
        }
        else
        {
            ThrowHelper.Unsupported(
                typeof(CancellationToken),
                "it may still be cancelled by a source in this process, and its copy never would be. "
                + Advice.Replace(typeof(CancellationToken)));
        }
    }

    public override CancellationToken Read(ref WireReader reader)
    {
        byte state = reader.ReadByte();
        if (state > Cancelled)
        {
            ThrowHelper.InvalidValue(
                nameof(CancellationToken), $"{state} is neither 0, for one that cannot be cancelled, nor 1, for one that has been");
        }

        return new CancellationToken(state == Cancelled);
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        Shape.FromMembers([new ShapeMember(nameof(CancellationToken), Shape.BuiltIn(Tag.Boolean))]);
}
