namespace Wire.Instructions;

/// <summary>An order as a reader knows it that lacks nearly all of its members.</summary>
internal sealed class OrderHead
{
    public int Number { get; set; }

    public string Customer { get; set; } = "";

    public decimal Price { get; set; }
}
