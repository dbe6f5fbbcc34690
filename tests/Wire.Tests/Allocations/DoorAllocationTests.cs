using System.Buffers;
using Bench;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Allocations;

/// <summary>
/// What the other ways in and out allocate in steady state, and what looks into a message rather than reading it whole. A file has the
/// bytes of ten calls, which only become less; most are those of the objects that are returned.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class DoorAllocationTests
{
    [Fact]
    public void Each_door_allocates_what_the_ratchet_has()
    {
        Poco poco = Poco.Create(1), same = Poco.Create(1);
        Order order = Seeded.Order(1), equal = Seeded.Order(1);
        var serializer = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Order>("order") });
        var behind = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<OrderHead>("order") });
        byte[] payload = serializer.Serialize(poco);
        byte[] ordered = serializer.Serialize(order);
        var sequence = new ReadOnlySequence<byte>(payload);
        var stream = new MemoryStream(1 << 10);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        serializer.Deserialize<Poco>(serializer.Serialize(poco, writing), reading);
        var message = new ReadOnlySequence<byte>(serializer.Serialize(poco, writing));
        var equality = new GraphEquality(serializer);
        PayloadPath<short> second = serializer.Path((Order o) => o.Channel);
        PayloadPath<string> customer = serializer.Path((Order o) => o.Customer);
        PayloadPath<byte[]> document = serializer.Path((Order o) => o.Document);
        PayloadViews<Order> orders = serializer.Views<Order>();
        PayloadViewMember<Order, short> channel = new(nameof(Order.Channel));
        PayloadViewMember<Order, string> customerName = new(nameof(Order.Customer));
        object? last = null;
        var doors = new Dictionary<string, Action>
        {
            ["bytes: a POCO copied by hand"] = () => last = Copies.Copy(poco),
            ["bytes: a POCO read from a sequence of one segment"] = () => last = serializer.Deserialize<Poco>(sequence),
            ["bytes: a POCO read, with the bytes consumed"] = () => last = serializer.Deserialize<Poco>(payload, out int _),
            ["bytes: a POCO read from a sequence of a session"] = () => last = serializer.Deserialize<Poco>(message, reading),
            ["bytes: a POCO written to an array of a session"] = () => last = serializer.Serialize(poco, writing),
            ["bytes: a POCO written to a memory stream"] = () =>
            {
                stream.Position = 0;
                serializer.Serialize(poco, stream);
            },
            ["bytes: a POCO read from a memory stream"] = () =>
            {
                stream.Position = 0;
                last = serializer.Deserialize<Poco>(stream);
            },
            ["bytes: an order of which 37 members are skipped"] = () => last = behind.Deserialize<OrderHead>(ordered),
            ["bytes: one part of an order"] = () => last = serializer.Read<string>(ordered, nameof(Order.Customer)),
            ["bytes: a number of an order by a path"] = () => Assert.True(second.Read(ordered) == order.Channel),
            ["bytes: a text of an order by a path, where it lies"] = () => Assert.True(customer.TryReadText(ordered, out _)),
            ["bytes: a text of an order by a path"] = () => last = customer.Read(ordered),
            ["bytes: the bytes of an order by a path, where they lie"] = () => Assert.True(document.TryReadBytes(ordered, out _)),
            ["bytes: members of an order by a view"] = () =>
            {
                PayloadView<Order> view = orders.Open(ordered);
                Assert.True(view.Get(channel) == order.Channel && view.GetText(customerName).Equals(order.Customer));
            },
            ["bytes: two POCOs compared"] = () => Assert.True(equality.AreEqual(poco, same)),
            ["bytes: two orders compared"] = () => Assert.True(equality.AreEqual(order, equal)),
        };
        Ratchet.AssertTight(
            Repository.Tests("Wire.Tests", "Allocations", "doors.ratchet.txt"),
            doors.ToDictionary(door => door.Key, door => (int)LeastOf(door.Value)),
            "Something is allocated for each call beside what is returned.");
        Assert.NotNull(last);
    }

    private static long LeastOf(Action door)
    {
        var gauge = new Gauge(door);
        long least = long.MaxValue;
        int unchanged = 0;
        Gauge.Settle(
            () =>
            {
                unchanged = gauge.BytesOfTenCalls < least ? 0 : unchanged + 1;
                least = gauge.BytesOfTenCalls;
                return unchanged > 2000;
            },
            gauge);
        return least;
    }

    private sealed class OrderHead
    {
        public int Number { get; set; }

        public string Customer { get; set; } = "";

        public decimal Price { get; set; }
    }
}
