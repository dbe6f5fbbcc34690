#region usings
using Wire;
#endregion

namespace Quickstart;

#region file-types
[WireName("Shop.Invoice")]
public sealed record Invoice(int Number, DateOnly Issued, InvoiceLine[] Lines);

[WireName("Shop.InvoiceLine")]
public sealed record InvoiceLine(string Article, int Pieces, decimal Price);
#endregion

#region endpoint-types
public sealed record SignUp(string Name, string Mail);
#endregion

public readonly record struct Price(decimal Amount, string Currency);

public enum Stage
{
    Ordered,
    Paid,
}

/// <summary>Sets of options for common uses, as docs/choosing-options.md has them.</summary>
internal static class OptionSets
{
    // An order as this program writes it, and how many bytes that takes.
    private static readonly OrderPlaced Order = new(new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff"), "Ada", 19.90m);

    /// <summary>Writes and reads with each set, and returns whether everything came back.</summary>
    public static bool RoundTrip()
    {
        bool equal = Queue() & Actors() & Cache() & Files() & Endpoint() & Native() & Sizes();
        Console.WriteLine($"options for actors, queues, caches, files and endpoints: {(equal ? "equal" : "NOT EQUAL")} after reading back");
        return equal;
    }

    private static bool Queue()
    {
        #region queue
        var queue = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // the messages, and nothing else
            TypeRefused = refused => Console.Error.WriteLine($"refused: {refused.FullName}, {refused.Reason}"),
            Limits = Limits.Default with { MaxBytes = 1 << 20, MaxAllocation = 16 << 20 },
        });
        byte[] body = queue.Serialize<Message>(new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m));
        Message received = queue.Deserialize<Message>(body)!;
        #endregion

        return received is OrderPlaced { Customer: "Ada" };
    }

    private static bool Native()
    {
        #region native
        var native = new Serializer(new SerializerOptions
        {
            Types =
            [
                WireRow.Struct<Price>(),               // also Price?, Price[] and List<Price>
                WireRow.Enum<Stage>(),                 // WireRow.Enum<Stage, byte>() if it is made of bytes
                WireRow.Dictionary<Guid, object>(),    // object serves for every class
                WireRow.HashSet<int>(),
            ],
        });
        #endregion

        return native.Deserialize<List<Price>>(native.Serialize(new List<Price> { new(1, "EUR") }))![0] == new Price(1, "EUR");
    }

    private static bool Actors()
    {
        #region actors
        var system = new ActorSystem();
        var actors = new Serializer(new SerializerOptions
        {
            PreserveObjectReferences = true, // messages may share objects, and hold cycles
            TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Message).Assembly),
            Context = system,
            Surrogates = [Surrogate.Create<IActor, ActorPath, ActorSystem>(
                (actor, _) => new ActorPath(actor.Path), (path, at) => at.Resolve(path.Path))],
            Singletons = [Stop.Instance],
            ReplaceUnknownExceptions = true, // a failure of another node is readable without its exception types
        });
        using SerializerSession sending = actors.GetSerializerSession(); // one for each connection
        using DeserializerSession receiving = actors.GetDeserializerSession();
        object[] message = [system.Resolve("/user/ada"), Stop.Instance];
        object[] received = actors.Deserialize<object[]>(actors.Serialize(message, sending), receiving)!;
        #endregion

        return ReferenceEquals(received[0], message[0]) && ReferenceEquals(received[1], message[1]);
    }

    private static bool Cache()
    {
        var entries = new Dictionary<string, byte[]>();

        #region cache
        var cache = new Serializer(new SerializerOptions { VersionTolerance = false });
        entries["order-7"] = cache.SerializeTyped(new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m));

        OrderPlaced? cached = null;
        try
        {
            cached = cache.DeserializeTyped<OrderPlaced>(entries["order-7"]);
        }
        catch (WireFormatException)
        {
            entries.Remove("order-7"); // written by another release: compute it again
        }
        #endregion

        return cached is { Customer: "Ada" };
    }

    private static bool Files()
    {
        string path = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        try
        {
            #region files
            var files = new Serializer(new SerializerOptions
            {
                TypeAliases = TypeAliases.None.Redirect("Billing.Invoice, Billing", typeof(Invoice)), // its name in the first release
            });
            using (FileStream output = File.Create(path))
            {
                files.Serialize(new Invoice(7, new DateOnly(2026, 1, 31), [new("pencil", 12, 0.50m)]), output);
            }

            using FileStream input = File.OpenRead(path);
            Invoice invoice = files.Deserialize<Invoice>(input)!;
            #endregion

            return invoice is { Number: 7, Lines: [{ Pieces: 12 }] };
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static bool Endpoint()
    {
        byte[] request = new Serializer().Serialize(new SignUp("Ada", "ada@example.org"));

        #region endpoint
        var endpoint = new Serializer(new SerializerOptions
        {
            TypeRefused = refused => Console.Error.WriteLine($"refused: {refused.Reason}"), // count it, and raise an alarm
            Limits = Limits.Default with
            {
                MaxBytes = 64 << 10,
                MaxAllocation = 1 << 20,
                MaxObjects = 1_000,
                MaxDepth = 16,
                MaxManifests = 16,
                MaxManifestBytes = 16 << 10,
            },
        });
        SignUp? signUp = endpoint.Deserialize<SignUp>(request); // its type, and the types of its members, are all that is allowed
        if (signUp is not { Name.Length: > 0, Mail.Length: > 0 })
        {
            throw new ArgumentException("A name or a mail address is missing."); // no constructor has checked it
        }
        #endregion

        return signUp.Name == "Ada";
    }

    // The table of docs/choosing-options.md.
    private static bool Sizes()
    {
        KnownTypes known = [new(1, typeof(OrderPlaced))];
        var plain = new Serializer();
        using SerializerSession session = plain.GetSerializerSession();
        plain.Serialize<Message>(Order, session);
        int[] sizes =
        [
            plain.Serialize<Message>(Order).Length,
            Size(new() { PreserveObjectReferences = true }),
            Size(new() { TypeAliases = TypeAliases.None.Alias<OrderPlaced>("order") }),
            Size(new() { KnownTypes = known }),
            Size(new() { VersionTolerance = false }),
            Size(new() { KnownTypes = known, VersionTolerance = false }),
            plain.SerializeTyped(Order).Length,
            plain.Serialize<Message>(Order, session).Length,
        ];
        Console.WriteLine($"an order in bytes: {string.Join(", ", sizes)}");
        return sizes is [98, 98, 69, 64, 79, 45, 42, 38];

        static int Size(SerializerOptions options) => new Serializer(options).Serialize<Message>(Order).Length;
    }
}
