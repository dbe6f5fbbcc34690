using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Paths;
using Wire.Values;

namespace Wire;

/// <summary>
/// A path to one value inside of payloads, made by <see cref="PayloadPaths.Path{T}(Serializer, string)"/> once and used for many: for each
/// kind of payload it keeps the way from the writer's schema to the value, and goes that way without reading what is in front of it, nor
/// what is behind. It finds what <see cref="Serializer.TryRead{T}(ReadOnlySpan{byte}, string, out T)"/> finds and refuses what that
/// refuses, with the same errors. Thread-safe.
/// </summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <remarks>
/// A number, another value of fixed size, or null takes no memory, and <see cref="PayloadPaths.TryReadText"/> makes
/// no string. Objects and collections, references on the way and what is rare in payloads are read as <c>Serializer.Read</c> reads them.
/// Where a payload has no schema (<see cref="SerializerOptions.VersionTolerance"/> off), there is no way.
/// </remarks>
public sealed class PayloadPath<T>
{
    // Of a session's message whose root one byte names.
    private const int IdentifiedLength = 2;

    private readonly Serializer _serializer;
    private readonly PathLimits _limits;
    private readonly PathCompiler<T> _compiler;
    private readonly PathRoots _roots;

    internal PayloadPath(Serializer serializer, string path)
    {
        _serializer = serializer;
        Text = path;
        _limits = new PathLimits(serializer.Registry);
        _compiler = new PathCompiler<T>(serializer, [.. PathStep.Parse(path)], _limits);
        _roots = new PathRoots(_limits, _compiler);
    }

    /// <summary>Gets the path, such as <c>Lines[2].Price</c>.</summary>
    public string Text { get; }

    /// <summary>Reads the value.</summary>
    /// <param name="payload">The payload, written by <c>Serialize</c>.</param>
    /// <exception cref="KeyNotFoundException">There is no such value.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged, exceed a limit or have no schema, or the value is of another type.
    /// </exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public T? Read(ReadOnlySpan<byte> payload) => TryRead(payload, out T? value) ? value : throw PathStep.NoValue(Text);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    /// <param name="payload">The message, which is gone through to its end, because later ones may use the types that it defines.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    public T? Read(ReadOnlySpan<byte> payload, DeserializerSession session) =>
        TryRead(payload, session, out T? value) ? value : throw PathStep.NoValue(Text);

    /// <inheritdoc cref="Read(ReadOnlySpan{byte})"/>
    /// <param name="payload">The payload.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead(ReadOnlySpan<byte> payload, out T? value)
    {
        PathOutcome outcome = Find(payload, out PathPlace place);
        return place.TryEnd(outcome, payload, out value) ?? TryReadOther(payload, out value);
    }

    /// <inheritdoc cref="Read(ReadOnlySpan{byte}, DeserializerSession)"/>
    /// <param name="payload">The message.</param>
    /// <param name="session">The stream of messages that the payload belongs to.</param>
    /// <param name="value">The value; the default one where there is none.</param>
    /// <returns>False where there is no such value.</returns>
    public bool TryRead(ReadOnlySpan<byte> payload, DeserializerSession session, out T? value)
    {
        PathOutcome outcome = Find(payload, session, out PathPlace place);
        return place.TryEnd(outcome, payload, out value) ?? TryReadOther(payload, session, out value);
    }

    /// <summary>Goes to the value in a payload that stands alone.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="place">The value, where it is found.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal PathOutcome Find(ReadOnlySpan<byte> payload, out PathPlace place)
    {
        if (_roots.Find(payload) is not { } root || payload.Length > _limits.Bytes)
        {
            place = default;
            return PathOutcome.Other;
        }

        int at = 1 + root.Beginning.Length;
        if (root.Part.IsPlain && root.Part.TryPass(payload, ref at))
        {
            place = new PathPlace(root.Part, root.Types, at, 1, 0);
            return PathOutcome.Found;
        }

        return new PathPlace(root.Part, root.Types, at, 1, 0).Find(payload, root.Part, _compiler, out place);
    }

    /// <summary>Goes to the value in a message of a session.</summary>
    /// <param name="payload">The message.</param>
    /// <param name="session">The session.</param>
    /// <param name="place">The value, where it is found.</param>
    internal PathOutcome Find(ReadOnlySpan<byte> payload, DeserializerSession session, out PathPlace place)
    {
        place = default;
        if (ManifestOf(payload, session) is not { } manifest || _roots.Find(manifest) is not { } root || payload.Length > _limits.Bytes)
        {
            return PathOutcome.Other;
        }

        // All of it, because later messages may use its types, before a part of it is taken for good.
        var whole = new PathCursor(payload, _limits.NoTypes, IdentifiedLength, session: session);
        return whole.TrySkip(root.Shape, 0) && whole.At == payload.Length
            ? new PathPlace(root.Part, _limits.NoTypes, IdentifiedLength, 1, 0).Find(payload, root.Part, _compiler, out place, session)
            : PathOutcome.Other;
    }

    /// <summary>Returns whether text may be read there.</summary>
    internal bool Allows(PayloadText text, PathPlace place) => _limits.AllowText(text.Length, place.Objects);

    /// <summary>Reads bytes in place.</summary>
    internal static bool TryReadBytes(ReadOnlySpan<byte> payload, PathPlace place, out ReadOnlySpan<byte> bytes)
    {
        var at = new PathCursor(payload, place.Types, place.At);
        bool isThere = at.TryReadCount(place.Part.Shape, out uint count);
        bytes = isThere ? payload.Slice(at.At, (int)count) : default;
        return isThere;
    }

    /// <summary>Reads the value in the general way, and keeps what that has shown of the payload's kind.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal bool TryReadOther(ReadOnlySpan<byte> payload, out T? value)
    {
        bool isThere = _serializer.TryRead(payload, Text, out value);
        if (Text.Length > 0)
        {
            _roots.Note(payload);
        }

        return isThere;
    }

    /// <inheritdoc cref="TryReadOther(ReadOnlySpan{byte}, out T)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal bool TryReadOther(ReadOnlySpan<byte> payload, DeserializerSession session, out T? value)
    {
        bool isThere = _serializer.TryRead(payload, Text, session, out value);
        if (Text.Length > 0 && ManifestOf(payload, session) is { } manifest)
        {
            _roots.Note(manifest);
        }

        return isThere;
    }

    // The manifest that the root of a session's message names by one byte; null where there is none, or the session is not ready.
    private Manifest? ManifestOf(ReadOnlySpan<byte> payload, DeserializerSession? session) =>
        payload.Length > IdentifiedLength
            && (payload[0] & ~PayloadHeader.References) == (PayloadHeader.Version | PayloadHeader.Session)
            && payload[1] >= Tag.FirstShortIdentifier
            && ReferenceEquals(session?.Serializer, _serializer)
            && session.IsReady
                ? session.Manifests.Find(payload[1])
                : null;
}
