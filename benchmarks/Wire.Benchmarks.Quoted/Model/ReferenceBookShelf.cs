using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>
/// A shelf of books that know the shelf: the message of SerializerTests for identities. All books have the same text.
/// </summary>
[MemoryPackable(GenerateType.CircularReference), MessagePackObject, GenerateSerializer, GenerateShape]
public partial class ReferenceBookShelf
{
    [Key(0), Index(0), Id(0), MemoryPackOrder(0)]
    public Dictionary<DateTime, ReferenceBook> Books { get; set; } = [];

    internal static ReferenceBookShelf Create(int books)
    {
        var shelf = new ReferenceBookShelf();
        string name = string.Concat(Enumerable.Repeat("This is a really long string", 10));
        for (int i = 1; i <= books; i++)
        {
            shelf.Books.Add(new DateTime(i, DateTimeKind.Utc), new ReferenceBook { Container = shelf, Name = name, Price = i });
        }

        return shelf;
    }
}

/// <summary>A book on such a shelf.</summary>
[MemoryPackable(GenerateType.CircularReference), MessagePackObject, GenerateSerializer]
public partial class ReferenceBook
{
    [Key(0), Index(0), Id(0), MemoryPackOrder(0)]
    public ReferenceBookShelf Container { get; set; } = null!;

    [Key(1), Index(1), Id(1), MemoryPackOrder(1)]
    public float Price { get; set; }

    [Key(2), Index(2), Id(2), MemoryPackOrder(2)]
    public string Name { get; set; } = null!;
}
