using Wire;

namespace Quickstart;

#region context
[WireContext]
[WireType(typeof(Basket))]                 // what messages hold, with its members and what they hold
[WireDerivedFrom(typeof(Message))]         // all classes and structs of this project that derive from it
internal sealed partial class MessageTypes : WireTypes;
#endregion

#region members
public sealed class Basket
{
    private readonly Dictionary<Stage, List<Price?>> _prices = [];

    public IReadOnlyCollection<Stage> Stages => _prices.Keys;

    public void Add(Stage stage, Price? price) => _prices[stage] = [price];
}
#endregion

/// <summary>The table of types that is made when this project is compiled, as docs/generator.md has it.</summary>
internal static class Contexts
{
    /// <summary>Writes and reads with the table, and returns whether everything came back.</summary>
    public static bool RoundTrip()
    {
        #region use
        var serializer = new Serializer(new SerializerOptions
        {
            Types = MessageTypes.Default,
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // a table says nothing about what a payload may name
        });
        #endregion

        var basket = new Basket();
        basket.Add(Stage.Paid, new Price(1, "EUR"));
        bool equal = serializer.Deserialize<Basket>(serializer.Serialize(basket))!.Stages.Single() == Stage.Paid;

        #region more
        WireTypes types = WireTypes.Combine(
            MessageTypes.Default,
            [WireRow.SortedSet<Price>()]); // in a member of object, which says nothing of it
        #endregion

        equal &= types.Contains(typeof(SortedSet<Price>)) && types.Contains(typeof(Price));
        Console.WriteLine($"a table of {types.Count} types, made by the compiler: {(equal ? "equal" : "NOT EQUAL")} after reading back");
        return equal;
    }
}
