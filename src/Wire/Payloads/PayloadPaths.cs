using System.Linq.Expressions;
using Wire.Paths;

namespace Wire;

/// <summary>Makes paths to values inside of payloads and views of them, and reads values in place. Thread-safe.</summary>
public static class PayloadPaths
{
    /// <summary>Makes a path. It is worth keeping: each one finds its way anew.</summary>
    /// <typeparam name="T">
    /// The type of the value, a base class or interface of it, or a type that a member may have which was written as this: <c>long</c> for
    /// <c>int</c>.
    /// </typeparam>
    /// <param name="serializer">The serializer.</param>
    /// <param name="path">
    /// The path, as <c>Serializer.Read</c> has it: <c>Lines[2].Price</c>, <c>Prices["apple"]</c>. Names are those of the payload.
    /// </param>
    /// <exception cref="FormatException">The path is none.</exception>
    /// <example>
    /// <code>
    /// PayloadPath&lt;decimal> price = serializer.Path&lt;decimal>("Lines[2].Price");
    /// bool isDear = price.TryRead(payload, out decimal value) &amp;&amp; value > 100;
    /// </code>
    /// </example>
    public static PayloadPath<T> Path<T>(this Serializer serializer, string path)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(path);
        return new PayloadPath<T>(serializer, path);
    }

    /// <summary>Makes a path of members, of elements by their index, and of values of dictionaries by their key.</summary>
    /// <typeparam name="TRoot">The type of what payloads have.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="serializer">The serializer, which knows the names of the members in payloads.</param>
    /// <param name="path">The path: <c>(Order order) => order.Lines[2].Price</c>. It is taken apart, and never run.</param>
    /// <exception cref="ArgumentException">It has something else, such as a property that stands for no field.</exception>
    public static PayloadPath<T> Path<TRoot, T>(this Serializer serializer, Expression<Func<TRoot, T>> path)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(path);
        return new PayloadPath<T>(serializer, PathExpression.Describe(serializer.Registry, path));
    }

    /// <summary>Reads text where it lies, without a string.</summary>
    /// <param name="path">The path to the text.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="text">The text, which is valid as long as the payload is; null where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged, exceed a limit or have no schema, or the value is of another type.
    /// </exception>
    public static bool TryReadText(this PayloadPath<string> path, ReadOnlySpan<byte> payload, out PayloadText text)
    {
        ArgumentNullException.ThrowIfNull(path);
        text = default;
        switch (path.Find(payload, out PathPlace place))
        {
            case PathOutcome.Found when PayloadText.TryRead(payload[place.At..], out text, out _) && path.Allows(text, place):
            case PathOutcome.Null:
                return true;
            case PathOutcome.Missing:
                return false;
            default:
                bool isThere = path.TryReadOther(payload, out string? value);
                text = new PayloadText(value);
                return isThere;
        }
    }

    /// <summary>Reads the bytes of an array or list of <see cref="byte"/> where they lie, without an array.</summary>
    /// <param name="path">The path to the bytes.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="bytes">The bytes, which are valid as long as the payload is; empty where there are none.</param>
    /// <returns>False where there is no such value, or it is null.</returns>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged, exceed a limit or have no schema, or the value is of another type.
    /// </exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public static bool TryReadBytes(this PayloadPath<byte[]> path, ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> bytes)
    {
        ArgumentNullException.ThrowIfNull(path);
        bytes = default;
        switch (path.Find(payload, out PathPlace place))
        {
            case PathOutcome.Found when PayloadPath<byte[]>.TryReadBytes(payload, place, out bytes):
                return true;
            case PathOutcome.Null or PathOutcome.Missing:
                return false;
            default:
                _ = path.TryReadOther(payload, out byte[]? value);
                bytes = value;
                return value is not null;
        }
    }

    /// <summary>Makes what opens views of payloads. It is worth keeping: each one finds its ways anew.</summary>
    /// <typeparam name="T">The type of the root, or a base class or interface of it.</typeparam>
    /// <param name="serializer">The serializer.</param>
    /// <example>
    /// <code>
    /// PayloadViews&lt;OrderPlaced> views = serializer.Views&lt;OrderPlaced>();
    /// PayloadViewMember&lt;OrderPlaced, decimal> total = new("Total");
    /// decimal value = views.Open(payload).Get(total);
    /// </code>
    /// </example>
    public static PayloadViews<T> Views<T>(this Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new PayloadViews<T>(serializer);
    }

    /// <summary>Gets the text of a view where it lies.</summary>
    /// <param name="view">The view.</param>
    /// <returns>The text; null where the value is null.</returns>
    /// <exception cref="WireFormatException">The text is damaged or exceeds a limit.</exception>
    public static PayloadText AsText(this PayloadView<string> view)
    {
        PathPlace place = view.Place;
        return place.Part?.Reader is PathReader<string> && PayloadText.TryRead(view.Payload[place.At..], out PayloadText text, out _)
            && place.Types.Limits.AllowText(text.Length, place.Objects)
                ? text
                : new PayloadText(view.ToObject());
    }

    /// <summary>Gets the bytes of an array or list where they lie.</summary>
    /// <param name="view">The view.</param>
    public static ReadOnlySpan<byte> AsBytes(this PayloadListView<byte> view) => view.Bytes;
}
