using System.Buffers;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Skipping;
using Wire.Values;

namespace Wire.Incremental;

/// <summary>
/// Reads the elements of a collection in a payload from what has come of it. Each is passed over first, by its shape alone: only what is
/// there whole is read, so that no code of the program meets half a value.
/// </summary>
/// <param name="serializer">The serializer.</param>
/// <param name="path">The path to the collection; empty for the root.</param>
internal sealed class ElementReading<T>(Serializer serializer, string path)
{
    private readonly PartialInput _partial = new();
    private readonly SequenceInput _whole = new();

    // Null until the first element has been found.
    private DeserializerSession? _session;
    private Shape _element = Shape.TaggedOnly;
    private ValueSerializer<T>? _slot;
    private uint _left;
    private int _index;
    private long _offset;

    /// <summary>Gets whether all elements have been read.</summary>
    public bool IsDone => _session is not null && _left == 0;

    /// <summary>Reads the next element.</summary>
    /// <param name="bytes">What has come and has not been read; what has been read is taken off.</param>
    /// <param name="isEnd">True if no more will come.</param>
    /// <param name="value">The element.</param>
    /// <returns>False where more bytes are needed, and at the end.</returns>
    public bool TryRead(ref ReadOnlySequence<byte> bytes, bool isEnd, out T? value)
    {
        value = default;
        if ((_session is null && !TryFind(ref bytes, isEnd)) || _left == 0 || !TryPass(bytes, isEnd, out long length))
        {
            return CheckSize(bytes);
        }

        value = Read(bytes.Slice(0, length));
        bytes = bytes.Slice(length);
        _offset += length;
        _left--;
        _index++;
        return true;
    }

    private bool CheckSize(in ReadOnlySequence<byte> bytes)
    {
        int most = serializer.Options.Limits.MaxFrameBytes;
        if (!IsDone && bytes.Length > most)
        {
            ThrowHelper.Limit(
                nameof(Limits.MaxFrameBytes), most, _session is null ? "What stands in front of the elements" : $"The element {_index}");
        }

        return false;
    }

    // From the beginning each time.
    private bool TryFind(ref ReadOnlySequence<byte> bytes, bool isEnd)
    {
        var session = new DeserializerSession(serializer, ownThread: true);
        ReadOnlyMemory<byte> memory = bytes.IsSingleSegment ? bytes.First : bytes.ToArray();
        _partial.Attach(new ReadOnlySequence<byte>(memory));
        session.BeginMessage(typeof(T));
        session.Path.Start(sameThread: false);
        var reader = new PartReader(session, memory.Span, _partial);
        try
        {
            if (!reader.TryFind(PathStep.Parse(path), readsAll: false))
            {
                throw PathStep.NoValue(path);
            }

            if (session.IsTracking)
            {
                ThrowHelper.Format(
                    WireFormatError.Reference,
                    "The payload has references between its objects, which elements that are read one by one cannot follow. Read it whole, "
                    + "with Deserialize; or write it without SerializerOptions.PreserveObjectReferences, or its elements as an "
                    + "IAsyncEnumerable, each of which has references of its own.");
            }

            if (!reader.TryEnterElements(out _left, out Shape? element))
            {
                ThrowHelper.Format(WireFormatError.TypeMismatch, "The value has no elements: it is no collection, or null.");
            }

            _element = element!;
            _slot = PartReader.SlotOf<T>(session, _element);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.Truncated && !isEnd)
        {
            return false;
        }
        catch (Exception e)
        {
            session.Fail(e, ref reader.In, default, null, whole: false);
            throw;
        }

        _session = session;
        _offset = reader.In.Offset;
        bytes = bytes.Slice(_offset);
        return true;
    }

    private bool TryPass(in ReadOnlySequence<byte> bytes, bool isEnd, out long length)
    {
        DeserializerSession session = _session!;
        int manifests = session.ManifestCount;
        _partial.Attach(bytes);
        var reader = new WireReader(session, default, _partial, _offset);
        session.Path.Start(sameThread: false);
        length = 0;
        try
        {
            Skipper.Skip(ref reader, _element);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.Truncated && !isEnd)
        {
            session.Manifests.GoTo(manifests, session.IsNumbered);
            return false;
        }
        catch (Exception e)
        {
            Fail(e, ref reader);
            throw;
        }

        session.Manifests.GoTo(manifests, session.IsNumbered);
        length = reader.Offset - _offset;
        return true;
    }

    private T? Read(in ReadOnlySequence<byte> element)
    {
        DeserializerSession session = _session!;
        _whole.Attach(element);
        var reader = new WireReader(session, default, _whole, _offset);
        session.Path.Start(sameThread: false);
        session.Costs.BeginMessage();
        try
        {
            T? value = PartReader.Read(ref reader, _element, _slot);
            session.EndForeignGraph();
            return value;
        }
        catch (Exception e)
        {
            Fail(e, ref reader);
            throw;
        }
    }

    private void Fail(Exception e, ref WireReader reader)
    {
        _session!.Path.Prefix = $"{path}[{_index}]";
        _session.Fail(e, ref reader, default, null, whole: false);
    }
}
