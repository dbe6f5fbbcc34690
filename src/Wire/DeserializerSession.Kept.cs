using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.ValueSerializers;

namespace Wire;

/// <content>
/// What stays of messages that fail, what was passed over and is needed after all, and messages of the other kind than the session's.
/// </content>
public sealed partial class DeserializerSession
{
    private void Fail(Exception exception, ref WireReader reader, ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        Type type = RootType;
        try
        {
            Locate(exception, ref reader);
            ForgetRoot();
            if (IsLasting && !_isOther)
            {
                LearnFromFailed(window, input, whole);
            }
        }
        finally
        {
            _rest = null;
            _sequence?.Detach();
            _stream?.Detach();
            Forget();
        }

        (exception as TypeRefusedException)?.Report(Serializer.Options, type);
    }

    /// <summary>Refuses the message that has just been read, because its value is none of the type that was asked for.</summary>
    [DoesNotReturn]
    internal void RefuseRoot<T>(object value)
    {
        ForgetRoot();
        _manifests.KeepInDoubt();
        var e = new WireFormatException(
            WireFormatError.TypeMismatch,
            $"The program asked for a value of type {typeof(T)}, and the payload holds one of type {value.GetType()}. "
            + "Ask for that type, or for one that both have as a base.");
        e.Locate(_end, "");
        throw e;
    }

    private void ForgetRoot()
    {
        _lastRoot = null;
        _beginning = null;
    }

    // A failed message of a session has told types all the same, and its writer counts on that. So it is passed over, from its
    // beginning, by the shapes that it carries; what cannot be passed over has told nothing. Of what has gone by and does not come
    // again, it has told what it had when it failed.
    private void LearnFromFailed(ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        _closed |= _manifests.IsContradictory;
        if (!_closed && (input is { CanGoBack: false } || TryPassOver(window, input, whole)))
        {
            _manifests.KeepInDoubt();
        }
        else
        {
            _closed |= _manifests.IsContradictory;
            _manifests.TakeBack();
        }
    }

    private bool TryPassOver(ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        try
        {
            _isPassingOver = true;
            _manifests.TakeBack();
            input?.Rewind();
            _objects.Clear();
            Path.Begin(_ownThread);
            var reader = new WireReader(this, window, input);
            Skipper.SkipRoot(ref reader, _lastTypedRoot as TypedRoot);
            CheckEnd(ref reader, reader.Unread + (input?.Left ?? 0), whole);
            return true;
        }
        catch (Exception)
        {
            // The bytes are damaged, or cannot be had again. What the caller gets is why the message itself could not be read.
            return false;
        }
        finally
        {
            _isPassingOver = false;
        }
    }

    /// <summary>Takes an object number for a value that is passed over.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="begin">Where the tag of the value is.</param>
    /// <param name="manifests">How many manifests were known there.</param>
    /// <param name="layout">What the bytes say of its type.</param>
    internal int BeginSkipped(ref WireReader reader, long begin, int manifests, in SkippedObjects.Layout layout)
    {
        if (!IsTracking)
        {
            return 0;
        }

        // What a frame says of types is forgotten at its end, so that nobody can come back to what is in it.
        if (_isPassingOver || _manifests.IsInFrame || !reader.CanGoBack)
        {
            return _objects.BeginSkipped(null);
        }

        Take(SkippedObjects.Cost);
        return _objects.BeginSkipped(new SkippedObjects.Place(begin, manifests, layout));
    }

    /// <summary>The value has been passed over.</summary>
    internal void EndSkipped(ref WireReader reader, int number)
    {
        if (IsTracking)
        {
            _objects.EndSkipped(number, reader.Offset, _manifests.Count);
        }
    }

