using Microsoft.Extensions.Configuration;

namespace Wire.RabbitMQ.Settings;

/// <summary>
/// Reads the configuration of a broker and its consumers. docs/reference/rabbitmq.md has the same tables of its keys.
/// </summary>
/// <param name="mistakes">What is wrong is added to these, each with the path of its key.</param>
internal sealed class SettingReader(List<string> mistakes)
{
    private const string Consumers = nameof(Consumers);

    // The longest that timers can.
    private const int Longest = 24;

    private static readonly SettingTable<WirePublisherOptions> Publisher = new SettingTable<WirePublisherOptions>()
        .Number(nameof(WirePublisherOptions.MaxChannels), 1, 2047, (options, value) => options with { MaxChannels = value })
        .Number(
            nameof(WirePublisherOptions.MaxInFlight), 1, WirePublisherOptions.InFlightLimit,
            (options, value) => options with { MaxInFlight = value })
        .NumberOrNone(
            nameof(WirePublisherOptions.MaxBytesInFlight), 1, int.MaxValue, (options, value) => options with { MaxBytesInFlight = value })
        .Number(nameof(WirePublisherOptions.MaxWaiting), 1, int.MaxValue, (options, value) => options with { MaxWaiting = value })
        .Flag(nameof(WirePublisherOptions.Mandatory), (options, value) => options with { Mandatory = value })
        .Flag(nameof(WirePublisherOptions.Persistent), (options, value) => options with { Persistent = value })
        .Time(
            nameof(WirePublisherOptions.RecoveryTimeout), mayBeZero: false, most: 1, mayBeInfinite: false,
            (options, value) => options with { RecoveryTimeout = value });

    private static readonly SettingTable<WireRequesterOptions> Requester = new SettingTable<WireRequesterOptions>()
        .Time(
            nameof(WireRequesterOptions.Timeout), mayBeZero: false, Longest, mayBeInfinite: true,
            (options, value) => options with { Timeout = value })
        .Time(
            nameof(WireRequesterOptions.RecoveryTimeout), mayBeZero: false, most: 1, mayBeInfinite: false,
            (options, value) => options with { RecoveryTimeout = value })
        .Number(
            nameof(WireRequesterOptions.ReplyConcurrency), 1, ushort.MaxValue,
            (options, value) => options with { ReplyConcurrency = value });

    private static readonly SettingTable<RetryPolicy> Retry = new SettingTable<RetryPolicy>()
        .Number(nameof(RetryPolicy.MaxAttempts), 1, int.MaxValue, (policy, value) => policy with { MaxAttempts = value })
        .Time(
            nameof(RetryPolicy.Delay), mayBeZero: true, most: 1, mayBeInfinite: false, (policy, value) => policy with { Delay = value })
        .Time(
            nameof(RetryPolicy.MaxDelay), mayBeZero: true, most: 1, mayBeInfinite: false,
            (policy, value) => policy with { MaxDelay = value });

    private static readonly SettingTable<WireConsumerOptions> OfConsumer = new SettingTable<WireConsumerOptions>()
        .Number(
            nameof(WireConsumerOptions.MaxConcurrency), 1, int.MaxValue, (options, value) => options with { MaxConcurrency = value })
        .Number(
            nameof(WireConsumerOptions.PrefetchMultiplier), 1, int.MaxValue,
            (options, value) => options with { PrefetchMultiplier = value })
        .NumberOrNone(
            nameof(WireConsumerOptions.PrefetchCount), 1, ushort.MaxValue,
            (options, value) => options with { PrefetchCount = (ushort?)value })
        .NumberOrNone(
            nameof(WireConsumerOptions.MaxDeliveries), 1, int.MaxValue, (options, value) => options with { MaxDeliveries = value })
        .Section(nameof(WireConsumerOptions.Retry), Retry, options => options.Retry, (options, value) => options with { Retry = value })
        .Choice<FailureAction>(nameof(WireConsumerOptions.OnFailure), (options, value) => options with { OnFailure = value })
        .Text(
            nameof(WireConsumerOptions.ErrorQueue), "the name of a queue", (options, value) => options with { ErrorQueue = value })
        .Flag(nameof(WireConsumerOptions.DeclareErrorQueue), (options, value) => options with { DeclareErrorQueue = value })
        .Number(
            nameof(WireConsumerOptions.DuplicateWindow), 0, int.MaxValue, (options, value) => options with { DuplicateWindow = value })
        .Time(
            nameof(WireConsumerOptions.StopTimeout), mayBeZero: true, most: 1, mayBeInfinite: true,
            (options, value) => options with { StopTimeout = value })
        .Time(
            nameof(WireConsumerOptions.AckDelay), mayBeZero: true, most: 1, mayBeInfinite: false,
            (options, value) => options with { AckDelay = value })
        .Text(
            nameof(WireConsumerOptions.ConsumerTag), "a name at the broker", (options, value) => options with { ConsumerTag = value })
        .Flag(nameof(WireConsumerOptions.Exclusive), (options, value) => options with { Exclusive = value });

