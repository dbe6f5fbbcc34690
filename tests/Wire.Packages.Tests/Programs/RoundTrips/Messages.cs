using System.Buffers;
using Shop;
using Wire;

// Messages rather than values: sessions, frames, other versions, sharing, parts, damage.
internal static partial class Trips
{
    private static readonly (string Name, Action<SerializerOptions> Run)[] Messages =
    [
        ("message whose type both sides know", options =>
        {
            var serializer = new Serializer(options);
            Same("A-1", serializer.DeserializeTyped<Order>(Noted(serializer.SerializeTyped(Order.Example())))!.Number);
        }),
        ("messages of a session", options =>
        {
            var serializer = new Serializer(options);
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            for (int i = 0; i < 3; i++)
            {
                byte[] payload = Noted(serializer.Serialize<object>(new Placed(i, "Ada"), writing));
                Same(i, ((Placed)serializer.Deserialize<object>(payload, reading)!).Id);
            }
        }),
        ("frames of a stream", options =>
        {
            var serializer = new Serializer(options);
            var output = new ArrayBufferWriter<byte>();
            for (int i = 0; i < 3; i++)
            {
                serializer.SerializeFramed<object>(new Placed(i, "Ada"), output);
            }

            using var stream = new MemoryStream(Noted(output.WrittenSpan.ToArray()));
            Same("0,1,2", string.Join(
                ',', serializer.DeserializeAllFramedAsync<Placed>(stream).Select(placed => placed!.Id).ToBlockingEnumerable()));
        }),
        ("another version: members more, fewer, and of another number", options =>
        {
            var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<Old>("versioned") });
            var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<New>("versioned") });
            byte[] payload = Noted(writer.Serialize(new Old { Id = 7, Gone = "g", Lines = [new Line { Article = "pen" }] }));
            New copy = reader.Deserialize<New>(payload)!;
            Same(7L, copy.Id);
            Same("pen", copy.Lines![0].Article);
            Same(null, copy.Added);
        }),
        ("another version of a struct", options =>
        {
            var writer = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<OldPoint>("point") });
            var reader = new Serializer(options with { TypeAliases = TypeAliases.None.Alias<NewPoint>("point") });
            Same(new NewPoint { X = 1, Y = 2 }, reader.Deserialize<NewPoint>(Noted(writer.Serialize(new OldPoint { X = 1, Y = 2 }))));
        }),
        ("members with other names, and left out", options =>
        {
            Named copy = Copy(options, new Named { Value = 1, Left = 2 });
            Same(1, copy.Value);
            Same(0, copy.Left);
        }),
        ("objects that are shared", options =>
        {
            var line = new Line { Article = "pen" };
            List<Line> copy = Copy(options with { PreserveObjectReferences = true }, new List<Line> { line, line });
            Same(true, ReferenceEquals(copy[0], copy[1]));
        }),
        ("list that contains itself", options =>
        {
            var list = new List<object?> { 1 };
            list.Add(list);
            List<object?> copy = Copy(options with { PreserveObjectReferences = true }, list);
            Same(true, ReferenceEquals(copy, copy[1]));
        }),
        ("many objects of one type", options =>
        {
            List<Node> copy = Copy(options, Enumerable.Range(0, 100).Select(i => new Node { Name = $"{i}" }).ToList());
            Same("99", copy[99].Name);
        }),
        ("chain of a thousand objects", options =>
        {
            Node? first = null;
            for (int i = 0; i < 900; i++)
            {
                first = new Node { Name = $"{i}", Next = first };
            }

            int count = 0;
            for (Node? node = Copy(options, first!); node is not null; node = node.Next)
            {
                count++;
            }

            Same(900, count);
        }),
        ("class below a class below an abstract one", options =>
        {
            var copy = (GiftCard)Copy<Payment>(options, new GiftCard("ann") { Amount = 3, Card = "1" });
            Same("3 1 ann", $"{copy.Amount} {copy.Card} {copy.From}");
        }),
        ("object without members, and null", options =>
        {
            Same(typeof(Nothing), Copy<object>(options, new Nothing()).GetType());
            Same(null, Copy<object?>(options, null));
        }),
        ("several exceptions in one", options =>
        {
            AggregateException copy = Copy(
                options,
                new AggregateException("both", new TimeoutException("t"), new ShopException("s", new InvalidOperationException("i"))));
            Same(2, copy.InnerExceptions.Count);
            Same("i", copy.InnerExceptions[1].InnerException!.Message);
        }),
        ("one part of a message", options =>
        {
            var serializer = new Serializer(options);
            Same("A-1", serializer.Read<string>(Noted(serializer.Serialize(Order.Example())), nameof(Order.Number)));
        }),
        ("damaged and cut messages", options =>
        {
            var serializer = new Serializer(options);
            byte[] payload = serializer.Serialize(Order.Example());
            for (int length = 0; length < payload.Length; length++)
            {
                try
                {
                    serializer.Deserialize<Order>(payload.AsSpan(0, length));
                }
                catch (WireFormatException)
                {
                    continue;
                }

                throw new InvalidOperationException($"{length} bytes were read.");
            }
        }),
        ("copies of structs and collections", options =>
        {
            var serializer = new Serializer(options);
            var order = new Dictionary<int, Money> { [1] = new(2, "EUR") };
            Dictionary<int, Money> copy = serializer.Clone(order)!;
            Same(new Money(2, "EUR"), copy[1]);
            Same(true, new GraphEquality(serializer).AreEqual(order, copy));
        }),
    ];
}
