namespace Wire.Benchmarks;

/// <summary>The pages of the documentation that figures stand on, without their extension.</summary>
internal static class Pages
{
    public const string Performance = "performance";

    public const string Amqp = "amqp";

    public const string RabbitMQ = "rabbitmq";

    public const string Streams = "streams";
}
