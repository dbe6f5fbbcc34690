using System.Drawing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("known and named colors stay what they are")]
public sealed class ColorTests : ValueTests<Color>
{
    protected override IEnumerable<Color> Samples =>
    [
        Color.Empty, Color.Red, Color.Transparent, SystemColors.ControlText, Color.RebeccaPurple, Color.FromArgb(
            0), Color.FromArgb(255, 255, 0, 0),
        Color.FromArgb(1, 2, 3, 4), Color.FromName("no such color"), Color.FromName(""), Color.FromKnownColor(KnownColor.MenuHighlight),
    ];

    [Fact]
    public void A_number_that_is_no_known_color_is_invalid()
    {
        byte[] bytes = new Serializer().SerializeTyped(Color.Red);
        bytes[^2] = 0x7F;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<Color>(bytes)).Error);
    }
}

public sealed class PointTests : ValueTests<System.Drawing.Point>
{
    protected override IEnumerable<System.Drawing.Point> Samples => [default, new(1, -2)];
}

public sealed class PointFTests : ValueTests<PointF>
{
    protected override IEnumerable<PointF> Samples => [default, new(1.5f, float.NaN)];
}

public sealed class SizeTests : ValueTests<Size>
{
    protected override IEnumerable<Size> Samples => [default, new(1, -2)];
}

public sealed class SizeFTests : ValueTests<SizeF>
{
    protected override IEnumerable<SizeF> Samples => [default, new(1.5f, -2)];
}

public sealed class RectangleTests : ValueTests<Rectangle>
{
    protected override IEnumerable<Rectangle> Samples => [default, new(1, 2, 3, 4)];
}

public sealed class RectangleFTests : ValueTests<RectangleF>
{
    protected override IEnumerable<RectangleF> Samples => [default, new(1.5f, 2, 3, 4)];
}
