using Wire.Buffers;
using Wire.Format;

namespace Wire;

/// <content>What stays of messages that fail, and messages of the other kind than the session's.</content>
public sealed partial class DeserializerSession
{
    // A failed message of a session has told types all the same, and its writer counts on that. So it is passed over, from its
    // beginning, by the shapes that it carries; what cannot be passed over has told nothing.
    private void TakeBack(ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        bool isSound = TryPassOver(window, input, whole);
        if (_manifests.IsContradictory)
        {
            _closed = true;
        }

        if (isSound)
        {
            _manifests.KeepInDoubt();
        }
        else
        {
            _manifests.TakeBack();
        }
    }

    private bool TryPassOver(ReadOnlySpan<byte> window, Input? input, bool whole)
    {
        _manifests.TakeBack();
        if (_manifests.IsContradictory)
        {
            return false;
        }

        try
        {
            if (input?.TryRewind() == false)
            {
                return false;
            }

            _objects.Clear();
            Path.Begin(_ownThread);
            var reader = new WireReader(this, window, input);
            Skipper.SkipRoot(ref reader, _lastTypedRoot as TypedRoot);
            CheckEnd(ref reader, reader.Unread + (input?.Left ?? 0), whole);
            return true;
        }
        catch (Exception e) when (e is WireFormatException or IOException or ObjectDisposedException or NotSupportedException)
        {
            // The bytes are damaged, or cannot be had again. What the caller gets is why the message itself could not be read.
            return false;
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