    // In this order: what comes first decides how the rest is read.
    private static readonly SettingTable<WireRabbitMQOptions> OfBroker = new SettingTable<WireRabbitMQOptions>()
        .Text(
            "ConnectionString", "a URI as amqp://user:password@host:5672/vhost",
            Do<string>((options, value) =>
            {
                options.UseConnectionString(value);

                // Those of the program are of another broker, and would come before it.
                options.Endpoints.Clear();
            }))
        .Text("VirtualHost", "the name of a virtual host", Do<string>((options, value) => options.ConnectionFactory.VirtualHost = value))
        .Text("UserName", "the name of a user", Do<string>((options, value) => options.ConnectionFactory.UserName = value))
        .Secret("Password", "a password", Do<string>((options, value) => options.ConnectionFactory.Password = value))
        .Text("Endpoints", "hosts, as in rabbit-1:5672,rabbit-2:5672", Do<string>((options, value) => options.UseEndpoints(value)))
        .Text(
            nameof(WireRabbitMQOptions.ConnectionName), "a name at the broker",
            Do<string>((options, value) => options.ConnectionName = value))
        .Time(
            nameof(WireRabbitMQOptions.ConnectTimeout), mayBeZero: false, Longest, mayBeInfinite: false,
            Do<TimeSpan>((options, value) => options.ConnectTimeout = value))
        .Choice(nameof(WireRabbitMQOptions.Transport), Do<WireTransport>((options, value) => options.Transport = value))
        .Section(
            nameof(WireRabbitMQOptions.Publisher), Publisher, options => options.Publisher,
            Do<WirePublisherOptions>((options, value) => options.Publisher = value))
        .Section(
            nameof(WireRabbitMQOptions.Requester), Requester, options => options.Requester,
            Do<WireRequesterOptions>((options, value) => options.Requester = value))
        .Other(Consumers);

    /// <summary>Reads the options of a broker into those that were set in code.</summary>
    /// <param name="options">The options, which are changed.</param>
    /// <param name="section">The section of the broker.</param>
    /// <param name="queues">The queues that the program consumes.</param>
    public void Broker(WireRabbitMQOptions options, IConfigurationSection section, IReadOnlyCollection<string> queues)
    {
        if (!section.Exists())
        {
            mistakes.Add(
                $"{section.Path}: the configuration has nothing under this name. Set {section.Path}:ConnectionString, or call " +
                "AddWireRabbitMQ without a section.");
            return;
        }

        OfBroker.Read(options, section, mistakes);
        Check(options.Validate, section.Path);
        if (section.GetSection(Consumers) is { Value: not null, Path: var path })
        {
            mistakes.Add($"{path} has a value of its own, where there are only names of queues below it.");
        }

        foreach (IConfigurationSection child in section.GetSection(Consumers).GetChildren())
        {
            if (!queues.Contains(child.Key, StringComparer.OrdinalIgnoreCase))
            {
                mistakes.Add(
                    $"{child.Path}: the program has no consumer of a queue '{child.Key}'; it has " +
                    $"{(queues.Count == 0 ? "none" : string.Join(", ", queues.Select(queue => $"'{queue}'")))}.");
            }
        }
    }

    /// <summary>Reads the options of a consumer.</summary>
    /// <param name="options">The options that were set in code.</param>
    /// <param name="section">The section of its broker.</param>
    /// <returns>The options with what the section says.</returns>
    public WireConsumerOptions Consumer(WireConsumerOptions options, IConfigurationSection section)
    {
        IConfigurationSection own = section.GetSection(Consumers).GetSection(options.Queue);
        if (!own.Exists())
        {
            return options;
        }

        WireConsumerOptions configured = OfConsumer.Read(options, own, mistakes);
        Check(configured.Validate, own.Path);
        return configured;
    }

    private static Func<WireRabbitMQOptions, TValue, WireRabbitMQOptions> Do<TValue>(Action<WireRabbitMQOptions, TValue> set) =>
        (options, value) =>
        {
            set(options, value);
            return options;
        };

    private void Check(Action validate, string path)
    {
        try
        {
            validate();
        }
        catch (ArgumentException e)
        {
            mistakes.Add($"{path}: {e.Message}");
        }
    }
}
