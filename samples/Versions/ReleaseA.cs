using Wire;

namespace Versions.ReleaseA;

#region release A
[WireName("Shop.Purchase")]
public sealed record Purchase(int Number, List<string> Articles, Stage Stage) : IUnknownMembers
{
    public UnknownMembers? UnknownMembers { get; set; } // what the other service sends and this one does not know
}

public enum Stage { Unknown, Open, Paid }
#endregion

internal sealed class Service : Service<Purchase>
{
    protected override Purchase Make() => new(7, ["pencil", "paper"], Stage.Open);

    protected override Purchase Pay(Purchase purchase) => purchase.Stage == Stage.Open
        ? purchase with { Stage = Stage.Paid }
        : throw new InvalidOperationException($"The purchase is {purchase.Stage}.");

    protected override string Text(Purchase purchase) =>
        $"{purchase.Number}, {string.Join(" and ", purchase.Articles)}, {purchase.Stage}";
}
