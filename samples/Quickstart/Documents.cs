using Wire;

namespace Quickstart;

#region view context
[WireContext(Views = true)]
[WireType(typeof(Documents.Basket))]
internal sealed partial class ViewedTypes : WireTypes;
#endregion

/// <summary>Payloads that are read without their types (docs/documents.md).</summary>
internal static class Documents
{
    internal sealed record Line(string Product, decimal Price);

    internal sealed record Basket(int Id, List<Line> Lines);

    /// <summary>Looks into payloads, and returns whether all was found.</summary>
    public static bool Show()
    {
        var basket = new Basket(7, [new("apple", 0.30m), new("pear", 0.45m)]);
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(basket);
        return ShowPayload(payload) && ShowValue(serializer, payload) && ShowPaths(serializer, basket) && ShowViews(serializer, payload)
            && ShowSession(serializer, basket);
    }

    private static bool ShowPayload(byte[] payload)
    {
        #region walk
        var document = PayloadDocument.Parse(payload);
        PayloadNode root = document.Root;
        Console.WriteLine($"{root.TypeName}, {root.Count} members, {root.Length} bytes");
        if (root.TryGet("Lines[1].Price", out PayloadNode price))
        {
            Console.WriteLine($"{price.GetValue<decimal>()} at byte {price.Offset}");
        }

        Console.WriteLine(document); // all of it, as JSON
        #endregion

        return price.GetValue<decimal>() == 0.45m;
    }

    private static bool ShowValue(Serializer serializer, byte[] payload)
    {
        #region value
        decimal price = serializer.Read<decimal>(payload, "Lines[1].Price");
        if (serializer.TryRead(payload, "Lines[0]", out Line? line))
        {
            Console.WriteLine($"{line!.Product}, and {price}");
        }
        #endregion

        return price == 0.45m && line is { Product: "apple" };
    }

    private static bool ShowPaths(Serializer serializer, Basket basket)
    {
        byte[][] payloads = [serializer.Serialize(basket), serializer.Serialize(basket with { Id = 8 })];

        #region paths
        PayloadPath<int> id = serializer.Path((Basket b) => b.Id);
        PayloadPath<string> product = serializer.Path<string>("Lines[0].Product");
        PayloadCondition isWanted = payload => id.TryRead(payload, out int number) && number > 7;
        foreach (byte[] payload in payloads)
        {
            if (isWanted(payload) && product.TryReadText(payload, out PayloadText text))
            {
                Console.WriteLine($"basket {id.Read(payload)} begins with {text.Length} letters: {text.ToString()}");
            }
        }
        #endregion

        return !isWanted(payloads[0]) && isWanted(payloads[1]) && product.Read(payloads[1]) == "apple";
    }

    private static bool ShowViews(Serializer serializer, byte[] payload)
    {
        #region views
        PayloadViews<Basket> baskets = serializer.Views<Basket>(); // kept
        PayloadView<Basket> basket = baskets.Open(payload);
        Console.WriteLine($"basket {basket.Id} has {basket.Lines.Count} lines");
        foreach (PayloadView<Line> line in basket.Lines)
        {
            if (line.Price > 0.40m)
            {
                Console.WriteLine($"{line.Product.Length} letters: {line.ToObject()}");
            }
        }
        #endregion

        #region view members
        PayloadViewMember<Basket, int> id = new("Id"); // kept, such as in a static field
        PayloadViewMember<Basket, List<Line>> lines = new("Lines");
        int number = basket.Get(id), count = basket.GetView(lines).AsList<Line>().Count;
        #endregion

        return basket.Id == number && basket.Lines.Count == count && basket.Lines[1].Product.Equals("pear");
    }

    private static bool ShowSession(Serializer serializer, Basket basket)
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        byte[][] messages = [serializer.Serialize(basket, writing), serializer.Serialize(basket with { Id = 8 }, writing)];

        #region messages
        var session = new PayloadDocumentSession();
        foreach (byte[] message in messages)
        {
            Console.WriteLine(PayloadDocument.Parse(message, session: session));
        }
        #endregion

        return PayloadDocument.Parse(messages[1], session: session).Root["Id"].GetValue<int>() == 8;
    }
}
