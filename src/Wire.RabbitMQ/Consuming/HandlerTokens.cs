namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// The tokens of handlers: each fires when handlers have to end, or when the channel has ended that their messages came on. One for each
/// channel, as most messages come on the same one. Thread-safe.
/// </summary>
/// <param name="end">Fires when handlers have to end.</param>
internal sealed class HandlerTokens(CancellationToken end)
{
    private readonly Lock _gate = new();
    private volatile Pair? _latest;

    /// <summary>Returns the token of the handler of a message.</summary>
    /// <param name="lost">Fires when the channel of the message has ended.</param>
    public CancellationToken For(CancellationToken lost)
    {
        Pair? latest = _latest;
        if (latest?.Lost == lost)
        {
            return latest.Either;
        }

        // Messages of one channel have one token, or they would be of two batches, of which neither is full.
        lock (_gate)
        {
            latest = _latest;
            if (latest?.Lost != lost)
            {
                _latest = latest = new Pair(lost, end);
            }

            return latest.Either;
        }
    }

    private sealed class Pair
    {
        public Pair(CancellationToken lost, CancellationToken end)
        {
            Lost = lost;
            var either = new CancellationTokenSource();
            CancellationTokenRegistration ended = end.UnsafeRegister(static source => Fire(source), either);
            lost.UnsafeRegister(
                _ =>
                {
                    // There may be many of them until handlers end.
                    ended.Unregister();
                    Fire(either);
                },
                null);
            Either = either.Token;
        }

        public CancellationToken Lost { get; }

        public CancellationToken Either { get; }

        private static void Fire(object? source) => ((CancellationTokenSource)source!).Cancel();
    }
}
