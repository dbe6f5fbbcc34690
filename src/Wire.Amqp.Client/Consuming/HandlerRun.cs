using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Channels;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Consuming;

/// <summary>A handler that has not ended when it returned: waits for its end without allocating for each message.</summary>
internal sealed class HandlerRun
{
    private static readonly BoundedPool<HandlerRun> Pool = new();

    private readonly Action _ended;
    private AmqpConsumer? _consumer;
    private ChannelSession? _session;
    private ulong _tag;
    private AmqpDelivery _delivery;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _handled;

    private HandlerRun() => _ended = Ended;

    public static void Start(AmqpConsumer consumer, ChannelSession session, ulong tag, AmqpDelivery delivery, ValueTask handled)
    {
        HandlerRun run = Pool.TryTake() ?? new HandlerRun();
        (run._consumer, run._session, run._tag, run._delivery) = (consumer, session, tag, delivery);
        run._handled = handled.ConfigureAwait(false).GetAwaiter();
        run._handled.UnsafeOnCompleted(run._ended);
    }

    private void Ended()
    {
        (AmqpConsumer consumer, ChannelSession session, ulong tag, AmqpDelivery delivery) = (_consumer!, _session!, _tag, _delivery);
        ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter handled = _handled;
        (_consumer, _session, _delivery, _handled) = (null, null, default, default);
        Pool.PutBack(this);
        try
        {
            handled.GetResult();
        }
        catch (Exception e)
        {
            consumer.Failed(session, tag, delivery, e);
            return;
        }

        consumer.Handled(session, tag, delivery);
    }
}
