using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Quickstart;
using Wire;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

namespace Shop;

/// <summary>
/// Sends messages of two kinds through one variable of their base class and receives them in typed handlers, with confirms, in batches,
/// over a connection each way, and shows how fast that is and what it allocates, for small attachments and for large ones.
/// </summary>
internal sealed class Throughput
{
    private const int Messages = 50_000;
    private const int Batch = 500;

    private readonly Uri _uri;
    private readonly ILoggerFactory _loggers;
    private readonly string _queue = $"shop-documents-{Guid.NewGuid():N}";
    private readonly bool[] _seen;
    private readonly int _payload;
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _sent;
    private int _received;
    private int _wrong;

    private Throughput(Uri uri, ILoggerFactory loggers, int messages, int payload)
    {
        _uri = uri;
        _loggers = loggers;
        _seen = new bool[messages];
        _payload = payload;
    }

    private static WireBodySerializer Serializer { get; } = new(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Document>(),
        ValueSerializerFactories = [ValueSerializerFactory.For(new AttachmentSerializer())],
    });

    /// <summary>Prints the table; false when a message did not come back as it was.</summary>
    public static async Task<bool> RunAsync(Uri uri)
    {
        Console.WriteLine($"{Messages:N0} messages, each confirmed, in batches of {Batch}, and back, over a connection each way:");
        using ILoggerFactory loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Warning));
        await new Throughput(uri, loggers, Messages / 10, 512).MeasureAsync(); // what is compiled and pooled on the way is not counted

        var table = new Table();
        table.Add("attachment", "sent/s", "received/s", "allocated, both directions", "a message");
        bool right = true;
        foreach (int payload in (int[])[512, 16_384])
        {
            var run = new Throughput(uri, loggers, Messages, payload);
            (double sent, double received, long allocated) = await run.MeasureAsync();
            table.Add(
                $"{payload:N0} B",
                $"{Messages / sent:N0}",
                $"{Messages / received:N0}",
                $"{allocated / 1e6:N1} MB",
                $"{(double)allocated / Messages:N0} B");
            right &= run._wrong == 0;
        }

        table.Print();
        return right;
    }

    private async Task<(double Sent, double Received, long Allocated)> MeasureAsync()
    {
        var progress = new Progress();
        await using WireConnection sending = await WireConnection.ConnectAsync(_uri.ToString());
        await using WireConnection receiving = await WireConnection.ConnectAsync(_uri.ToString());
        await receiving.Topology.DeclareQueueAsync(_queue, new AmqpQueueOptions { Exclusive = true });

        // An error queue would outlive the queue, which goes with its connection.
        var options = new WireConsumerOptions { Queue = _queue, PrefetchCount = 64, OnFailure = FailureAction.DeadLetter };
        await using var consumer = new WireConsumer(receiving, Serializer, options, _loggers.CreateLogger<WireConsumer>());
        consumer.Handle<Invoice>((invoice, _) => See(invoice));
        consumer.Handle<DeliveryNote>((note, _) => See(note));
        await using var publisher = new WirePublisher(sending, Serializer, logger: _loggers.CreateLogger<WirePublisher>());

        progress.Step($"{_seen.Length:N0} messages with {_payload:N0} B");
        using var timer = new Timer(
            _ => progress.Detail($"{Volatile.Read(ref _sent):N0} sent, {Volatile.Read(ref _received):N0} received"), null, 200, 200);
        long before = GC.GetTotalAllocatedBytes(precise: true);
        long start = Stopwatch.GetTimestamp();
        await consumer.StartAsync();
        await SendAsync(publisher);
        double sent = Stopwatch.GetElapsedTime(start).TotalSeconds;
        await _all.Task;
        double received = Stopwatch.GetElapsedTime(start).TotalSeconds;
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;
        await timer.DisposeAsync();
        progress.Clear();
        return (sent, received, allocated);
    }

    private async Task SendAsync(WirePublisher publisher)
    {
        using var attachment = new Attachment(_payload);
        attachment.Bytes.Fill(0x5A);
        var batch = new Task[Batch];
        for (int first = 0; first < _seen.Length; first += Batch)
        {
            for (int i = 0; i < Batch; i++)
            {
                long number = first + i;
                Document document =
                    number % 2 == 0 ? new Invoice(number, number / 100m, attachment) : new DeliveryNote(number, "by bicycle", attachment);
                batch[i] = publisher.PublishAsync("", _queue, document).AsTask();
            }

            await Task.WhenAll(batch);
            Volatile.Write(ref _sent, first + Batch);
        }
    }

    private Task See(Document document)
    {
        using Attachment attachment = document.Attachment;
        bool right = attachment.Bytes.Length == _payload
            && attachment.Bytes.IndexOfAnyExcept((byte)0x5A) < 0
            && !Interlocked.Exchange(ref _seen[document.Number], true);
        if (!right)
        {
            Interlocked.Increment(ref _wrong);
        }

        if (Interlocked.Increment(ref _received) == _seen.Length)
        {
            _all.TrySetResult();
        }

        return Task.CompletedTask;
    }
}
