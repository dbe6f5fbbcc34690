using Microsoft.Extensions.Configuration;
using Wire.RabbitMQ.Settings;

namespace Wire.RabbitMQ.Hosting;

/// <summary>
/// A broker of a program, as it was added to its services: the name, options, consumers and declarations. Its configuration is read when
/// something of it is first needed, which is when the host starts.
/// </summary>
internal sealed class HostedBroker
{
    private readonly WireRabbitMQOptions _options;
    private readonly IConfigurationSection? _section;
    private readonly Lazy<IReadOnlyList<string>> _mistakes;

    public HostedBroker(string? name, WireRabbitMQOptions options, IConfigurationSection? section)
    {
        (Name, _options, _section) = (name, options, section);
        _mistakes = new Lazy<IReadOnlyList<string>>(Configure);
    }

    /// <summary>Gets the name, which is the key of its services; null for the broker without one.</summary>
    public string? Name { get; }

    /// <summary>Gets the consumers.</summary>
    public List<ConsumerRegistration> Consumers { get; } = [];

    /// <summary>Gets what declares when the host starts, in this order.</summary>
    public List<Declaration> Declarations { get; } = [];

    /// <summary>Gets what makes the middleware of the publisher, after that of the options.</summary>
    public List<Func<IServiceProvider, IPublishMiddleware>> PublishMiddleware { get; } = [];

    /// <summary>Gets the topology of the declarations that is known.</summary>
    public WireTopology Declared { get; } = new();

    /// <summary>Gets the options, with what the configuration says.</summary>
    /// <exception cref="InvalidOperationException">The configuration has mistakes.</exception>
    public WireRabbitMQOptions Options
    {
        get
        {
            Require([this]);
            return _options;
        }
    }

    /// <summary>Gets or sets the conventions, before the host starts.</summary>
    public WireConventions? Conventions
    {
        get => _options.Conventions;
        set => _options.Conventions = value;
    }

    /// <summary>Returns the options of a consumer, with what the configuration says.</summary>
    /// <exception cref="InvalidOperationException">The configuration has mistakes.</exception>
    public WireConsumerOptions OptionsOf(ConsumerRegistration consumer)
    {
        var mistakes = new List<string>();
        WireConsumerOptions configured = Configured(consumer, mistakes);
        Require(mistakes);
        return _options.Effective(configured);
    }

    /// <summary>Returns the options of the publisher, with all of its middleware.</summary>
    /// <exception cref="InvalidOperationException">The configuration has mistakes.</exception>
    public WirePublisherOptions PublisherOptions(IServiceProvider provider)
    {
        WirePublisherOptions options = Options.EffectivePublisher;
        return options with { Middleware = [.. options.Middleware, .. PublishMiddleware.Select(make => make(provider))] };
    }

    /// <summary>Reads the configurations of brokers, unless they have been read.</summary>
    /// <exception cref="InvalidOperationException">They have mistakes: the message names all of them.</exception>
    public static void Require(IEnumerable<HostedBroker> brokers) => Require([.. brokers.SelectMany(broker => broker._mistakes.Value)]);

    private static void Require(List<string> mistakes)
    {
        if (mistakes.Count != 0)
        {
            throw new InvalidOperationException(
                $"The configuration of RabbitMQ is wrong in {mistakes.Count} " +
                $"{(mistakes.Count == 1 ? "place" : "places")}:{string.Concat(mistakes.Select(mistake => $"\n- {mistake}"))}");
        }
    }

    private WireConsumerOptions Configured(ConsumerRegistration consumer, List<string> mistakes) => _section is null
        ? consumer.Options
        : new SettingReader(mistakes).Consumer(consumer.Options, _section);

    private List<string> Configure()
    {
        var mistakes = new List<string>();
        if (_section is null)
        {
            return mistakes;
        }

        new SettingReader(mistakes).Broker(_options, _section, [.. Consumers.Select(consumer => consumer.Options.Queue)]);
        foreach (ConsumerRegistration consumer in Consumers)
        {
            Configured(consumer, mistakes);
        }

        return mistakes;
    }
}
