using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The publishing of an object.</summary>
internal sealed class ObjectPublish<T> : PublishOperation
{
    private static readonly BoundedPool<ObjectPublish<T>> Pool = new();

    private T? _message;
    private PublishOptions? _options;
    private bool _persistent;

    private ObjectPublish()
    {
    }

    public static ObjectPublish<T> Take(T message, PublishOptions? options, bool persistent)
    {
        ObjectPublish<T> operation = Pool.TryTake() ?? new ObjectPublish<T>();
        operation._message = message;
        operation._options = options;
        operation._persistent = persistent;
        return operation;
    }

    public override BasicProperties Describe(PublishScratch scratch)
    {
        BasicProperties properties = scratch.Describe(_message, _options, _persistent);
        MessageId = properties.MessageId;
        return properties;
    }

    protected override ValueTask SendAsync(IBrokerChannel channel, BasicProperties properties, PublishScratch scratch) =>
        channel.PublishAsync(this, properties, scratch.Serializer, _message);

    protected override void Forget()
    {
        _message = default;
        _options = null;
    }

    protected override void Recycle()
    {
        base.Recycle();
        Pool.PutBack(this);
    }
}