    /// <summary>Goes behind a value that was passed over before.</summary>
    internal bool TrySkipAgain(ref WireReader reader)
    {
        if (!_objects.TrySkipAgain(out SkippedObjects.Place place))
        {
            return false;
        }

        GoBehind(ref reader, place);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadAgain(ref WireReader reader, [NotNullWhen(true)] out object? value)
    {
        if (!_objects.TryGetAgain(out value, out SkippedObjects.Place place))
        {
            return false;
        }

        GoBehind(ref reader, place);
        return true;
    }

    private void GoBehind(ref WireReader reader, in SkippedObjects.Place place)
    {
        reader.Skip(place.End - reader.Offset);
        _manifests.GoTo(place.ManifestsBehind, _isNumbered);
    }

    // An object that was passed over is read from where it lies. When its type is not in the bytes, what lies around it is read,
    // because that says of which type its members are.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private object ReadSkipped(ref WireReader reader, uint number, Type? declared)
    {
        uint at = number;
        ValueSerializer? exact;
        SkippedObjects.Place place;
        while (true)
        {
            if (_manifests.IsInFrame || _objects.FindSkipped(at) is not { } found)
            {
                _objects.RefuseReference(number);
                return null;
            }

            place = found;
            if (IsTypeKnown(place.Layout, at == number ? declared : null, out exact))
            {
                break;
            }

            at = (uint)place.Around;
        }

        ReadAgain(ref reader, at, place, exact, at == number ? declared : null);
        if (_objects.Find(number) is { } value)
        {
            return value;
        }

        _objects.RefuseReference(number);
        return null;
    }

    // With the manifests and numbers that were known there.
    private void ReadAgain(ref WireReader reader, uint number, in SkippedObjects.Place place, ValueSerializer? exact, Type? declared)
    {
        ReadObjects.Turn before = _objects.BeginAgain(number, place);
        int manifests = _manifests.GoTo(place.Manifests, _isNumbered);
        WireReader again = reader.GoBack(place.Begin, place.End, out Input? input);
        byte tag = again.ReadByte();
        _ = exact is null ? ReadTagged(ref again, tag, declared) : ReadBody(ref again, exact);
        if (again.Offset != place.End || _objects.Count != place.ObjectsBehind)
        {
            Throw.Format(WireFormatError.Reference, $"Object {number} takes other bytes when it is read than its layout says.");
        }

        input?.Return();
        _manifests.GoTo(manifests, _isNumbered);
        _objects.EndAgain(before);
    }

    private bool IsTypeKnown(in SkippedObjects.Layout layout, Type? declared, out ValueSerializer? exact)
    {
        exact = layout.Declared is { } shape ? ExactOf(declared, shape, layout.Above) : null;
        return layout.Declared is not null ? exact is not null
            : layout.Manifest is not { HasName: false } || (declared is not null && Serializer.Registry.IsClosed(declared));
    }

    // The bytes say only that the object is of the type that the removed member declared. It can stand in this variable too: where that
    // holds nothing but its own type, the two are one.
    private ValueSerializer? ExactOf(Type? variable, Shape layout, Skipper.Levels? above)
    {
        if (variable is null || !HoldsOwnTypeOnly(variable) || Serializer.Registry.TryExact(variable) is not { } own)
        {
            return null;
        }

        if (!IsTrusted)
        {
            Serializer.Registry.Resolver.Judge(variable);
        }

        return own.Adapt(layout, AdaptContext.Around(Serializer.Registry, above));
    }

    // Of classes that others derive from, the format writes only these without a manifest.
    private static bool HoldsOwnTypeOnly(Type type) =>
        type.GetElementType() is { } element ? (element.IsArray ? HoldsOwnTypeOnly(element) : element.IsValueType || element.IsSealed)
        : !type.IsAbstract && !(type.IsGenericType && type.GetGenericTypeDefinition() is var definition
            && (definition == typeof(Collection<>) || definition == typeof(ReadOnlyCollection<>)));

    private void Locate(Exception exception, ref WireReader reader)
    {
        if (exception is WireFormatException format)
        {
            format.Locate(reader.Offset, Path.Describe(reader.Member, Serializer.Registry));
        }
        else if (exception is UnsupportedTypeException unsupported)
        {
            unsupported.Locate(Path, reader.Member, Serializer.Registry, RootType);
        }
        else
        {
            int member = reader.Member;
            Place.Add(exception, () => Path.Describe(member, Serializer.Registry), reader.Offset);
        }
    }

    // Out of line: seldom.
    private void BeginOther()
    {
        (_manifests, _otherManifests) = (_otherManifests, _manifests);
        _isOther = true;
    }

    private void EndOther()
    {
        (_manifests, _otherManifests) = (_otherManifests, _manifests);
        _isOther = false;
        if (_isNumbered)
        {
            // Read outside of its session, it says nothing of any other message.
            _otherManifests = new ReadManifests();
        }
        else
        {
            _otherManifests.Clear();
        }
    }
}
