using System.Buffers;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// The publishing of a body that is there already. The body and the properties are the caller's until the task has ended, so the task of one that
/// is being published is not ended by its token.
/// </summary>
internal sealed class RawPublish(ReadOnlySequence<byte> body, BasicProperties properties) : PublishOperation
{
    protected override bool CancelsInFlight => false;

    public override BasicProperties Describe(PublishScratch scratch)
    {
        MessageId = properties.MessageId;
        return properties;
    }

    protected override ValueTask SendAsync(IBrokerChannel channel, BasicProperties properties, PublishScratch scratch) =>
        channel.PublishBytesAsync(this, properties, body);

    // There are few of them: not used again.
    protected override void Recycle()
    {
    }
}
