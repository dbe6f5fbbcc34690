using System.Drawing;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A Color: the number of a known color, a name, or alpha, red, green and blue; nothing for the empty one. Colors of different forms are
/// never equal.
/// </summary>
internal static class ColorConversion
{
    public static Parts To(Color value) =>
        value.IsEmpty ? default
        : value.IsKnownColor ? new Parts(null, (short)value.ToKnownColor(), null)
        : value.IsNamedColor ? new Parts(null, 0, value.Name)
        : new Parts(value.ToArgb(), 0, null);

    public static Color From(Parts written)
    {
        if (written.Known != 0)
        {
            var color = Color.FromKnownColor((KnownColor)written.Known);
            return color.IsKnownColor ? color : throw new FormatException($"{written.Known} is not a known color.");
        }

        return written.Name is not null ? Color.FromName(written.Name)
            : written.Argb is { } argb ? Color.FromArgb(argb)
            : Color.Empty;
    }

    internal readonly record struct Parts(int? Argb, short Known, string? Name);
}
