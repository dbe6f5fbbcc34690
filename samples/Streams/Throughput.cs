using System.Diagnostics;
using Quickstart;
using Wire.RabbitMQ.Streams;

namespace Sensors;

/// <summary>Publishes readings and reads them back, typed, and shows how far it is and how fast that goes.</summary>
internal sealed class Throughput
{
    private readonly StreamClient _client;
    private readonly string _stream;
    private readonly int _messages;
    private readonly Progress _progress = new();
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _done;
    private long _wrong;

    private Throughput(StreamClient client, string stream, int messages)
    {
        _client = client;
        _stream = stream;
        _messages = messages;
    }

    /// <summary>Prints the table; false when a message did not come back as it was, in its place.</summary>
    public static async Task<bool> RunAsync(StreamClient client, int messages)
    {
        string stream = $"readings-{Guid.NewGuid():N}";
        await client.CreateStreamAsync(stream);
        try
        {
            var run = new Throughput(client, stream, messages);
            var table = new Table();
            table.Add($"{messages:N0} readings", "seconds", "messages/s", "allocated a message");
            await run.MeasureAsync(table, "published, confirmed", run.PublishAsync);
            await run.MeasureAsync(table, "read", run.ReadAsync);
            table.Print();
            return run._wrong == 0;
        }
        finally
        {
            await client.DeleteStreamAsync(stream);
        }
    }

    private async Task MeasureAsync(Table table, string what, Func<Task> work)
    {
        _done = 0;
        long start = Stopwatch.GetTimestamp();
        long allocated = GC.GetTotalAllocatedBytes();
        _progress.Step(what);
        await using (new Timer(_ => _progress.Detail($"{Volatile.Read(
            ref _done):N0}, {Volatile.Read(ref _done) / Stopwatch.GetElapsedTime(start).TotalSeconds:N0}/s"), null, 200, 200))
        {
            await work();
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        allocated = GC.GetTotalAllocatedBytes() - allocated;
        _progress.Clear();
        table.Add(what, $"{seconds:N2}", $"{_messages / seconds:N0}", $"{(double)allocated / _messages:N0} B");
    }

    private async Task PublishAsync()
    {
        #region publish fast
        await using StreamProducer producer = await _client.CreateProducerAsync(_stream, new StreamProducerOptions
        {
            Confirmed = range => Volatile.Write(ref _done, (long)range.Last), // told for many at a time
        });
        for (int i = 0; i < _messages; i++)
        {
            await producer.EnqueueAsync(ReadingOf(i)); // waits only while too much is on its way
        }

        await producer.FlushAsync(); // all of them are confirmed
        #endregion
    }

    private async Task ReadAsync()
    {
        await using StreamConsumer consumer = await _client.ConsumeAsync<Reading>(
            _stream,
            (reading, message) =>
            {
                if (!reading.Equals(ReadingOf((int)message.Offset)))
                {
                    _wrong++;
                }

                if (Interlocked.Increment(ref _done) == _messages)
                {
                    _all.TrySetResult();
                }

                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await await Task.WhenAny(_all.Task, consumer.Completion);
    }

    private static Reading ReadingOf(int i) => i % 1000 == 0 ? new Alarm(i % 16, i, "too hot") : new Temperature(i % 16, i, i / 8.0);
}
