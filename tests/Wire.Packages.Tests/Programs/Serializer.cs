#region readme
using Wire;

var serializer = new Serializer(new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
    PreserveObjectReferences = true,
});

var placed = new OrderPlaced(1, "Ada", 19.90m);
byte[] bytes = serializer.Serialize<object[]>([placed, new OrderShipped(1, 2), 42, "text", new List<int> { 1, 2 }, placed]);
object[] copy = serializer.Deserialize<object[]>(bytes)!;

Console.WriteLine(copy[0]); // OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }
Console.WriteLine(ReferenceEquals(copy[0], copy[5])); // True: an object that is shared stays one
#endregion

Console.WriteLine(copy[1]);
var list = (List<int>)copy[4];
Console.WriteLine($"{copy[2]} {copy[2].GetType()}, {copy[3]} {copy[3].GetType()}, [{string.Join("; ", list)}] {list.GetType()}");

try
{
    serializer.Deserialize<object>(new Serializer(new SerializerOptions()).Serialize(new Secret("key")));
    Console.WriteLine("a type that nobody named is read");
}
catch (WireFormatException e)
{
    Console.WriteLine($"a type that nobody named is refused: {e.Error}");
}

#region readme
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
public sealed record OrderShipped(int Id, int Parcels) : Message(Id);
#endregion

public sealed record Secret(string Key);
