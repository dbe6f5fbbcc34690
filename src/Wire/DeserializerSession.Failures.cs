using System.Diagnostics.CodeAnalysis;
using Wire.AsyncSequences;
using Wire.Buffers;
using Wire.Errors;
using Wire.Sessions;
using Wire.Skipping;
using Wire.Values;

namespace Wire;

/// <content>A message that cannot be read: what is said of it, and what it has defined all the same.</content>
public sealed partial class DeserializerSession
{
    /// <summary>Ends a message that cannot be read: says where, and keeps what it has defined.</summary>
    internal void Fail(Exception exception, ref WireReader reader, ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        Type type = RootType;
        try
        {
            Locate(exception, ref reader);
            if (IsLasting && !_isOther)
            {
                LearnFromFailed(window, input, whole);
            }
        }
        finally
        {
            _rest = null;
            Sequences = null;
            _sequence?.Detach();
            _stream?.Detach();
            Forget();
        }

        (exception as TypeRefusedException)?.Report(Serializer.Options.TypeRefused, type);
    }

    /// <summary>The async sequences behind the value that is being read; null for most messages.</summary>
    internal ReadSequences? Sequences;

    /// <summary>Refuses the message that has just been read, because its value is not of the requested type.</summary>
    [DoesNotReturn]
    internal void RefuseRoot<T>(object value)
    {
        _manifests.KeepInDoubt();
        WireFormatException e = ObjectFormat.OtherRoot(typeof(T), value);
        e.Locate(_end, "");
        throw e;
    }

    /// <summary>Refuses the message that has just been read, because its value could not be read into the caller's object.</summary>
    [DoesNotReturn]
    internal void RefuseInto(object? value, object into)
    {
        _manifests.KeepInDoubt();
        Type type = into.GetType();
        var e = new WireFormatException(
            WireFormatError.TypeMismatch,
            $"The program gave an object of type {type} to read into, and the payload holds "
            + (value is null ? "null. " : value.GetType() != type ? $"one of type {value.GetType()}. "
                : value is Array ? "an array of another length. " : "one whose comparer is another, or is read as an object. ")
            + "Leave out the object to read into.");
        e.Locate(_end, "");
        throw e;
    }

    // A failed message of a session may have defined types, and its writer relies on that. So the message is skipped from its beginning, by
    // the shapes that it carries, to collect its definitions. A message that cannot be skipped has defined nothing. Input that cannot be
    // read again has defined what had been read when it failed.
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
            IsPassingOver = true;
            _manifests.TakeBack();
            input?.Rewind();
            _objects.Clear();
            Path.Start(_ownThread);
            var reader = new WireReader(this, window, input);
            Skipper.SkipRoot(ref reader, Serializer.Registry.TypedPlans.Find(RootType));
            CheckEnd(ref reader, reader.Unread + (input?.Left ?? 0), whole);
            return true;
        }
        catch (Exception)
        {
            // The bytes are damaged or cannot be read again. The caller gets the error of the message itself.
            return false;
        }
        finally
        {
            IsPassingOver = false;
        }
    }

    private void Locate(Exception exception, ref WireReader reader)
    {
        if (exception is WireFormatException format)
        {
            format.Locate(reader.Offset, Path.Describe(reader.Member, Serializer.Registry));
        }
        else if (exception is UnsupportedTypeException unsupported)
        {
            unsupported.Locate(
                Path.Describe(reader.Member, Serializer.Registry), Path.LastOwner(reader.Member, Serializer.Registry), RootType);
        }
        else
        {
            int member = reader.Member;
            ErrorLocation.Add(exception, () => Path.Describe(member, Serializer.Registry), reader.Offset);
        }
    }

    [DoesNotReturn]
    private void Refuse()
    {
        if (_disposed)
        {
            ThrowHelper.SessionEnded(this);
        }

        if (_closed)
        {
            ThrowHelper.SessionContradicted();
        }

        ThrowHelper.SessionInUse();
    }

    private WireFormatException TooDeep(GraphPath path, int step) => new(
        WireFormatError.Limit,
        $"The payload is nested deeper than Limits.MaxDepth = {Limits.MaxDepth}. Raise the limit only for input that you trust.");
}
