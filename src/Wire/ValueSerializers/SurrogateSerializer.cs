using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Surrogates;
using Wire.Types;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>Writes a stand-in for a value, and makes the value from it again.</summary>
/// <typeparam name="T">The type of the variables: the source, or a value type that implements it.</typeparam>
/// <typeparam name="TSurrogate">The stand-in.</typeparam>
internal sealed class SurrogateSerializer<T, TSurrogate>(
    Type source,
    Func<T, TSurrogate> to,
    Func<TSurrogate, T> from,
    Func<TSurrogate, ConversionCost>? costOf,
    ValueSerializer<TSurrogate> slot) : ValueSerializer<T>, ISurrogateSerializer, IRecursionAdapter, IOwnSchema
{
    public Type Source => source;

    public override void Write(ref WireWriter writer, T value)
    {
        writer.Session.Objects.Replaced.Push(value);
        WriteStandIn(ref writer, value);
        writer.Session.Objects.Replaced.Pop();
    }

    // A box has an identity, to which its stand-in could lead back.
    internal override void WriteObject(ref WireWriter writer, object value)
    {
        writer.Session.Objects.Replaced.Push(value);
        WriteStandIn(ref writer, (T)value);
        writer.Session.Objects.Replaced.Pop();
    }

    public override T Read(ref WireReader reader)
    {
        GraphPath path = reader.Session.Path;
        bool hasStack = path.Enter(reader.Member);
        reader.Member = GraphPath.Root;
        ReadObjects objects = reader.Session.Objects;
        int scope = objects.BeginScope();
        TSurrogate standIn = hasStack ? slot.Read(ref reader) : (TSurrogate)FreshStack.Read(ref reader, slot);
        if (!typeof(TSurrogate).IsValueType && standIn is null)
        {
            ThrowHelper.Format(WireFormatError.InvalidValue, $"The stand-in of a {typeof(T)}, a {typeof(TSurrogate)}, is null.");
        }

        if (objects.EndScope(scope) != ReadObjects.Whole)
        {
            ThrowHelper.Format(
                WireFormatError.InvalidValue,
                $"The stand-in of a {typeof(T)}, a {typeof(TSurrogate)}, refers to an object that contains it and is not complete yet: " +
                "the conversion would see half of it. Remove the back reference from the stand-in.");
        }

        if (costOf is not null)
        {
            (long bytes, long collisions) = costOf(standIn);
            reader.Session.Costs.Charge(bytes);
            reader.Session.Costs.TakeCollisions(collisions, typeof(T));
        }

        T value = from(standIn);
        reader.Member = path.Exit();
        return value ?? ThrowHelper.Format<T>(
            WireFormatError.InvalidValue,
            $"The surrogate for {typeof(T)} returned null for a {typeof(TSurrogate)}. Let its conversion back return a {typeof(T)}.");
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, slot, to((T)value));
        return true;
    }

    internal override T Copy(ref GraphCopier copier, T value)
    {
        TSurrogate standIn = to(value);
        if (!typeof(TSurrogate).IsValueType && standIn is null)
        {
            throw new CopyGivenUpException();
        }

        int member = copier.Enter();
        standIn = slot.Copy(ref copier, standIn);
        copier.Exit(member);
        copier.CheckComplete();
        return from(standIn) ?? throw new CopyGivenUpException();
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Surrogate(source, slot);

    // A recursion too: the stand-in's type, and not the source, is what recurs.
    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        new SurrogateSerializer<T, TSurrogate>(source, to, from, costOf, (ValueSerializer<TSurrogate>)slot.Adapt(writer, context));

    private void WriteStandIn(ref WireWriter writer, T value)
    {
        SerializerSession session = writer.Session;
        TSurrogate standIn = to(value);
        if (!typeof(TSurrogate).IsValueType && standIn is null)
        {
            ThrowHelper.Unsupported(
                typeof(T), $"its stand-in, a {typeof(TSurrogate)}, is null. Return an object for every value that is not null.");
        }

        if (costOf is not null)
        {
            (long bytes, long collisions) = costOf(standIn);
            session.Costs.Charge(writer.Member, bytes);
            session.Costs.TakeCollisions(writer.Member, collisions, typeof(T));
        }

        // A stand-in may hold another value of the source type, and then this is a level like any other.
        bool hasStack = session.Path.Enter(writer.Member);
        writer.Member = GraphPath.Root;
        if (hasStack)
        {
            slot.Write(ref writer, standIn);
        }
        else
        {
            FreshStack.Write(ref writer, slot, standIn!);
        }

        writer.Member = session.Path.Exit();
    }
}

/// <summary>Makes the value serializers of a surrogate.</summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal static class SurrogateSerializer
{
    private static readonly MethodInfo CreateUnboxingMethod =
        typeof(SurrogateSerializer).GetMethod(nameof(CreateUnboxing), BindingFlags.Static | BindingFlags.NonPublic)!;

    /// <summary>Makes the value serializer for a type that is, derives from or implements the source.</summary>
    public static ValueSerializer Create<TSource, TSurrogate>(
        Type type,
        Func<TSource, TSurrogate> to,
        Func<TSurrogate, TSource> from,
        Func<TSurrogate, ConversionCost>? costOf,
        TypeRegistry registry)
    {
        ValueSerializer<TSurrogate> slot = registry.Slot<TSurrogate>();
        if (!type.IsValueType || type == typeof(TSource))
        {
            return new SurrogateSerializer<TSource, TSurrogate>(typeof(TSource), to, from, costOf, slot);
        }

        try
        {
            return (ValueSerializer)ClosedTypes.Close(CreateUnboxingMethod, type, typeof(TSource), typeof(TSurrogate)).Invoke(
                null, [to, from, costOf, slot])!;
        }
        catch (NotSupportedException e) when (!RuntimeFeature.IsDynamicCodeSupported)
        {
            throw new UnsupportedTypeException(
                type,
                $"this native program has no code that writes a value type by the surrogate of {typeof(TSource)}. Put a surrogate for it " +
                    "before that one.",
                (e as UnsupportedTypeException)?.InnerException ?? e);
        }
    }

    // A variable of a value type holds no other type, whatever its interfaces could be.
    private static SurrogateSerializer<T, TSurrogate> CreateUnboxing<T, TSource, TSurrogate>(
        Func<TSource, TSurrogate> to,
        Func<TSurrogate, TSource> from,
        Func<TSurrogate, ConversionCost>? costOf,
        ValueSerializer<TSurrogate> slot)
        where T : struct, TSource => new(
            typeof(TSource),
            value => to(value),
            standIn => from(standIn) is T value
                ? value
                : ThrowHelper.Format<T>(
                    WireFormatError.TypeMismatch,
                    $"The surrogate {typeof(TSurrogate)} returned another {typeof(TSource)} than a {typeof(T)}."),
            costOf,
            slot);
}
