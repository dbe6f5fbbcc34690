namespace Wire.Transport.Diagnostics;

/// <summary>
/// The names of the attributes of spans and numbers, from the semantic conventions of OpenTelemetry for messaging with RabbitMQ.
/// </summary>
internal static class Attributes
{
    public const string System = "messaging.system";
    public const string OperationName = "messaging.operation.name";
    public const string OperationType = "messaging.operation.type";
    public const string DestinationName = "messaging.destination.name";
    public const string ConsumerGroup = "messaging.consumer.group.name";
    public const string BatchCount = "messaging.batch.message_count";
    public const string RoutingKey = "messaging.rabbitmq.destination.routing_key";
    public const string DeliveryTag = "messaging.rabbitmq.message.delivery_tag";
    public const string StreamOffset = "messaging.rabbitmq.stream.offset";
    public const string MessageId = "messaging.message.id";
    public const string ConversationId = "messaging.message.conversation_id";
    public const string BodySize = "messaging.message.body.size";
    public const string ServerAddress = "server.address";
    public const string ServerPort = "server.port";
    public const string ErrorType = "error.type";

    public const string RabbitMQ = "rabbitmq";
    public const string Publish = "publish";
    public const string Request = "request";
    public const string Send = "send";
    public const string Receive = "receive";
    public const string Process = "process";
}
