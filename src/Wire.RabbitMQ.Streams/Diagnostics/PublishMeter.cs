using System.Diagnostics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// Counts the outcomes of a producer's messages while someone listens: noted under its gate, and told outside of all locks. Thread-safe.
/// </summary>
internal sealed class PublishMeter(string stream)
{
    private readonly Lock _gate = new();
    private readonly List<Failure> _failed = [];
    private long _confirmed;
    private uint _written;
    private volatile bool _hasNews;

    /// <summary>Gets whether someone listens.</summary>
    public static bool IsOn => Telemetry.Sent.Enabled || Telemetry.OperationDuration.Enabled;

    /// <summary>Gets the time for <see cref="Confirmed"/>, in microseconds of any beginning; 0 if no one wants it.</summary>
    public static uint Now => Telemetry.OperationDuration.Enabled ? Clock() : 0;

    /// <summary>Messages were confirmed.</summary>
    /// <param name="messages">How many.</param>
    /// <param name="written">When the first of them was written; 0 where that was not noted.</param>
    public void Confirmed(long messages, uint written)
    {
        lock (_gate)
        {
            _confirmed += messages;
            _written = written;
            _hasNews = true;
        }
    }

    /// <summary>Messages have failed, if someone listens.</summary>
    /// <param name="messages">How many.</param>
    /// <param name="code">The broker's answer; null where it has said nothing.</param>
    /// <param name="reason">Why it is not known whether it has them; null where it has answered.</param>
    /// <param name="wasSent">Whether the broker may have them.</param>
    /// <param name="written">When they were written; 0 where that was not noted.</param>
    public void Failed(long messages, StreamResponseCode? code, Exception? reason, bool wasSent, uint written)
    {
        if (IsOn)
        {
            string error = code?.ToString() ?? (reason is TimeoutException ? Telemetry.Late : Telemetry.Unconfirmed);
            lock (_gate)
            {
                _failed.Add(new Failure(messages, error, wasSent, written));
                _hasNews = true;
            }
        }
    }

    /// <summary>Tells what has been noted.</summary>
    public void Tell()
    {
        if (!_hasNews)
        {
            return;
        }

        long confirmed;
        uint written;
        Failure[] failed;
        lock (_gate)
        {
            (confirmed, written, failed) = (_confirmed, _written, [.. _failed]);
            (_confirmed, _written, _hasNews) = (0, 0, false);
            _failed.Clear();
        }

        try
        {
            Tell(confirmed, written, failed);
        }
        catch (Exception e)
        {
            StreamSpans.Report(e);
        }
    }

    private void Tell(long confirmed, uint written, Failure[] failed)
    {
        TagList tags = Telemetry.Tags(Attributes.Publish, stream);
        if (confirmed > 0)
        {
            Telemetry.Sent.Add(confirmed, tags);
        }

        if (written != 0)
        {
            Telemetry.OperationDuration.Record(SecondsSince(written), tags);
        }

        foreach (Failure each in failed)
        {
            TagList of = Telemetry.Tags(Attributes.Publish, stream, error: each.Error);
            if (each.WasSent)
            {
                Telemetry.Sent.Add(each.Messages, of);
            }

            // Each of them, as they are counted by it.
            for (long i = 0; each.Written != 0 && i < each.Messages; i++)
            {
                Telemetry.OperationDuration.Record(SecondsSince(each.Written), of);
            }
        }
    }

    // It wraps after more than an hour.
    private static double SecondsSince(uint written) => unchecked(Clock() - written) / 1e6;

    private static uint Clock() => (uint)(Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1_000_000)) | 1;

    private readonly record struct Failure(long Messages, string Error, bool WasSent, uint Written);
}
