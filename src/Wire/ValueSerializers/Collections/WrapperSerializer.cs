using Wire.Errors;
using Wire.Format;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// The kind of a class that stands around one object: a read-only view, a collection over a list, a lazy value.
/// </summary>
internal interface IWrapperKind<TWrapper, TInner>
{
    /// <summary>The name of the part in the schema of a class that derives from the wrapper.</summary>
    static virtual string PartName => IBasePart.Items;

    /// <summary>About how many bytes of memory a wrapper takes beside its own fields and what is inside.</summary>
    static virtual int Overhead => 0;

    /// <summary>About how many bytes more one takes for what it stands around, when the whole graph has been read.</summary>
    static virtual long OverheadOf(TWrapper wrapper) => 0;

    static abstract TInner Unwrap(TWrapper wrapper);

    /// <summary>Runs a constructor on an object that has not been constructed.</summary>
    static abstract void Construct(TWrapper target, TInner inner);

    /// <summary>Called when a wrapper has been constructed, for what can be said of it only when the whole graph has been read.</summary>
    static virtual void Finish(DeserializerSession session, TWrapper target)
    {
    }

    /// <summary>Gets the object that a part is constructed over when the writer's type had none.</summary>
    static virtual TInner? Empty => default;

    /// <summary>The object that a wrapper stands around; null where it is none.</summary>
    static virtual object? Inside(TInner inner) => typeof(TInner).IsValueType ? null : inner;

    /// <summary>
    /// Finds what stands inside an inner object that is a wrapper of the same kind of things itself; null when it is none, and <see
    /// cref="Wrapping.NotRead"/> when it is one that has not been constructed yet.
    /// </summary>
    static virtual object? Within(object inner) => null;

    /// <summary>The collection that the wrapper counts when it is constructed, and never again; null when there is none.</summary>
    static virtual object? CountedIn(TInner inner) => null;

    /// <summary>Says whether what is inside may be null.</summary>
    static virtual bool AllowsNull => false;
}

/// <summary>Wrappers around wrappers.</summary>
internal static class Wrapping
{
    /// <summary>
    /// The number of wrappers that may be nested. Each call of the outermost goes through all of them, on the stack; an honest program has
    /// two or three.
    /// </summary>
    public const int MaxNested = 64;

    /// <summary>Stands for what is inside of a wrapper that has not been constructed.</summary>
    public static readonly object NotRead = new();
}

/// <summary>A class that stands around one object is written as that object.</summary>
internal sealed class WrapperSerializer<TWrapper, TInner, TKind>(ValueSerializer<TInner> inner) : ValueSerializer<TWrapper>, IBasePart
    where TWrapper : class
    where TKind : struct, IWrapperKind<TWrapper, TInner>
{
    public string PartName => TKind.PartName;

    public override void Write(ref WireWriter writer, TWrapper value)
    {
        TInner within = TKind.Unwrap(value);
        if (Refusal(value, within, out _) is { } reason)
        {
            ThrowHelper.Unsupported(value.GetType(), $"{reason}.");
        }

        if (TKind.OverheadOf(value) is > 0 and long overhead)
        {
            writer.Session.Costs.Charge(writer.Member, overhead);
        }

        inner.Write(ref writer, within);
    }

    public override TWrapper Read(ref WireReader reader)
    {
        TWrapper value = Uninitialized.Create<TWrapper>();
        reader.Session.Track(value);
        ReadInto(ref reader, value);
        return value;
    }

    public void ReadInto(ref WireReader reader, object target)
    {
        TInner value = inner.Read(ref reader);
        if (value is null && !TKind.AllowsNull)
        {
            ThrowHelper.InvalidValue(typeof(TWrapper).Name, "it is null inside");
        }

        CheckNested(reader.Session, target, value);
        if (TKind.CountedIn(value) is { } counted && reader.Session.Objects.IsOpen(counted))
        {
            ConstructLater(reader.Session, (TWrapper)target, value);
        }
        else
        {
            Construct(reader.Session, (TWrapper)target, value);
        }
    }

    public void Finish(DeserializerSession session, object target) => TKind.Finish(session, (TWrapper)target);

    public void ConstructEmpty(object target) => TKind.Construct(
        (TWrapper)target,
        TKind.Empty ?? throw new WireFormatException(
            WireFormatError.SchemaMismatch, $"The writer's {target.GetType()} had no part of type {typeof(TWrapper)}."));

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(inner);

    private static void CheckNested(DeserializerSession session, object target, TInner value)
    {
        if (Refusal(target, value, out bool isUnknown) is { } reason)
        {
            ThrowHelper.InvalidValue(typeof(TWrapper).Name, reason);
        }

        if (isUnknown)
        {
            CheckNestedLater(session, target, value);
        }
    }

    // A lambda of its own method: what it captures is for these alone.
    private static void CheckNestedLater(DeserializerSession session, object target, TInner value) =>
        session.CheckWhenComplete(() => CheckNested(session, target, value));

    // Bytes can put wrappers into each other, in a circle too, which no one could ask for anything.
    private static string? Refusal(object wrapper, TInner inner, out bool isUnknown)
    {
        isUnknown = false;
        int wrappers = 0;
        for (object? current = TKind.Inside(inner); current is not null; current = TKind.Within(current))
        {
            if (ReferenceEquals(current, wrapper))
            {
                return "it wraps itself";
            }

            if (++wrappers > Wrapping.MaxNested)
            {
                return $"more than {Wrapping.MaxNested} like it are nested in each other";
            }

            isUnknown = ReferenceEquals(current, Wrapping.NotRead);
        }

        return null;
    }

    private static void Construct(DeserializerSession session, TWrapper target, TInner value)
    {
        try
        {
            TKind.Construct(target, value);
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            // What is inside may be an object that is not complete yet, and its class may ask more of it than it has.
            throw ThrowHelper.Invalid(typeof(TWrapper).ToString(), e);
        }

        TKind.Finish(session, target);
    }

    // It stands inside of the collection whose elements it counts. A method of its own, because what the lambda captures would be
    // allocated for every wrapper.
    private static void ConstructLater(DeserializerSession session, TWrapper target, TInner value) =>
        session.WhenComplete(() => Construct(session, target, value));

    private protected override long MeasureObject() => base.MeasureObject() + TKind.Overhead;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new WrapperSerializer<TWrapper, TInner, TKind>((ValueSerializer<TInner>)inner.Adapt(writer, context));
}
