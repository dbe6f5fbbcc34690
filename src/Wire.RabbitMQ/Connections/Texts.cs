using Wire.Amqp;

namespace Wire.RabbitMQ.Connections;

/// <summary>Texts of messages as strings.</summary>
internal static class Texts
{
    /// <summary>The string; null where there is no text.</summary>
    public static string? Text(this AmqpString text) => text.IsNull ? null : text.ToString();
}
