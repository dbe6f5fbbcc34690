using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.ValueSerializers;

namespace Wire.Sessions;

/// <summary>
/// Values that a message has and this program passes over, because no member is left for them: where they are, and how one that is needed
/// after all is read, because a kept member refers to it.
/// </summary>
internal sealed class PassedOver(DeserializerSession session)
{
    /// <summary>Takes an object number for a value that is passed over.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="begin">Where the tag of the value is.</param>
    /// <param name="manifests">How many manifests were known there.</param>
    /// <param name="layout">What the bytes say of its type.</param>
    public int BeginValue(ref WireReader reader, long begin, int manifests, in SkippedObjects.Layout layout)
    {
        if (!session.IsTracking)
        {
            return 0;
        }

        // What a frame says of types is forgotten at its end, so that no one can come back to what is in it.
        if (session.IsPassingOver || session.Manifests.IsInFrame || !reader.CanGoBack)
        {
            return session.Objects.BeginSkipped(null);
        }

        session.Costs.Charge(SkippedObjects.Cost);
        return session.Objects.BeginSkipped(new SkippedObjects.Entry(begin, manifests, layout));
    }

    /// <summary>The value has been passed over.</summary>
    public void EndValue(ref WireReader reader, int number)
    {
        if (session.IsTracking)
        {
            session.Objects.EndSkipped(number, reader.Offset, session.Manifests.Count);
        }
    }

    /// <summary>Goes behind a value that was passed over before.</summary>
    public bool TrySkipAgain(ref WireReader reader)
    {
        if (!session.Objects.TrySkipAgain(out SkippedObjects.Entry entry))
        {
            return false;
        }

        GoBehind(ref reader, entry);
        return true;
    }

    /// <summary>Finds the object that comes next, where it is there already, and goes behind it.</summary>
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
    /// Reads an object that was passed over, from where it lies. When its type is not in the bytes, what lies around it is read, because
    /// that says of which type its members are.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public object Read(ref WireReader reader, uint number, Type? declared)
    {
        uint at = number;
        ValueSerializer? exact;
        SkippedObjects.Entry entry;
        while (true)
        {
            if (session.Manifests.IsInFrame || session.Objects.FindSkipped(at) is not { } found)
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

    // With the manifests and numbers that were known there.
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
        exact = layout.Declared is { } shape ? ExactOf(declared, shape, layout.Above) : null;
        return layout.Declared is not null ? exact is not null
            : layout.Manifest is not { HasName: false } || (declared is not null && session.Serializer.Registry.IsClosed(declared));
    }

    // The bytes say only that the object is of the type that the removed member declared. It can stand in this variable too: where that
    // holds nothing but its own type, the two are one.
    private ValueSerializer? ExactOf(Type? variable, Shape layout, Skipper.Levels? above)
    {
        if (variable is null || !HoldsOwnTypeOnly(variable) || session.Serializer.Registry.TryExact(variable) is not { } own)
        {
            return null;
        }

        if (!session.IsTrusted)
        {
            session.Serializer.Registry.Resolver.Judge(variable);
        }

        return own.Adapt(layout, AdaptContext.Around(session.Serializer.Registry, above));
    }

    // Of classes that others derive from, the format writes only these without a manifest.
    private static bool HoldsOwnTypeOnly(Type type) =>
        type.GetElementType() is { } element ? (element.IsArray ? HoldsOwnTypeOnly(element) : element.IsValueType || element.IsSealed)
        : !type.IsAbstract && !(type.IsGenericType && type.GetGenericTypeDefinition() is var definition
            && (definition == typeof(Collection<>) || definition == typeof(ReadOnlyCollection<>)));
}
