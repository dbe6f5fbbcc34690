using System.Buffers;
using Wire.Comparing;
using Wire.EasyNetQ;

namespace Wire.Integrations.Buses.Tests.EasyNetQ;

/// <summary>The adapter as EasyNetQ calls it: the broker is not needed for that.</summary>
public sealed class EasyNetQTests
{
    private readonly WireMessageSerializer _serializer = new(new Serializer(Shop.Options));

    [Theory]
    [InlineData(typeof(OrderPlaced))]
    [InlineData(typeof(OrderEvent))]
    [InlineData(typeof(IOrderEvent))]
    public void What_is_published_as_a_type_is_read_as_it_was(Type type)
    {
        using IMemoryOwner<byte> bytes = _serializer.MessageToBytes(type, Shop.Order());

        GraphAssert.Same(Shop.Order(), _serializer.BytesToMessage(type, bytes.Memory), sharing: true);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1_000_000)]
    public void The_memory_is_as_long_as_the_message(int length)
    {
        object message = new Parcel { Content = new string('é', length) };
        byte[] expected = new Serializer(Shop.Options).Serialize(message);

        using IMemoryOwner<byte> bytes = _serializer.MessageToBytes(typeof(Parcel), message);

        Assert.Equal(expected, bytes.Memory.ToArray());
    }

    [Fact]
    public void The_memory_is_given_back_once()
    {
        IMemoryOwner<byte> bytes = _serializer.MessageToBytes(typeof(Parcel), new Parcel());

        bytes.Dispose();
        bytes.Dispose();

        Assert.Equal(0, bytes.Memory.Length);
    }

    [Fact]
    public void A_refused_type_is_an_error_and_the_next_message_is_read()
    {
        using IMemoryOwner<byte> refused = _serializer.MessageToBytes(typeof(Parcel), new Parcel { Content = new Stranger("somebody") });
        using IMemoryOwner<byte> read = _serializer.MessageToBytes(typeof(Parcel), new Parcel { Content = new Box(2.5) });

        TypeRefusedException error = Assert.Throws<TypeRefusedException>(() => _serializer.BytesToMessage(typeof(Parcel), refused.Memory));

        Assert.StartsWith(typeof(Stranger).FullName!, error.TypeName, StringComparison.Ordinal);
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, _serializer.BytesToMessage(typeof(Parcel), read.Memory));
    }

    [Fact]
    public void What_cannot_be_written_is_an_error_and_the_next_message_is_written()
    {
        Assert.Throws<UnsupportedTypeException>(
            () => _serializer.MessageToBytes(typeof(Parcel), new Parcel { Content = new HttpClient() }));

        using IMemoryOwner<byte> bytes = _serializer.MessageToBytes(typeof(Parcel), new Parcel { Content = 1 });
        Assert.Equal(1, ((Parcel)_serializer.BytesToMessage(typeof(Parcel), bytes.Memory)).Content);
    }

    [Fact]
    public void Bytes_that_are_no_message_are_an_error() =>
        Assert.Throws<WireFormatException>(() => _serializer.BytesToMessage(typeof(Parcel), new byte[] { 1, 2, 3 }));
}
