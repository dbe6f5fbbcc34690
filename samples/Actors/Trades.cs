namespace Actors;

/// <summary>The trades that are sent: all of a trade follows from its number, so that each one can be checked.</summary>
internal static class Trades
{
    private static readonly string[] Symbols = ["ADA", "BOOLE", "CANTOR", "DIJKSTRA", "EULER", "FERMAT", "GAUSS", "HOPPER"];

    public static Trade Create(long number) => new(number, SymbolOf(number), PriceOf(number));

    public static bool IsRight(Trade trade) => trade.Symbol == SymbolOf(trade.Number) && trade.Price.Equals(PriceOf(trade.Number));

    private static string SymbolOf(long number) => Symbols[number & (Symbols.Length - 1)];

    private static double PriceOf(long number) => (number * 7919 % 1_000_000) / 100.0;
}
