using Wire;

namespace Versions;

/// <summary>An order as a program between two newer ones knows it: see docs/unknown-members.md.</summary>
internal static class Between
{
    /// <summary>Passes an order on, and returns whether all of it arrives.</summary>
    public static bool Run()
    {
        var serializer = new Serializer();
        byte[] sent = serializer.Serialize(new NewOrder { Id = 7, Note = "new", Lines = [new Line { Article = "bolt" }] });
        Order order = serializer.Deserialize<Order>(sent)!;
        order.Note = "seen";
        string unknown = order.UnknownMembers?.ToString() ?? "nothing";
        NewOrder received = serializer.Deserialize<NewOrder>(serializer.Serialize(order))!;
        Console.WriteLine($"A program in the middle kept {unknown}, and the next one got {received.Note}, {received.Lines?[0].Article}.");
        return received is { Id: 7, Note: "seen", Lines: [{ Article: "bolt" }] };
    }

    #region between
    [WireName("Shop.Order")]
    public sealed class Order : IUnknownMembers
    {
        public int Id { get; init; }

        public string? Note { get; set; }

        public UnknownMembers? UnknownMembers { get; set; }
    }
    #endregion

#pragma warning disable WIRE104 // What a newer program has instead, which is in this one to send it.
    [WireName("Shop.Order")]
    public sealed class NewOrder
    {
        public int Id { get; init; }

        public string? Note { get; init; }

        public Line[]? Lines { get; init; }
    }

    public sealed class Line
    {
        public string? Article { get; init; }
    }
}
