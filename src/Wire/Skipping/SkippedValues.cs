using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;

namespace Wire.Skipping;

/// <summary>
/// The values of a message that this program skips because it has no member for them: their positions, and the reading of one that a kept
/// member refers to.
/// </summary>
internal sealed class SkippedValues(DeserializerSession session)
{
    /// <summary>Gets the list of a walk over what is skipped.</summary>
    public Segments<WalkLevel> Frames { get; } = new();

    /// <summary>Takes an object number for a value that is skipped.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="begin">Where the tag of the value is.</param>
    /// <param name="manifests">How many manifests were known there.</param>
    /// <param name="layout">The type information in the bytes.</param>
    public int BeginValue(ref WireReader reader, long begin, int manifests, in SkippedObjects.Layout layout)
    {
        if (!session.IsTracking)
        {
            return 0;
        }

        // The definitions in a frame are forgotten at its end, so its values cannot be read later.
        if (session.IsPassingOver || session.Manifests.IsInBlock || !reader.CanGoBack)
        {
            return session.Objects.BeginSkipped(null);
        }

        session.Costs.Charge(SkippedObjects.Cost);
        return session.Objects.BeginSkipped(new SkippedObjects.Entry(begin, manifests, layout));
    }

    /// <summary>Records the end of a skipped value.</summary>
    public void EndValue(ref WireReader reader, int number)
    {
        if (session.IsTracking)
        {
            session.Objects.EndSkipped(number, reader.Offset, session.Manifests.Count);
        }
    }

    /// <summary>Moves to the end of a value that was skipped before.</summary>
    public bool TrySkipAgain(ref WireReader reader)
    {
        if (!session.Objects.TrySkipAgain(out SkippedObjects.Entry entry))
        {
            return false;
        }

        GoBehind(ref reader, entry);
        return true;
    }

    /// <summary>Finds the next object, if it exists already, and moves to its end.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool TryReadAgain(ref WireReader reader, [NotNullWhen(true)] out object? value)
    {
        if (!session.Objects.TryGetAgain(out value, out SkippedObjects.Entry entry))
        {
            return false;
        }

        GoBehind(ref reader, entry);
        return true;
    }

    private void GoBehind(ref WireReader reader, in SkippedObjects.Entry entry)
    {
        reader.Skip(entry.End - reader.Offset);
        session.Manifests.GoTo(entry.ManifestsBehind, session.IsNumbered);
    }

    /// <summary>
    /// Reads a skipped object from its position. When its type is not in the bytes, the enclosing object is read, because that declares it.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public object Read(ref WireReader reader, uint number, Type? declared)
    {
        uint at = number;
        ValueSerializer? exact;
        SkippedObjects.Entry entry;
        while (true)
        {
            if (session.Manifests.IsInBlock || session.Objects.FindSkipped(at) is not { End: > 0 } found)
            {
                session.Objects.RefuseReference(number);
                return null;
            }

            entry = found;
            if (IsTypeKnown(entry.Layout, at == number ? declared : null, out exact))
            {
                break;
            }

            at = (uint)entry.Around;
        }

        ReadAgain(ref reader, at, entry, exact, at == number ? declared : null);
        if (session.Objects.Find(number) is { } value)
        {
            return value;
        }

        session.Objects.RefuseReference(number);
        return null;
    }

    // With the manifests and object numbers known at that position.
    private void ReadAgain(ref WireReader reader, uint number, in SkippedObjects.Entry entry, ValueSerializer? exact, Type? declared)
    {
        ReadObjects.Turn before = session.Objects.BeginAgain(number, entry);
        int manifests = session.Manifests.GoTo(entry.Manifests, session.IsNumbered);
        WireReader again = reader.GoBack(entry.Begin, entry.End, out Input? input);
        byte tag = again.ReadByte();
        _ = exact is null ? session.ReadTagged(ref again, tag, declared) : session.ReadBody(ref again, exact);
        if (again.Offset != entry.End || session.Objects.Count != entry.ObjectsBehind)
        {
            ThrowHelper.Format(WireFormatError.Reference, $"Object {number} does not have the length that its layout says.");
        }

        input?.Return();
        session.Manifests.GoTo(manifests, session.IsNumbered);
        session.Objects.EndAgain(before);
    }

    private bool IsTypeKnown(in SkippedObjects.Layout layout, Type? declared, out ValueSerializer? exact)
    {
        exact = layout.Declared is { } shape ? ExactOf(declared, shape) : null;
        return layout.Declared is not null ? exact is not null
            : layout.Manifest is not { HasName: false } || (declared is not null && session.Serializer.Registry.IsClosed(declared));
    }

    // The bytes say only that the object has the declared type of the removed member. If this variable can hold only its own type, both
    // types must be the same, or the collection of the one is read as that of the other, as where a member declares it.
    private ValueSerializer? ExactOf(Type? variable, Shape layout)
    {
        TypeRegistry registry = session.Serializer.Registry;
        if (variable is null || !HoldsOwnTypeOnly(variable)
            || (registry.TryExact(variable) ?? registry.Form(variable, layout)) is not { } own)
        {
            return null;
        }

        if (!session.IsTrusted)
        {
            registry.Resolver.Judge(variable);
        }

        return own.Adapt(layout, new AdaptContext(registry, null, null) { IsPart = true });
    }

    // Among unsealed classes, the format writes only these without a manifest.
    private static bool HoldsOwnTypeOnly(Type type) =>
        type.GetElementType() is { } element ? (element.IsArray ? HoldsOwnTypeOnly(element) : element.IsValueType || element.IsSealed)
        : !type.IsAbstract && !(type.IsGenericType && type.GetGenericTypeDefinition() is var definition
            && (definition == typeof(Collection<>) || definition == typeof(ReadOnlyCollection<>)));
}
