namespace Actors;

/// <summary>Counts and checks trades.</summary>
internal sealed class TradeCounter(BlackBox blackBox) : Actor
{
    private Tally _tally;

    protected override void Receive(Message message, ActorRef? sender)
    {
        switch (message)
        {
            case Trade trade:
                _tally.Add(trade);
                blackBox.Tally = _tally;
                break;
            case Count:
                (int deadLetters, string? last) = System.DeadLetters.Seen;
                sender?.Tell(
                    new Report(
                        _tally.Received,
                        _tally.Misread,
                        _tally.Gaps,
                        Environment.CpuUsage.TotalTime,
                        GC.GetTotalAllocatedBytes(precise: true),
                        deadLetters,
                        last),
                    Self);
                break;
            default:
                throw new NotSupportedException($"Trades are counted here, and no {message.GetType().Name}.");
        }
    }
}
