using System.Text;
using Wire.Errors;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A StringBuilder: its text, and its maximal capacity when that is limited.</summary>
internal static class StringBuilderConversion
{
    public static Parts To(StringBuilder value) =>
        new(value.MaxCapacity == int.MaxValue ? null : value.MaxCapacity, Changes.Taken(value, builder => builder.ToString()));

    public static StringBuilder From(Parts written)
    {
        if (written.Text is null)
        {
            throw new FormatException("It has no text.");
        }

        // Capacity for the text only: a limit is not a reason to allocate.
        int limit = written.MaxCapacity ?? int.MaxValue;
        return new StringBuilder(Math.Min(Math.Max(written.Text.Length, 16), limit), limit).Append(written.Text);
    }

    internal readonly record struct Parts(int? MaxCapacity, string Text);
}
