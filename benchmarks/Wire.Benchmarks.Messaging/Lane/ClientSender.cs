using System.Net.Security;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Benchmarks.Messaging.RabbitMQ;
using Wire.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>RabbitMQ.Client without confirms, its properties made once: the least that it does for a message.</summary>
/// <param name="objects">Whether each message is an object that is serialized, and not bytes as they are.</param>
internal sealed class ClientSender(bool objects) : Sender(objects ? "RabbitMQ.Client, objects" : "RabbitMQ.Client, byte[]")
{
    private IConnection? _connection;
    private IChannel[] _channels = [];
    private BasicProperties[] _properties = [];

    public static async Task<IConnection> ConnectAsync(Uri uri)
    {
        var factory = new ConnectionFactory { Uri = uri, AutomaticRecoveryEnabled = false, TopologyRecoveryEnabled = false };

        // The authority of a broker of tests is known to nobody else.
        factory.Ssl.AcceptablePolicyErrors = SslPolicyErrors.RemoteCertificateChainErrors;
        return await factory.CreateConnectionAsync();
    }

    /// <summary>What all messages of this table say of themselves.</summary>
    public static BasicProperties Properties() =>
        new() { ContentType = AmqpBody.ContentType, Type = Parcels.TypeName, DeliveryMode = (DeliveryModes)Parcels.DeliveryMode };

    public override async Task OpenAsync(Uri uri, int channels)
    {
        _connection = await ConnectAsync(uri);
        _channels = new IChannel[channels];
        _properties = [.. _channels.Select(_ => Properties())];
        for (int i = 0; i < channels; i++)
        {
            _channels[i] = await _connection.CreateChannelAsync();
        }
    }

    public override ValueTask SendAsync(Load load, int channel) => objects
        ? SendObjectAsync(load, channel)
        : _channels[channel].BasicPublishAsync("", RoutingKey, mandatory: false, _properties[channel], load.Body);

    public override async ValueTask DisposeAsync()
    {
        await _connection!.CloseAsync();
        await _connection!.DisposeAsync();
    }

    private async ValueTask SendObjectAsync(Load load, int channel)
    {
        using WireBody body = BrokerBench.Serializer.Write(load.Parcel, _properties[channel]);
        await _channels[channel].BasicPublishAsync("", RoutingKey, mandatory: false, body.Properties, body.Memory);
    }
}
