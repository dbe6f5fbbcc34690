using System.Diagnostics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// The span of one message that is published, from the call to the end of its task. It exists only while someone listens.
/// </summary>
internal readonly struct SendSpan
{
    private readonly Activity? _own;

    /// <summary>Begins, as a child of the caller's span.</summary>
    public SendSpan(string stream)
    {
        Activity? caller = Activity.Current;
        _own = StreamSpans.Start(Attributes.Publish, stream);
        Current = _own ?? caller;

        // It goes on after the call has returned, and must not become the parent of the caller's next spans.
        Activity.Current = caller;
    }

    /// <summary>Gets the span that goes into the message: its own, or the caller's where no one wants this one; null for none.</summary>
    public Activity? Current { get; }

    /// <summary>Ends, with a reason where it failed.</summary>
    public void Stop(Exception? error = null) => StreamSpans.Stop(_own, error);
}
