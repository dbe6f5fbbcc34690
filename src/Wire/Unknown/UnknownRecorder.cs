using System.Buffers;
using Wire.Format;
using Wire.Manifests;
using Wire.Skipping;

namespace Wire.Unknown;

/// <summary>
/// Records an unknown member while it is skipped: its bytes, and in place of tags, manifests and references the objects that these stand
/// for.
/// </summary>
/// <param name="session">The session.</param>
/// <param name="objects">The objects of the message that are kept.</param>
internal sealed class UnknownRecorder(DeserializerSession session, UnknownReading objects)
{
    private readonly Stack<Open> _open = new();

    // The offset up to which the bytes have been taken or left out.
    private long _taken;
    private long _size;
    private bool _isPaused;
    private bool _isLost;

    /// <summary>Skips a member and records it.</summary>
    /// <returns>Its content; null when that cannot be carried over.</returns>
    public UnknownContent? Record(ref WireReader reader, UnknownStep step)
    {
        _open.Clear();
        _open.Push(new Open(null));
        _size = 0;
        _isLost = !step.Schema.IsWhole(step.Index);
        Resume(ref reader);
        session.Recorder = this;
        try
        {
            Skipper.SkipMember(ref reader, step.Schema.Members[step.Index].Shape);
            Save(ref reader);
        }
        finally
        {
            session.Recorder = null;
        }

        return _isLost ? null : _open.Pop().Close(_size);
    }

    /// <summary>Gives up the member.</summary>
    public void Lose() => _isLost = true;

    /// <summary>Takes the bytes up to the reader's position: before the window moves, and before a tag.</summary>
    public void Save(ref WireReader reader)
    {
        if (!_isPaused)
        {
            Append(reader.Behind((int)(reader.Offset - _taken)));
            _taken = reader.Offset;
        }
    }

    /// <summary>Takes bytes that did not pass through the window; the reader stands behind them.</summary>
    public void Save(ref WireReader reader, ReadOnlySpan<byte> bytes)
    {
        if (!_isPaused)
        {
            Append(bytes);
            _taken = reader.Offset;
        }
    }

    /// <summary>Leaves out a tag and what follows, up to the beginning or end of the object that it stands for.</summary>
    public void Pause() => _isPaused = true;

    /// <summary>Records a reference, behind which the reader stands.</summary>
    public void AddReference(ref WireReader reader, uint number)
    {
        if (!session.IsTracking || number > int.MaxValue)
        {
            Lose();
        }

        Add(ref reader, (int)number, isHome: false);
    }

    /// <summary>Records an object that was skipped before and is recorded already, or else lost. The reader stands behind it.</summary>
    public void AddAgain(ref WireReader reader, int number) => Add(ref reader, number, isHome: true);

    /// <summary>Records an object, at the content of which the reader stands.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="number">The object's number, where it has one.</param>
    /// <param name="manifest">Its manifest; null when there is none.</param>
    /// <param name="tag">The tag in place of a manifest.</param>
    /// <param name="element">The tag of the elements, behind that of a vector.</param>
    public void BeginObject(ref WireReader reader, int number, Manifest? manifest, byte tag, byte element)
    {
        if (_isLost)
        {
            return;
        }

        session.Costs.Charge(UnknownObject.Cost + UnknownContent.CostOfPart);
        UnknownObject begun = session.IsTracking ? objects.Numbered(number) : new UnknownObject(hasIdentity: false);
        begun.SetType(manifest?.Kept, manifest is null ? tag == Tag.Declared : !manifest.HasName);
        _open.Peek().Add(begun, isHome: true);
        _open.Push(new Open(begun));
        if (manifest is null)
        {
            Append(tag == Tag.Vector ? [tag, element] : [tag]);
        }

        Resume(ref reader);
    }

    /// <summary>Ends the innermost object, behind which the reader stands.</summary>
    public void EndObject(ref WireReader reader)
    {
        if (!_isLost)
        {
            Save(ref reader);
            Open ended = _open.Pop();
            ended.Object!.SetContent(ended.Close(0));
        }
    }

    private void Add(ref WireReader reader, int number, bool isHome)
    {
        if (!_isLost)
        {
            session.Costs.Charge(UnknownContent.CostOfPart);
            _open.Peek().Add(objects.Numbered(number), isHome);
        }

        Resume(ref reader);
    }

    private void Resume(ref WireReader reader)
    {
        _isPaused = false;
        _taken = reader.Offset;
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        if (!_isLost && bytes.Length > 0)
        {
            session.Costs.Charge(bytes.Length);
            _open.Peek().Bytes.Write(bytes);
            _size += bytes.Length;
        }
    }

    /// <summary>A member or object that is being recorded.</summary>
    private sealed class Open(UnknownObject? recorded)
    {
        private readonly List<UnknownPart> _parts = [];

        public UnknownObject? Object => recorded;

        public ArrayBufferWriter<byte> Bytes { get; } = new();

        public void Add(UnknownObject part, bool isHome) => _parts.Add(new UnknownPart(Bytes.WrittenCount, part, isHome));

        public UnknownContent Close(long size) => new(Bytes.WrittenSpan.ToArray(), [.. _parts], size);
    }
}
