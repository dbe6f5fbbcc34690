using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// The kind of a class that wraps one object: a read-only view, a collection over a list, a lazy value.
/// </summary>
internal interface IWrapperKind<TWrapper, TInner>
{
    /// <summary>The name of the part in the schema of a class that derives from the wrapper.</summary>
    static virtual string PartName => IBasePart.Items;

    /// <summary>Gets whether it is a collection of what is inside, and no more.</summary>
    static virtual bool IsForm => false;

    /// <summary>The approximate bytes of memory of a wrapper in addition to its own fields and the wrapped object.</summary>
    static virtual int Overhead => 0;

    /// <summary>The approximate further bytes of memory for the wrapped object, once the whole graph has been read.</summary>
    static virtual long OverheadOf(TWrapper wrapper) => 0;

    static abstract TInner Unwrap(TWrapper wrapper);

    /// <summary>Runs a constructor on an uninitialized object.</summary>
    static abstract void Construct(TWrapper target, TInner inner);

    /// <summary>Called after a wrapper has been constructed, for checks that need the whole graph.</summary>
    static virtual void Finish(DeserializerSession session, TWrapper target)
    {
    }

    /// <summary>Gets whether constructing a wrapper takes more than the wrapped object: then copies are made by way of bytes.</summary>
    static virtual bool NeedsSession => false;

    /// <summary>Gets the object to wrap when the writer's type had none.</summary>
    static virtual TInner? Empty => default;

    /// <summary>The wrapped object; null where the value is not a wrapper.</summary>
    static virtual object? Inside(TInner inner) => typeof(TInner).IsValueType ? null : inner;

    /// <summary>
    /// Finds the object inside a wrapped object that is itself a wrapper; null when it is not a wrapper, and <see cref="Wrapping.NotRead"/>
    /// when it has not been constructed yet.
    /// </summary>
    static virtual object? Within(object inner) => null;

    /// <summary>Gets whether a wrapped object that is itself a wrapper has to be constructed first.</summary>
    static virtual bool NeedsInner => false;

    /// <summary>The collection that the wrapper counts only once, in its constructor; null when there is none.</summary>
    static virtual object? CountedIn(TInner inner) => null;

    /// <summary>Gets whether the wrapped object may be null.</summary>
    static virtual bool AllowsNull => false;
}

/// <summary>Wrappers around wrappers.</summary>
internal static class Wrapping
{
    /// <summary>
    /// The number of wrappers that may be nested. Each call of the outermost recurses through all of them; real programs have two or three.
    /// </summary>
    public const int MaxNested = 64;

    /// <summary>The placeholder for the inner object of a wrapper that has not been constructed.</summary>
    public static readonly object NotRead = new();
}

