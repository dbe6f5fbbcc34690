using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Tool.Broker.Tests;

/// <summary>A message of the tests.</summary>
public sealed record Order(int Id, string Customer);

/// <summary>A durable queue of one test, and what the test does with it.</summary>
internal sealed class TestQueue : IAsyncDisposable
{
    private readonly AmqpConnection _connection;

    private TestQueue(AmqpConnection connection, AmqpChannel channel, string name)
    {
        _connection = connection;
        Channel = channel;
        Name = name;
    }

    public static string Uri => Testing.Broker.Node.Uri.OriginalString;

    public AmqpChannel Channel { get; }

    public string Name { get; }

    public static async Task<TestQueue> DeclareAsync(
        AmqpQueueOptions? options = null, string? name = null, [CallerMemberName] string test = "")
    {
        AmqpConnection connection = await AmqpConnection.ConnectAsync(Uri).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(new() { IdentifiesMandatory = false }).InTime();
        name ??= Testing.Broker.UniqueName(test);
        await channel.Topology.DeclareQueueAsync(name, options).InTime();
        return new TestQueue(connection, channel, name);
    }

    public static AmqpQueueOptions With(params (string Name, object? Value)[] arguments) =>
        new() { Arguments = arguments.ToDictionary(pair => pair.Name, pair => pair.Value) };

    /// <summary>Runs the tool for the queue.</summary>
    public ToolRun Run(string command, params string[] options) => ToolRun.Start([command, Name, "--uri", Uri, .. options]);

    public async Task PublishAsync(params Order[] orders)
    {
        foreach (Order order in orders)
        {
            await Channel.PublishAsync("", Name, order).AsTask().InTime();
        }
    }

    public Task PublishAsync(string body, BasicProperties properties = default, string exchange = "") => Channel.PublishBytesAsync(
        new BasicPublish { Exchange = exchange, RoutingKey = Name }, properties, Encoding.UTF8.GetBytes(body)).AsTask().InTime();

    /// <summary>Takes all messages out of the queue: their bodies, whether they are redelivered, and a text of their properties.</summary>
    public async Task<List<Taken>> TakeAllAsync()
    {
        var taken = new List<Taken>();
        while (await Channel.GetAsync(Name, noAck: true).InTime() is { } delivery)
        {
            using (delivery)
            {
                BasicProperties properties = delivery.Properties;
                Dictionary<string, object?> headers = properties.Headers.ToDictionary();
                BasicProperties own = properties with
                {
                    ContentType = properties.ContentType.IsNull ? default : properties.ContentType.ToString(),
                    ContentEncoding = properties.ContentEncoding.IsNull ? default : properties.ContentEncoding.ToString(),
                    CorrelationId = properties.CorrelationId.IsNull ? default : properties.CorrelationId.ToString(),
                    ReplyTo = properties.ReplyTo.IsNull ? default : properties.ReplyTo.ToString(),
                    Expiration = properties.Expiration.IsNull ? default : properties.Expiration.ToString(),
                    MessageId = properties.MessageId.IsNull ? default : properties.MessageId.ToString(),
                    Type = properties.Type.IsNull ? default : properties.Type.ToString(),
                    UserId = properties.UserId.IsNull ? default : properties.UserId.ToString(),
                    AppId = properties.AppId.IsNull ? default : properties.AppId.ToString(),
                    Headers = default,
                };
                taken.Add(new(delivery.Body.ToArray(), delivery.Redelivered, own, headers, delivery.Exchange.ToString()));
            }
        }

        return taken;
    }

    public async ValueTask DisposeAsync()
    {
        await using AmqpChannel channel = await _connection.OpenChannelAsync().InTime();
        await channel.Topology.DeleteQueueAsync(Name).InTime();
        await _connection.DisposeAsync();
    }
}

/// <summary>A message that was taken out of a queue.</summary>
internal sealed record Taken(
    byte[] Body, bool Redelivered, BasicProperties Properties, Dictionary<string, object?> Headers, string Exchange)
{
    public string Text => Encoding.UTF8.GetString(Body);
}
