using Wire;

namespace Quickstart;

/// <summary>Messages that are read into the objects of the one before (docs/into.md).</summary>
internal static class Into
{
    private sealed class Position
    {
        public string? Instrument { get; set; }

        public List<decimal> Prices { get; set; } = [];
    }

    /// <summary>Reads some messages, and returns whether all came into one object.</summary>
    public static bool Show()
    {
        var serializer = new Serializer();
        byte[][] payloads =
        [
            serializer.Serialize(new Position { Instrument = "WIRE", Prices = [1, 2, 3] }),
            serializer.Serialize(new Position { Instrument = "WIRE", Prices = [4, 5] }),
        ];
        decimal sum = 0;

        #region into
        var position = new Position();
        foreach (byte[] payload in payloads)
        {
            serializer.Deserialize(payload, into: position);
            sum += position.Prices.Sum(); // the list of the message before, with its capacity
        }
        #endregion

        return sum == 15 && position is { Instrument: "WIRE", Prices: [4, 5] };
    }
}
