using Wire.Paths;

namespace Wire;

/// <summary>
/// The views of payloads whose root is of one type, made by <see cref="PayloadPaths.Views{T}"/> once and used for many payloads: for each
/// kind of payload it keeps where the writer's schema has the members. Thread-safe.
/// </summary>
/// <typeparam name="T">The type of the root, or a base class or interface of it.</typeparam>
public sealed class PayloadViews<T>
{
    private static readonly PathPart Whole = PathPart.Ending(PathEnd.Value, Format.Shape.TaggedOnly);

    private readonly PathLimits _limits;
    private readonly PathRoots _roots;

    internal PayloadViews(Serializer serializer)
    {
        _limits = new PathLimits(serializer.Registry);
        _roots = new PathRoots(_limits, new ViewCompiler<T>(serializer, [], _limits, isRoot: true));
    }

    /// <summary>Opens a payload. What is in it is looked at when it is asked for.</summary>
    /// <param name="payload">
    /// The payload, written by <c>Serialize</c>. It must not change, and its memory has to stay, as long as the view and those made of it
    /// are used.
    /// </param>
    /// <exception cref="WireFormatException">
    /// The payload is of another type, or is one that has to be read whole and is damaged or exceeds a limit.
    /// </exception>
    /// <exception cref="TypeRefusedException">The type of the root is not allowed.</exception>
    public PayloadView<T> Open(ReadOnlySpan<byte> payload) =>
        _roots.Find(payload) is { Part: { End: PathEnd.Value } part } root && payload.Length <= _limits.Bytes
            ? new PayloadView<T>(payload, new PathPlace(part, root.Types, 1 + root.Beginning.Length, 1, 0))
            : OpenOther(payload);

    private PayloadView<T> OpenOther(ReadOnlySpan<byte> payload)
    {
        _roots.Note(payload);
        if (_roots.Find(payload) is { Part.End: PathEnd.Value } && payload.Length <= _limits.Bytes)
        {
            return Open(payload);
        }

        // That says what is wrong, if anything is.
        return _limits.Serializer.Deserialize<T>(payload) is null
            ? default
            : new PayloadView<T>(payload, new PathPlace(Whole, _limits.NoTypes, 1, 0, 0));
    }
}
