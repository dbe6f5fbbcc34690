namespace Wire.Transport;

/// <summary>How a client proves to the broker who it is: a SASL mechanism.</summary>
public enum SaslMechanism
{
    /// <summary>With a user's name and password, in clear text within the connection: use TLS wherever others can listen.</summary>
    Plain,

    /// <summary>With the client's certificate of TLS. RabbitMQ takes it when the plugin rabbitmq_auth_mechanism_ssl is enabled.</summary>
    External,
}
