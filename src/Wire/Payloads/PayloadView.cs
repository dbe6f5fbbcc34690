using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Format;
using Wire.Paths;
using Wire.Values;

namespace Wire;

/// <summary>
/// A view of a value in a payload, which reads what it is asked for when it is asked: no object is made, and nothing is read in front of it
/// or behind. It is valid as long as the memory of the payload is, and does not change. The default value is a view of null.
/// </summary>
/// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
/// <remarks>
/// Members are found by their names in the writer's schema, and have the values that <see cref="Serializer.Read{T}(ReadOnlySpan{byte},
/// string)"/> reads at their path: the default one where the writer has no such member. What is damaged is refused with its errors. What is
/// rare in payloads, such as what stands behind a reference, is read as it reads it: an object is then made, and looked at in bytes of
/// its own.
/// </remarks>
public readonly ref partial struct PayloadView<T>
{
    private readonly ReadOnlySpan<byte> _payload;
    private readonly PathPlace _place;

    internal PayloadView(ReadOnlySpan<byte> payload, scoped in PathPlace place)
    {
        _payload = payload;
        _place = place;
    }

    /// <summary>Gets whether the value is null. A view of null has no members.</summary>
    /// <exception cref="WireFormatException">The value, where it is no object or collection, is damaged.</exception>
    public bool IsNull => _place.Part is not { } part || (part.Reader is not ViewLayout && default(T) is null
        && (part.Reader is TextPathReader && PayloadText.TryRead(_payload[_place.At..], out PayloadText text, out _)
            ? text.IsNull
            : ToObject() is null));

    internal ReadOnlySpan<byte> Payload => _payload;

    internal PathPlace Place => _place;

    /// <summary>Reads the value of a member.</summary>
    /// <param name="member">The member.</param>
    /// <returns>The value; the default one where the writer has no such member.</returns>
    /// <exception cref="ArgumentException">The type of the object has no such member in payloads.</exception>
    /// <exception cref="InvalidOperationException">The view is one of null.</exception>
    /// <exception cref="NotSupportedException">The value is written as something else than its members.</exception>
    /// <exception cref="WireFormatException">
    /// The bytes up to the value are damaged or exceed a limit, or the value is of another type.
    /// </exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public TValue? Get<TValue>(PayloadViewMember<T, TValue> member)
    {
        ArgumentNullException.ThrowIfNull(member);
        int at = _place.At;
        return _place.Part?.Reader is ViewLayout layout && layout.FindValue(member.Number) is { Part: { IsPlain: true } part }
            && part.TryPass(_payload, ref at)
            && (_place with { Part = part, At = at }).TryRead(_payload, out TValue? value)
                ? value
                : GetOther(member);
    }

    /// <summary>Gets a view of the value of a member.</summary>
    /// <param name="member">The member.</param>
    /// <returns>The view; one of null where the value is null, or the writer has no such member.</returns>
    /// <inheritdoc cref="Get{TValue}(PayloadViewMember{T, TValue})"/>
    public PayloadView<TValue> GetView<TValue>(PayloadViewMember<T, TValue> member)
    {
        ArgumentNullException.ThrowIfNull(member);
        PathPlace place = _place;
        return _place.Part?.Reader is ViewLayout layout && layout.FindView(member.Number) is { } way && TryEnter(way, ref place)
            ? new PayloadView<TValue>(_payload, place)
            : GetOtherView(member);
    }

    /// <summary>Gets the text of a member where it lies.</summary>
    /// <param name="member">The member.</param>
    /// <returns>The text; null where the value is null, or the writer has no such member.</returns>
    /// <inheritdoc cref="Get{TValue}(PayloadViewMember{T, TValue})"/>
    public PayloadText GetText(PayloadViewMember<T, string> member)
    {
        ArgumentNullException.ThrowIfNull(member);
        int at = _place.At;

        // What is written as something else is no text, whatever its bytes are.
        return _place.Part?.Reader is ViewLayout layout
            && layout.FindView(member.Number) is { Part: { IsPlain: true, Reader: TextPathReader } part }
            && part.TryPass(_payload, ref at) && PayloadText.TryRead(_payload[at..], out PayloadText text, out _)
            && _place.Types.Limits.AllowText(text.Length, _place.Objects)
                ? text
                : GetView(member).AsText();
    }

    /// <summary>Makes the object, or the value: what reading this part of the payload gives.</summary>
    /// <returns>The object; null where it is null.</returns>
    /// <exception cref="WireFormatException">The bytes up to the end of the value are damaged or exceed a limit.</exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public T? ToObject()
    {
        if (_place.Part is null)
        {
            return default;
        }

        if (_place.Part.Reader is PathReader<T> && _place.TryRead(_payload, out T? value))
        {
            return value;
        }

        _ = TryReadOther(null, out value);
        return value;
    }

    /// <summary>Goes to what a way leads to. Null where that is left to the general way.</summary>
    /// <param name="way">The way from the place on.</param>
    /// <param name="view">The view.</param>
    internal bool? TryGo<TValue>(ViewWay way, out PayloadView<TValue> view)
    {
        PathPlace place = _place;
        if (TryEnter(way, ref place))
        {
            view = new PayloadView<TValue>(_payload, place);
            return true;
        }

        view = default;
        if (_place.Level > _place.Types.Limits.Levels)
        {
            return null;
        }

        switch (_place.Find(_payload, way.Part, way.Compiler, out place))
        {
            case PathOutcome.Found:
                view = new PayloadView<TValue>(_payload, place with { Level = place.Level + 2 });
                return true;
            case PathOutcome.Null when default(TValue) is null:
            case PathOutcome.Missing:
                return false;
            default:
                return null;
        }
    }

    // Payloads that number their objects count those on the way.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryEnter(ViewWay way, ref PathPlace place) => _place.Level <= _place.Types.Limits.Levels
        && (_payload[0] & PayloadHeader.References) == 0 && way.Part.TryEnter(_payload, ref place);

    /// <summary>Reads the value, or a part of it, in the general way.</summary>
    /// <param name="step">The step to the part; null for the value itself.</param>
    /// <param name="value">The value.</param>
    /// <returns>False where there is none.</returns>
    internal bool TryReadOther<TValue>(PathStep? step, out TValue? value)
    {
        var path = new StringBuilder();
        List<PathStep> steps = PlaceFinder.Find(_payload, _place, path);
        if (step is { } last)
        {
            steps.Add(last);
            _ = last.Part >= 0 ? path.Append('[').Append(last.Text).Append(']') : Append(path, last.Text);
        }

        Serializer serializer = _place.Types.Limits.Serializer;
        if (steps.Count > 0)
        {
            return serializer.ThreadReading().TryReadPart(
                path.ToString(), CollectionsMarshal.AsSpan(steps), _payload, out value);
        }

        value = serializer.Deserialize<TValue>(_payload);
        return true;
    }

    /// <summary>Reads a part in the general way, and looks at it in bytes of its own.</summary>
    internal PayloadView<TValue> Rewrite<TValue>(PathStep step) =>
        TryReadOther(step, out TValue? value) && value is not null ? Rewritten(value) : default;

    /// <summary>Looks at an object in bytes of its own.</summary>
    internal PayloadView<TValue> Rewritten<TValue>(TValue value)
    {
        Serializer serializer = _place.Types.Limits.Serializer;
        if ((_payload[0] & PayloadHeader.References) != 0)
        {
            // Without references, cycles have no end, and each way to a shared object has a copy of it.
            serializer = serializer.WithReferences;
        }

        return new PayloadViews<TValue>(serializer).Open(serializer.Serialize(value));
    }

    private static StringBuilder Append(StringBuilder path, string name)
    {
        PathStep.AppendName(path, name);
        return path;
    }

    private TValue? GetOther<TValue>(PayloadViewMember<T, TValue> member)
    {
        PayloadView<T> view = Entered(member);
        var layout = (ViewLayout)view._place.Part.Reader!;
        ViewWay way = layout.FindValue(member.Number) ?? layout.AddValue<TValue>(member.Number, member.Name);
        TValue? value = default;
        bool? isThere = null;
        if (view._place.Level <= view._place.Types.Limits.Levels)
        {
            PathOutcome outcome = view._place.Find(view._payload, way.Part, way.Compiler, out PathPlace place);
            isThere = place.TryEnd(outcome, view._payload, out value);
        }

        if (isThere is null && layout.StepTo(member.Name) is { } step)
        {
            view.TryReadOther(step, out value);
        }

        return value;
    }

    private PayloadView<TValue> GetOtherView<TValue>(PayloadViewMember<T, TValue> member)
    {
        PayloadView<T> view = Entered(member);
        var layout = (ViewLayout)view._place.Part.Reader!;
        ViewWay way = layout.FindView(member.Number) ?? layout.AddView<TValue>(member.Number, member.Name);
        return view.TryGo(way, out PayloadView<TValue> found) is not null || layout.StepTo(member.Name) is not { } step ? found
            : view.Rewrite<TValue>(step);
    }

    // The view of an object whose members can be looked at.
    private PayloadView<T> Entered<TValue>(PayloadViewMember<T, TValue> member)
    {
        if (_place.Part?.Reader is ViewLayout { IsObject: true })
        {
            return this;
        }

        if (IsNull)
        {
            throw new InvalidOperationException($"There is no '{member.Name}' in null: ask IsNull first.");
        }

        PayloadView<T> view = Rewritten(ToObject()!);
        return view._place.Part?.Reader is ViewLayout { IsObject: true } ? view : throw new NotSupportedException(
            $"{typeof(T)} is not written as its members, so that a view has no '{member.Name}': ToObject() reads it, and AsList(), "
                + "AsDictionary() and AsText() look at what is one.");
    }
}
