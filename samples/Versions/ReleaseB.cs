using Wire;

namespace Versions.ReleaseB;

#region release B
[WireName("Shop.Purchase")]
public sealed record Purchase(
    long Number, // was an int
    string[] Articles, // was a List<string>
    Stage Stage,
    string? Coupon) : IUnknownMembers // Coupon is added
{
    public UnknownMembers? UnknownMembers { get; set; }
}

public enum Stage { Unknown, Draft, Open, Paid } // Draft is inserted, so that Open and Paid have other numbers
#endregion

internal sealed class Service : Service<Purchase>
{
    protected override Purchase Make() => new(7, ["pencil", "paper"], Stage.Open, "SPRING");

    protected override Purchase Pay(Purchase purchase) => purchase.Stage == Stage.Open
        ? purchase with { Stage = Stage.Paid }
        : throw new InvalidOperationException($"The purchase is {purchase.Stage}.");

    protected override string Text(Purchase purchase) =>
        $"{purchase.Number}, {string.Join(" and ", purchase.Articles)}, {purchase.Stage}, {purchase.Coupon ?? "no coupon"}";
}
