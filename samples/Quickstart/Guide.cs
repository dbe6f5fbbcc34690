using System.Buffers;
using System.IO.Pipelines;
using Wire;

namespace Quickstart;

#region node
public sealed class Node
{
    public List<Node> Friends { get; } = [];
}
#endregion

#region failures
public sealed class OutOfStockException(string article) : Exception($"{article} is out of stock.")
{
    public string Article { get; } = article;
}
#endregion

#region ignore
public sealed class Reading
{
    public double Value { get; init; }
    [IgnoreMember] public Lock Gate { get; } = new(); // null after reading
    [field: NonSerialized] public event Action? Changed; // nobody listens after reading
    public void Notify() => Changed?.Invoke();
}
#endregion

/// <summary>The tasks of docs/serializer.md, one by one.</summary>
internal static class Guide
{
    /// <summary>Does each task, and returns whether all did as the page says.</summary>
    public static async Task<bool> RunAsync()
    {
        bool done = First() & Buffers() & Streams() & References() & Known() & Exceptions() & Failing();
        done &= await PipesAsync() & await PreparedAsync() & await Connections.RunAsync() & await Elements.RunAsync();
        Console.WriteLine($"tasks of the guide: {(done ? "as the page says" : "NOT as the page says")}");
        return done;
    }

    private static bool First()
    {
        #region first
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() }; // what a payload may name
        var serializer = new Serializer(options);
        var id = Guid.NewGuid();
        object[] batch = [new OrderPlaced(id, "Ada", 19.90m), new OrderShipped(id, DateTime.UtcNow, 2), 42, 'x'];
        byte[] bytes = serializer.Serialize(batch);
        object[] copy = serializer.Deserialize<object[]>(bytes)!; // the same values, of the same types
        Console.WriteLine(string.Join('\n', copy)); // OrderPlaced { Id = ..., Customer = Ada, Total = 19.90 }, and so on
        #endregion

        #region dump
        Console.WriteLine(PayloadDump.Describe(bytes));
        #endregion

        return batch.SequenceEqual(copy);
    }

    private static bool Buffers()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });
        Message message = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);

        #region buffers
        var buffer = new ArrayBufferWriter<byte>();
        serializer.Serialize(message, buffer); // no allocation when the buffer is used again
        Message? first = serializer.Deserialize<Message>(buffer.WrittenSpan);

        serializer.Serialize(message, buffer); // a second payload behind the first
        Message? again = serializer.Deserialize<Message>(buffer.WrittenSpan, out int consumed);
        Message? second = serializer.Deserialize<Message>(buffer.WrittenSpan[consumed..]);
        #endregion

        #region by-type
        Type type = typeof(OrderPlaced); // known at run time only
        object? third = serializer.Deserialize(type, buffer.WrittenMemory[..consumed]);

        Memory<byte> memory = new byte[serializer.EstimateSize(message)]; // a hint, no bound
        long written = serializer.Serialize(message, buffer); // the number of bytes
        #endregion

        #region clone
        Message copy = serializer.Clone(message);
        #endregion

        #region typed
        byte[] bytes = serializer.SerializeTyped(42); // 9 bytes
        int number = serializer.DeserializeTyped<int>(bytes);
        #endregion

        return message.Equals(first) && message.Equals(again) && message.Equals(second) && message.Equals(third) && message.Equals(copy)
            && memory.Length > 0 && written == consumed && number == 42
            && bytes.Length == 9;
    }

    private static bool Streams()
    {
        var serializer = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(),
            Limits = Limits.Default with { MaxBytes = 1 << 20, MaxObjects = 10_000 },
        });
        Message message = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);

        #region streams
        var stream = new MemoryStream();
        serializer.Serialize(message, stream);
        serializer.Serialize(message, stream); // right behind the first
        stream.Position = 0;
        Message? first = serializer.Deserialize<Message>(stream); // leaves the stream right behind it
        Message? second = serializer.Deserialize<Message>(stream);
        #endregion

        return message.Equals(first) && message.Equals(second) && stream.Position == stream.Length;
    }

    private static async Task<bool> PreparedAsync()
    {
        var serializer = new Serializer();

        #region prepare
        Task prepared = serializer.PrepareAsync([typeof(OrderPlaced), typeof(OrderShipped)]); // in the background
        // ... what else the program does when it starts ...
        await prepared; // or go on without: messages may come at any time

        serializer.Prepare<OrderPlaced>(); // the same on this thread, or nothing when it has been done
        #endregion

        var message = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        return message.Equals(serializer.Deserialize<OrderPlaced>(serializer.Serialize(message)));
    }

    private static bool References()
    {
        #region references
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        var ada = new Node();
        ada.Friends.Add(ada);
        Node copy = serializer.Deserialize<Node>(serializer.Serialize(ada))!;
        Console.WriteLine(ReferenceEquals(copy, copy.Friends[0])); // True
        #endregion

        return ReferenceEquals(copy, copy.Friends[0]);
    }

    private static async Task<bool> PipesAsync()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() });
        Message message = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        using var stop = new CancellationTokenSource();

        #region pipes
        var pipe = new Pipe();
        await serializer.SerializeFramedAsync(message, pipe.Writer, stop.Token);
        Message? received = await serializer.DeserializeFramedAsync<Message>(pipe.Reader, stop.Token);
        #endregion

        return message.Equals(received);
    }

    private static bool Known()
    {
        #region known
        var serializer = new Serializer(new SerializerOptions
        {
            KnownTypes = [new(1, typeof(OrderPlaced)), new(2, typeof(OrderShipped))], // numbers instead of names; also allows them
        });
        #endregion

        #region names
        var named = new Serializer(new SerializerOptions
        {
            TypeAliases = TypeAliases.None
                .Alias<OrderPlaced>("order-placed") // written and read by this name
                .Redirect("Shop.OrderSent, Shop.Messages", typeof(OrderShipped)), // read by its old name too
        });
        #endregion

        Message message = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        return message.Equals(serializer.Deserialize<Message>(serializer.Serialize(message)))
            && message.Equals(named.Deserialize<Message>(named.Serialize(message)));
    }

    private static bool Exceptions()
    {
        #region exceptions
        var sender = new Serializer();
        byte[] bytes = sender.Serialize<Exception>(new OutOfStockException("pencil"));

        var receiver = new Serializer(new SerializerOptions { ReplaceUnknownExceptions = true });
        Exception failure = receiver.Deserialize<Exception>(bytes)!;
        Console.WriteLine($"{failure.GetType().Name}: {failure.Message}"); // RemoteException: pencil is out of stock.
        #endregion

        return failure is RemoteException { Message: "pencil is out of stock." };
    }

    private static bool Failing()
    {
        int refusals = 0;
        var serializer = new Serializer(new SerializerOptions { TypeRefused = _ => refusals++ });
        byte[] bytes = serializer.Serialize<Message>(new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m));

        #region errors
        try
        {
            object? value = serializer.Deserialize<object>(bytes);
        }
        catch (TypeRefusedException refused)
        {
            Console.WriteLine($"{refused.TypeName}: {refused.Remedy}");
        }
        catch (WireFormatException bad)
        {
            Console.WriteLine($"{bad.Error} at byte {bad.Offset}, in '{bad.MemberPath}': {bad.Message}");
        }
        #endregion

        var reading = serializer.Clone(new Reading { Value = 1.5 });
        reading.Notify();
        return refusals == 1 && reading is { Value: 1.5, Gate: null };
    }
}
