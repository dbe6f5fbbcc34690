using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// Publishes numbered messages over one connection and consumes them over another while a fault happens again and again, and counts what
/// becomes of each. A message that fails visibly is published again, as a program would, until it is confirmed. When the faults come and
/// what they do is a matter of the seed: they come at counts of messages, and one begins when that before it is over.
/// </summary>
internal sealed class FaultRun : IAsyncDisposable
{
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(5);

    private static readonly WireBodySerializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Numbered>() });

    private readonly Fault _fault;
    private readonly FaultSettings _settings;
    private readonly Random _random;
    private readonly int[] _counts;
    private readonly Lock _gate = new();
    private readonly List<Task> _strikes = [];
    private TaskCompletionSource? _held;
    private TaskCompletionSource? _handlersHeld;
    private int _next = -1;
    private int _running;
    private int _peak;
    private bool _isSettled;

    private FaultRun(Fault fault, FaultSettings settings, FaultLink publishing, FaultLink consuming)
    {
        _fault = fault;
        _settings = settings;
        _random = new Random(settings.Seed);
        _counts = Counts(settings, _random);
        Publishing = publishing;
        Consuming = consuming;
        Publisher = publishing.Connection.Publisher(
            Serializer, settings.Gathers ? new WirePublisherOptions().Gathering<Numbered>() : null);
        Consumer = NewConsumer();
    }

    /// <summary>What is published over.</summary>
    public FaultLink Publishing { get; }

    /// <summary>What is consumed over.</summary>
    public FaultLink Consuming { get; }

    public WirePublisher Publisher { get; }

    public WireConsumer Consumer { get; private set; }

    public Ledger Ledger { get; } = new();

    /// <summary>How many messages the consumer is sent ahead.</summary>
    public ushort Prefetch => _settings.Prefetch;

    public string Queue { get; } = $"faults-{Guid.NewGuid():N}";

    // One retry more than are expected, which would be found.
    private DelayedRetryPolicy Delayed => new()
    {
        MaxRetries = _settings.Retries + 1,
        Delay = TimeSpan.FromMilliseconds(100),
        MaxDelay = TimeSpan.FromMilliseconds(400),
        Jitter = 0.2,
    };

    private IEnumerable<string> DelayQueues => _settings.Retries == 0
        ? []
        : Delayed.Levels().Select(level => level.QueueFor(Queue)).Distinct();

    /// <summary>Makes a run.</summary>
    public static async Task<FaultResult> RunAsync(Fault fault, FaultSettings settings)
    {
        await using FaultLink publishing = await FaultLink.ConnectAsync(settings.Transport, settings.Factory, fault.Heartbeat);
        await using FaultLink consuming = await FaultLink.ConnectAsync(settings.Transport, settings.Factory, fault.Heartbeat);
        await using var run = new FaultRun(fault, settings, publishing, consuming);
        await run.DeclareAsync();
        await run.Consumer.StartAsync().InTime();
        return await run.RunAsync();
    }

    /// <summary>Waits until something is so, and fails when that takes for ever.</summary>
    public async Task UntilAsync(Func<bool> condition, string what)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (!condition())
        {
            if (patience.IsCancellationRequested)
            {
                throw new TimeoutException($"{_fault}: {what} has not come about within {Patience.Limit.TotalSeconds} s: {Result(0)}");
            }

            await Task.Delay(Look);
        }
    }

    /// <summary>Publishes nothing more until <see cref="Resume"/>, and waits until all is delivered that was confirmed.</summary>
    public async Task HoldAsync()
    {
        lock (_gate)
        {
            _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        await UntilAsync(() => Ledger.IsSettled, "the delivery of what was confirmed");
    }

    /// <summary>Publishes again.</summary>
    public void Resume()
    {
        lock (_gate)
        {
            _held?.SetResult();
            _held = null;
        }
    }

    /// <summary>Lets no handler end until <see cref="ResumeHandlers"/>: further deliveries wait for those that run.</summary>
    public void HoldHandlers()
    {
        lock (_gate)
        {
            _handlersHeld = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>Whether as many handlers run as may.</summary>
    public bool IsBusy => Volatile.Read(ref _running) == _settings.MaxConcurrency;

    /// <summary>Lets handlers end again.</summary>
    public void ResumeHandlers()
    {
        lock (_gate)
        {
            _handlersHeld?.SetResult();
            _handlersHeld = null;
        }
    }

    /// <summary>Stops the consumer, has something done, and starts another.</summary>
    public async Task WithoutConsumerAsync(Func<Task> meanwhile)
    {
        await Consumer.StopAsync().InTime();
        await meanwhile();
        Consumer = NewConsumer();
        while (true)
        {
            try
            {
                await Consumer.StartAsync().InTime();
                return;
            }
            catch (Exception e) when (e is not TimeoutException)
            {
                // The connection went down in between. A consumer is started once.
                await Consumer.DisposeAsync();
                Consumer = NewConsumer();
            }
        }
    }

    /// <summary>Does something over a connection that nothing harms.</summary>
    public async Task<T> DirectlyAsync<T>(Func<IChannel, Task<T>> action)
    {
        await using IConnection connection = await _settings.Factory().CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        return await action(channel).InTime();
    }

    /// <summary>Declares the queue, as it was.</summary>
    public Task DeclareAsync() => DirectlyAsync(channel => channel.QueueDeclareAsync(
        Queue, durable: true, exclusive: false, autoDelete: false, _settings.Queue));

    public async ValueTask DisposeAsync()
    {
        await Consumer.DisposeAsync().AsTask().InTime();
        await Publisher.DisposeAsync().AsTask().InTime();
        if (_isSettled)
        {
            // Otherwise the reason may be why these cannot be deleted either.
            foreach (string queue in (string[])[Queue, Queue + ".error", .. DelayQueues])
            {
                await DirectlyAsync(channel => channel.QueueDeleteAsync(queue));
            }
        }
    }

    private static int[] Counts(FaultSettings settings, Random random)
    {
        // Each has messages before and after it that a fault within so many bytes meets.
        double gap = (double)settings.Messages / (settings.Times + 1);
        return [.. Enumerable.Range(1, settings.Times).Select(time => (int)(gap * (time - (random.NextDouble() / 2))))];
    }

    private async Task<FaultResult> RunAsync()
    {
        // Each failure is that of the run, and none is waited for longer than the first.
        Task publishing = Task.WhenAll(Enumerable.Range(0, _settings.Publishers).Select(_ => Task.Run(PublishAsync)));
        await publishing;
        await Task.WhenAll(_strikes);
        await UntilAsync(() => Ledger.IsSettled, "the delivery of what was confirmed");
        _isSettled = true;

        // What was not confirmed may be there as well, and what comes out of a delay queue is for a moment in none.
        for (int quiet = 0; quiet < (_settings.Retries == 0 ? 1 : 20);)
        {
            quiet = await CountAsync(Queue) + await CountDelayedAsync() == 0 ? quiet + 1 : 0;
            await Task.Delay(_settings.Retries == 0 ? Look : Look * 10);
        }

        await Consumer.StopAsync().InTime();
        return Ledger.Unexpected is []
            ? Result(await CountAsync(Queue) + await CountErrorsAsync() + await CountDelayedAsync())
            : throw new AggregateException(Ledger.Unexpected);
    }

    private FaultResult Result(uint left) => Ledger.Result(_fault.Name, _strikes.Count, Volatile.Read(ref _peak), left);

    // A broker that is killed may have forgotten a queue that was declared shortly before: the consumer declares it anew when it needs it.
    private async Task<uint> CountErrorsAsync()
    {
        try
        {
            return await CountAsync(Queue + ".error");
        }
        catch (OperationInterruptedException e) when (e.ShutdownReason?.ReplyCode == Constants.NotFound)
        {
            return 0;
        }
    }

    private async Task<uint> CountDelayedAsync()
    {
        uint count = 0;
        foreach (string queue in DelayQueues)
        {
            count += await CountAsync(queue);
        }

        return count;
    }

    private Task<uint> CountAsync(string queue) => DirectlyAsync(channel => channel.MessageCountAsync(queue));

    private async Task PublishAsync()
    {
        for (int number; (number = Interlocked.Increment(ref _next)) < _settings.Messages;)
        {
            await ReachAsync(number);
            while (!await TryPublishAsync(number))
            {
                if (HasStrikeFailed)
                {
                    return; // which is the failure of the run
                }

                // Again: this is what the exception says.
                await Task.Delay(_settings.Pause);
            }
        }
    }

    private bool HasStrikeFailed
    {
        get
        {
            lock (_gate)
            {
                return _strikes.Exists(strike => strike.IsFaulted);
            }
        }
    }

    private async Task<bool> TryPublishAsync(int number)
    {
        int copy;
        while (true)
        {
            Task? held;
            lock (_gate)
            {
                held = _held?.Task;
                if (held is null)
                {
                    copy = Ledger.Publish();
                    break;
                }
            }

            await held.InTime();
        }

        try
        {
            Numbered message = number % 50 == 0 ? new Large(number, copy, new byte[2_000]) : new Plain(number, copy, "a message");
            await Publisher.PublishAsync("", Queue, message, new PublishOptions { MessageId = $"{Queue}-{number}" }).AsTask().InTime();
            Ledger.Confirm(copy);
            return true;
        }
        catch (TimeoutException)
        {
            throw; // It has not ended, and nobody waits longer.
        }
        catch (Exception e)
        {
            Ledger.Fail(e);
            return e is not (AmqpPublishException or AmqpConnectionException);
        }
    }

    /// <summary>Begins the faults whose count this is, and waits for those before.</summary>
    private async Task ReachAsync(int number)
    {
        Task before;
        lock (_gate)
        {
            while (_strikes.Count < _counts.Length && _counts[_strikes.Count] <= number)
            {
                Task last = _strikes.LastOrDefault() ?? Task.CompletedTask;
                _strikes.Add(Task.Run(() => StrikeAsync(last)));
            }

            before = _strikes.Count < 2 ? Task.CompletedTask : _strikes[^2];
        }

        await before;
    }

    private async Task StrikeAsync(Task last)
    {
        await last;
        await _fault.Strike(this, _random);
    }

    private WireConsumer NewConsumer()
    {
        var options = new WireConsumerOptions
        {
            Queue = Queue,
            MaxConcurrency = _settings.MaxConcurrency,
            PrefetchCount = Prefetch,
            Retry = _settings.Retries == 0 ? RetryPolicy.Default : RetryPolicy.None with { Delayed = Delayed },
        };
        return Consuming.Connection.Consumer(Serializer, options).Handle<Numbered>(HandleAsync);
    }

    private Task HandlersMayEnd()
    {
        lock (_gate)
        {
            return _handlersHeld?.Task ?? Task.CompletedTask;
        }
    }

    private async Task HandleAsync(Numbered message, MessageContext context)
    {
        int running = Interlocked.Increment(ref _running);
        for (int peak; running > (peak = Volatile.Read(ref _peak));)
        {
            Interlocked.CompareExchange(ref _peak, running, peak);
        }

        bool isLast = context.DelayedRetries >= _settings.Retries;
        if (isLast)
        {
            Ledger.Deliver(message.Copy, context.Redelivered || context.Duplicate);
        }

        if (context.DelayedRetries > _settings.Retries)
        {
            Ledger.DeliverTooOften();
        }

        // Some take a while, so that there are always some that a fault meets, and so that they do not end in their order.
        await (message.Number % 2 == 0 ? Task.Delay(message.Number % 8) : Task.CompletedTask);
        await HandlersMayEnd();
        Interlocked.Decrement(ref _running);
        if (!isLast)
        {
            throw new InvalidOperationException("Later.");
        }
    }
}
