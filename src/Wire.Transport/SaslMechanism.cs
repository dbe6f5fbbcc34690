namespace Wire.Transport;

/// <summary>The way in which a client proves its identity to the broker: a SASL mechanism.</summary>
public enum SaslMechanism
{
    /// <summary>A user's name and password, in clear text within the connection: use TLS wherever others can listen.</summary>
    Plain,

    /// <summary>The client's TLS certificate. RabbitMQ accepts it when the plugin rabbitmq_auth_mechanism_ssl is enabled.</summary>
    External,
}
