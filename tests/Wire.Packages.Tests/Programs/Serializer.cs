using Wire;

var serializer = new Serializer(new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(),
    PreserveObjectReferences = true,
});

var placed = new OrderPlaced(1, "Ada", 19.90m);
object[] batch = [placed, new OrderShipped(1, 2), 42, "text", new List<int> { 1, 2 }, placed];
object[] copy = serializer.Deserialize<object[]>(serializer.Serialize(batch))!;

Console.WriteLine(copy[0]);
Console.WriteLine(copy[1]);
var list = (List<int>)copy[4];
Console.WriteLine($"{copy[2]} {copy[2].GetType()}, {copy[3]} {copy[3].GetType()}, [{string.Join("; ", list)}] {list.GetType()}");
Console.WriteLine(ReferenceEquals(copy[0], copy[5]) && !ReferenceEquals(copy[0], placed) ? "one of two is the same" : "copies differ");

try
{
    serializer.Deserialize<object>(new Serializer(new SerializerOptions()).Serialize(new Secret("key")));
    Console.WriteLine("a type that nobody named is read");
}
catch (WireFormatException e)
{
    Console.WriteLine($"a type that nobody named is refused: {e.Error}");
}

public abstract record Message(int Id);

public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);

public sealed record OrderShipped(int Id, int Parcels) : Message(Id);

public sealed record Secret(string Key);