/// <summary>A class that wraps one object is written as that object.</summary>
internal sealed class WrapperSerializer<TWrapper, TInner, TKind>(ValueSerializer<TInner> inner)
    : ValueSerializer<TWrapper>, IBasePart, IFilledWrapper, ICollectionForm, IMeasured
    where TWrapper : class
    where TKind : struct, IWrapperKind<TWrapper, TInner>
{
    private const string WrapsItself = "it wraps itself";

    public string PartName => TKind.PartName;

    /// <summary>Gets whether the wrapper is an object of the graph, rather than a part of another.</summary>
    public bool IsObject { get; init; } = true;

    public bool IsForm => TKind.IsForm;

    public ValueSerializer AsPart() => new WrapperSerializer<TWrapper, TInner, TKind>(inner) { IsObject = false };

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
        if (IsObject)
        {
            reader.Session.Track(value);
        }

        ReadInto(ref reader, value);
        return value;
    }

    public Type InnerType => typeof(TInner);

    public void Fill(DeserializerSession session, object target, object inner) => Fill(session, target, (TInner)inner);

    public void ReadInto(ref WireReader reader, object target)
    {
        TInner value = inner.Read(ref reader);
        if (value is null && !TKind.AllowsNull)
        {
            ThrowHelper.InvalidValue(typeof(TWrapper).Name, "it is null inside");
        }

        Fill(reader.Session, target, value);
    }

    public void Finish(DeserializerSession session, object target) => TKind.Finish(session, (TWrapper)target);

    public void ConstructEmpty(object target) => TKind.Construct(
        (TWrapper)target,
        TKind.Empty ?? throw new WireFormatException(
            WireFormatError.SchemaMismatch, $"The writer's {target.GetType()} had no part of type {typeof(TWrapper)}."));

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, inner, TKind.Unwrap((TWrapper)value));
        return true;
    }

    internal override TWrapper Copy(ref GraphCopier copier, TWrapper value)
    {
        TWrapper copy = Uninitialized.Create<TWrapper>();
        copier.Track(copy);
        CopyInto(ref copier, value, copy);
        return copy;
    }

    public void CopyInto(ref GraphCopier copier, object source, object target)
    {
        TInner within = TKind.Unwrap((TWrapper)source);
        if (TKind.NeedsSession || (within is null && !TKind.AllowsNull) || Refusal(source, within, out _) is not null)
        {
            throw new CopyGivenUpException();
        }

        TInner copy = inner.Copy(ref copier, within);
        if (TKind.NeedsInner && (Refusal(target, copy, out bool isUnknown) is not null || isUnknown))
        {
            throw new CopyGivenUpException();
        }

        if (TKind.CountedIn(copy) is not null)
        {
            copier.CheckComplete();
        }

        TKind.Construct((TWrapper)target, copy);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(inner);

    private static void Fill(DeserializerSession session, object target, TInner value)
    {
        bool isUnknown = CheckNested(target, value);
        if (isUnknown && TKind.NeedsInner)
        {
            ConstructBehind(session, (TWrapper)target, value);
            return;
        }

        if (isUnknown)
        {
            CheckNestedLater(session, target, value);
        }

        if (TKind.CountedIn(value) is { } counted && session.Objects.IsOpen(counted))
        {
            ConstructLater(session, (TWrapper)target, value);
        }
        else
        {
            Construct(session, (TWrapper)target, value);
        }
    }

    // True when a wrapper inside is not constructed yet, so that nobody knows what is in that.
    private static bool CheckNested(object target, TInner value)
    {
        if (Refusal(target, value, out bool isUnknown) is { } reason)
        {
            ThrowHelper.InvalidValue(typeof(TWrapper).Name, reason);
        }

        return isUnknown;
    }

    // In a separate method, so that only these cases allocate the closure.
    private static void CheckNestedLater(DeserializerSession session, object target, TInner value) =>
        session.CheckWhenComplete(() => CheckNested(target, value));

    // What is around it is constructed later, if it has to wait too, but what is inside has been by then.
    private static void ConstructBehind(DeserializerSession session, TWrapper target, TInner value) => session.WhenComplete(() =>
    {
        if (CheckNested(target, value))
        {
            ThrowHelper.InvalidValue(typeof(TWrapper).Name, WrapsItself);
        }

        Construct(session, target, value);
    });

    // Bytes can nest wrappers, even in a cycle, and any call on those would never return.
    private static string? Refusal(object wrapper, TInner inner, out bool isUnknown)
    {
        isUnknown = false;
        int wrappers = 0;
        for (object? current = TKind.Inside(inner); current is not null; current = TKind.Within(current))
        {
            if (ReferenceEquals(current, wrapper))
            {
                return WrapsItself;
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
            // The wrapped object may not be complete yet, and the wrapper's constructor may use members that it lacks.
            throw ThrowHelper.Invalid(typeof(TWrapper).ToString(), e);
        }

        TKind.Finish(session, target);
    }

    // It is inside the collection whose elements it counts. A separate method, because otherwise the closure would be allocated for every
    // wrapper.
    private static void ConstructLater(DeserializerSession session, TWrapper target, TInner value) =>
        session.WhenComplete(() => Construct(session, target, value));

    public long MeasureObject() => InstanceSize.Estimate(Type) + TKind.Overhead;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new WrapperSerializer<TWrapper, TInner, TKind>((ValueSerializer<TInner>)inner.Adapt(writer, context)) { IsObject = IsObject };
}
