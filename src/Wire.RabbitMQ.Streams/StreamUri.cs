using System.Net.Security;
using Wire.Amqp.Transport;

namespace Wire.RabbitMQ.Streams;

/// <summary>Reads rabbitmq-stream:// and rabbitmq-stream+tls://, which are otherwise as amqp:// is.</summary>
internal static class StreamUri
{
    private const string Plain = "rabbitmq-stream://";
    private const string Tls = "rabbitmq-stream+tls://";

    public static StreamClientOptions Parse(string uri)
    {
        bool tls = uri.StartsWith(Tls, StringComparison.OrdinalIgnoreCase);
        if (!tls && !uri.StartsWith(Plain, StringComparison.OrdinalIgnoreCase))
        {
            throw new FormatException($"A URI of streams begins with {Plain} or {Tls}.");
        }

        AmqpConnectionOptions options = AmqpUri.Parse(
            uri[(tls ? Tls : Plain).Length..], tls, tls ? StreamClientOptions.DefaultTlsPort : StreamClientOptions.DefaultPort);
        return new StreamClientOptions
        {
            Endpoints = options.Endpoints,
            VirtualHost = options.VirtualHost,
            UserName = options.UserName,
            Password = options.Password,
            Authentication = options.Authentication,
            Tls = tls ? options.Tls ?? new SslClientAuthenticationOptions() : null,
            RequestedHeartbeat = options.RequestedHeartbeat,
            Timeout = options.ConnectTimeout,
        };
    }
}
