using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using Index = Nerdbank.MessagePack.KeyAttribute;

namespace Bench.Quoted;

/// <summary>
/// A shelf of books, with a private field: the message of Alois Kraus' SerializerTests, which measure it for one book to a million, and
/// for the first call of a process.
/// </summary>
[MemoryPackable, MessagePackObject, GenerateSerializer, GenerateShape]
public partial class BookShelf
{
    [Key(1), Index(1), Id(1), MemoryPackInclude, PropertyShape]
    private string? _secret;

    [Key(0), Index(0), Id(0)]
    public List<Book> Books { get; set; } = null!;

    internal static BookShelf Create(int books, int bytes)
    {
        var random = new Random(1);
        return new BookShelf
        {
            _secret = "private member value",
            Books = [.. Enumerable.Range(1, books).Select(id => new Book
            {
                Id = id,
                Title = $"Book {id}",
                BookData = bytes > 0 ? random.Bytes(bytes) : null,
            })],
        };
    }
}

/// <summary>A book, of fields.</summary>
[MemoryPackable, MessagePackObject, GenerateSerializer]
public partial class Book
{
    [Key(0), Index(0), Id(0)]
    public string Title = null!;

    [Key(1), Index(1), Id(1)]
    public int Id;

    [Key(2), Index(2), Id(2)]
    public byte[]? BookData;
}
