namespace Bench;

/// <summary>The message that views look into: a list of objects and a dictionary.</summary>
public sealed class Sale
{
    /// <summary>A number.</summary>
    public int Id { get; set; }

    /// <summary>A short text.</summary>
    public string Customer { get; set; } = "";

    /// <summary>The lines.</summary>
    public List<SaleLine> Lines { get; set; } = [];

    /// <summary>A number for each of some texts.</summary>
    public Dictionary<string, int> Stock { get; set; } = [];

    /// <summary>A number in front of which is all else.</summary>
    public double Total { get; set; }

    /// <summary>Makes a message.</summary>
    /// <param name="size">The number of lines, and of pairs.</param>
    public static Sale Create(int size) => new()
    {
        Id = 4711,
        Customer = "Ada Lovelace",
        Lines =
        [
            .. Enumerable.Range(0, size).Select(
                i => new SaleLine { Name = $"product {i % 7}", Price = 1.25 * i, Product = i, Quantity = 1 + (i % 5) }),
        ],
        Stock = Enumerable.Range(0, size).ToDictionary(i => $"key {i:000}", i => 3 * i),
        Total = 123.5,
    };
}

/// <summary>A line of a <see cref="Sale"/>.</summary>
public sealed class SaleLine
{
    /// <summary>A short text.</summary>
    public string Name { get; set; } = "";

    /// <summary>A number.</summary>
    public double Price { get; set; }

    /// <summary>Another one.</summary>
    public int Product { get; set; }

    /// <summary>And another one.</summary>
    public int Quantity { get; set; }
}
