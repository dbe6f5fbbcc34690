namespace Versions;

/// <summary>Two services are deployed one after the other, in either order: a purchase goes from one to the other and back.</summary>
internal static class Deployments
{
    // What docs/versioning.md says of each state of the two deployments.
    private static readonly string[] Expected =
    [
        "shop A, billing A  7, pencil and paper, Paid             0 and 0 differences",
        "shop B, billing A  7, pencil and paper, Paid, SPRING     1 and 1 differences",
        "shop A, billing B  7, pencil and paper, Paid             1 and 1 differences",
        "shop B, billing B  7, pencil and paper, Paid, SPRING     0 and 0 differences",
    ];

    /// <summary>Prints what came back, and returns whether that is what the page says.</summary>
    public static bool Run()
    {
        string[] lines = [Line("A", "A"), Line("B", "A"), Line("A", "B"), Line("B", "B")];
        for (int i = 0; i < lines.Length; i++)
        {
            Console.WriteLine($"{(lines[i] == Expected[i] ? "" : "! ")}{lines[i]}");
        }

        return lines.SequenceEqual(Expected);
    }

    private static string Line(string shopRelease, string billingRelease)
    {
        (Service shop, Service billing) = (Make(shopRelease), Make(billingRelease));
        string text = shop.Read(billing.Bill(shop.Order()));
        return $"shop {shopRelease}, billing {billingRelease}  {text,-38}" +
            $"{shop.Differences.Count} and {billing.Differences.Count} differences";
    }

    private static Service Make(string release) => release == "A" ? new ReleaseA.Service() : new ReleaseB.Service();
}
