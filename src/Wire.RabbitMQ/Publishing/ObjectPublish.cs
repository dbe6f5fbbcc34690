using Wire.Amqp.Transport;

namespace Wire.RabbitMQ;

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

    public override Outgoing Prepare(PublishScratch scratch)
    {
        // The object is not needed after that, and need not live until the broker confirms.
        (T message, PublishOptions? options) = (_message!, _options);
        _message = default;
        _options = null;
        Outgoing outgoing = scratch.Write(message, options, _persistent);
        MessageId = outgoing.Properties.MessageId;
        return outgoing;
    }

    protected override void Recycle()
    {
        base.Recycle();
        _message = default;
        _options = null;
        Pool.PutBack(this);
    }
}
