namespace Actors.Trial;

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
                    new Report(Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true), deadLetters, last), Self);
                break;
            default:
                throw new NotSupportedException($"Trades are counted here, and no {message.GetType().Name}.");
        }
    }
}

/// <summary>The trades that are sent: all of a trade follows from its number, so that each one can be checked.</summary>
internal static class Trades
{
    private static readonly string[] Symbols = ["ADA", "BOOLE", "CANTOR", "DIJKSTRA", "EULER", "FERMAT", "GAUSS", "HOPPER"];

    public static Trade Create(long number) => new(number, SymbolOf(number), PriceOf(number));

    public static bool IsRight(Trade trade) => trade.Symbol == SymbolOf(trade.Number) && trade.Price.Equals(PriceOf(trade.Number));

    private static string SymbolOf(long number) => Symbols[number & (Symbols.Length - 1)];

    private static double PriceOf(long number) => (number * 7919 % 1_000_000) / 100.0;
}
