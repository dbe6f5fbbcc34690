using Wire.Values;

namespace Wire;

/// <content>Reading of one part of a payload.</content>
public sealed partial class Serializer
{
    /// <summary>
    /// Reads one value inside of a payload, and nothing else: what stands before it is skipped, and its types need not exist in this
    /// program. What stands behind it is not looked at, but where the payload has references.
    /// </summary>
    /// <typeparam name="T">
    /// The type of the value, a base class or interface of it, or a type that a member may have which was written as this: <c>long</c> for
    /// <c>int</c>, <see cref="System.Collections.Immutable.ImmutableArray{T}"/> for an array. The type filter is asked for the types that
    /// the value names, as if it were a payload of its own.
    /// </typeparam>
    /// <param name="payload">The payload, written by <c>Serialize</c>.</param>
    /// <param name="path">
    /// The path to the value, as <c>PayloadNode.TryGet</c> has it: <c>Lines[2].Price</c>, <c>Prices["apple"]</c>. References on it
    /// are followed. Empty is the whole payload.
    /// </param>
    /// <remarks>Where references lead to objects outside of the value, these are read too.</remarks>
    /// <exception cref="FormatException">The path is none.</exception>
    /// <exception cref="KeyNotFoundException">There is no such value.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged, exceed a limit or have no schema (<see cref="SerializerOptions.VersionTolerance"/> off), or
    /// the value is of another type.
    /// </exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    /// <example>
    /// <code>
    /// string? customer = serializer.Read&lt;string>(payload, "Customer");
    /// decimal price = serializer.Read&lt;decimal>(payload, "Lines[2].Price");
    /// </code>
    /// </example>
    public T? Read<T>(ReadOnlySpan<byte> payload, string path) =>
        TryRead(payload, path, out T? value) ? value : throw PathStep.NoValue(path);

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string)"/>
    /// <param name="payload">The message, which is read to its end, because later ones may use the types that it defines.</param>
    /// <param name="path">The path.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    public T? Read<T>(ReadOnlySpan<byte> payload, string path, DeserializerSession session) =>
        TryRead(payload, path, session, out T? value) ? value : throw PathStep.NoValue(path);

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string)"/>
    /// <param name="payload">The payload.</param>
    /// <param name="path">The path.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead<T>(ReadOnlySpan<byte> payload, string path, out T? value)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length > 0)
        {
            return ThreadReading().TryReadPart(path, PathStep.Parse(path), payload, out value);
        }

        value = ReadWhole<T>(payload);
        return true;
    }

    /// <inheritdoc cref="Read{T}(ReadOnlySpan{byte}, string, DeserializerSession)"/>
    /// <param name="payload">The message.</param>
    /// <param name="path">The path.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead<T>(ReadOnlySpan<byte> payload, string path, DeserializerSession session, out T? value)
    {
        Check(session);
        ArgumentNullException.ThrowIfNull(path);
        if (path.Length > 0)
        {
            return session.TryReadPart(path, PathStep.Parse(path), payload, out value);
        }

        value = ReadWhole<T>(payload, session);
        return true;
    }
}
