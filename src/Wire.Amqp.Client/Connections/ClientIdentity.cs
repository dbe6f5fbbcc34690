using System.Runtime.InteropServices;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Connections;

/// <summary>The client's description of itself in connection.start-ok.</summary>
internal static class ClientIdentity
{
    private static readonly string Version = typeof(ClientIdentity).Assembly.GetName().Version!.ToString(3);

    // The capabilities of the library: without the first RabbitMQ sends no basic.ack for published messages, and without the fourth it
    // closes the socket without a reason after a wrong password.
    private static readonly Dictionary<string, object?> Capabilities = new()
    {
        ["publisher_confirms"] = true,
        ["basic.nack"] = true,
        ["consumer_cancel_notify"] = true,
        ["authentication_failure_close"] = true,
        ["connection.blocked"] = true,
        ["exchange_exchange_bindings"] = true,
    };

    /// <summary>The properties: the library's own, replaced or extended by those of the options.</summary>
    /// <exception cref="ArgumentException">One of the options has a type that no field has, or a key that is too long.</exception>
    public static FieldTable Properties(AmqpConnectionOptions options)
    {
        var properties = new Dictionary<string, object?>
        {
            ["product"] = "Wire.Amqp",
            ["version"] = Version,
            ["platform"] = RuntimeInformation.FrameworkDescription,
            ["capabilities"] = Capabilities,
        };
        if (options.ConnectionName is not null)
        {
            properties["connection_name"] = options.ConnectionName;
        }

        foreach ((string key, object? value) in options.ClientProperties)
        {
            properties[key] = value;
        }

        return FieldTable.Create(properties);
    }
}
