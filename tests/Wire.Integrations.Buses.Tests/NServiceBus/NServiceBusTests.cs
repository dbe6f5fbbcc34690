using NServiceBus.MessageInterfaces;
using NServiceBus.Serialization;
using NServiceBus.Settings;
using Wire.Comparing;
using Wire.NServiceBus;

namespace Wire.Integrations.Buses.Tests.NServiceBus;

/// <summary>The adapter as NServiceBus calls it: an endpoint is not needed for that.</summary>
public sealed class NServiceBusTests
{
    private readonly IMessageSerializer _serializer = Create(Shop.Options);

    [Theory]
    [InlineData(typeof(OrderPlaced))]
    [InlineData(typeof(OrderEvent), typeof(IOrderEvent))]
    [InlineData(typeof(IOrderEvent))]
    public void A_message_is_read_as_it_was(params Type[] types) =>
        GraphAssert.Same(Shop.Order(), Assert.Single(_serializer.Deserialize(Write(_serializer, Shop.Order()), types)), sharing: true);

    [Fact]
    public void A_message_without_types_is_read_as_the_filter_allows()
    {
        GraphAssert.Same(Shop.Order(), Assert.Single(_serializer.Deserialize(Write(_serializer, Shop.Order()))), sharing: true);
        GraphAssert.Same(Shop.Order(), Assert.Single(_serializer.Deserialize(Write(_serializer, Shop.Order()), [])), sharing: true);
        Assert.Throws<TypeRefusedException>(() => _serializer.Deserialize(Write(_serializer, new Stranger("somebody"))));
    }

    [Fact]
    public void What_NServiceBus_makes_for_an_interface_is_read_by_the_interface()
    {
        var sent = new Mapper(typeof(IOrderEvent), typeof(Sent));
        var received = new Mapper(typeof(IOrderEvent), typeof(Received));
        var id = Guid.NewGuid();

        byte[] bytes = Write(Create(new(), sent), new Sent { OrderId = id });

        var read = Assert.IsType<Received>(Assert.Single(Create(new(), received).Deserialize(bytes, [typeof(IOrderEvent)])));
        Assert.Equal(id, read.OrderId);
    }

    [Fact]
    public void An_event_of_two_interfaces_is_read_for_the_handlers_of_both()
    {
        var id = Guid.NewGuid();
        byte[] bytes = Write(Create(new(), new Mapper(typeof(IBoth), typeof(SentBoth))), new SentBoth { OrderId = id, Number = 7 });
        var received = new Mapper((typeof(IOrderEvent), typeof(Received)), (typeof(INumbered), typeof(ReceivedNumber)));

        object[] read = Create(new(), received).Deserialize(bytes, [typeof(IOrderEvent), typeof(INumbered)]);

        Assert.Equal(2, read.Length);
        Assert.Equal(id, Assert.IsType<Received>(read[0]).OrderId);
        Assert.Equal(7, Assert.IsType<ReceivedNumber>(read[1]).Number);
    }

    [Fact]
    public void A_class_of_two_interfaces_is_read_once()
    {
        var order = new OrderPlaced { Packaging = new Box(1) };
        byte[] bytes = Write(_serializer, order);

        GraphAssert.Same(order, Assert.Single(_serializer.Deserialize(bytes, [typeof(IOrderEvent), typeof(OrderEvent)])), sharing: true);
    }

    [Fact]
    public void A_refused_type_is_an_error_and_the_next_message_is_read()
    {
        byte[] refused = Write(_serializer, new Parcel { Content = new Stranger("somebody") });
        byte[] next = Write(_serializer, new Parcel { Content = new Box(2.5) });

        TypeRefusedException error = Assert.Throws<TypeRefusedException>(() => _serializer.Deserialize(refused, [typeof(Parcel)]));

        Assert.StartsWith(typeof(Stranger).FullName!, error.TypeName, StringComparison.Ordinal);
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, Assert.Single(_serializer.Deserialize(next, [typeof(Parcel)])));
    }

    [Fact]
    public void A_derived_type_that_nobody_allowed_is_refused() => Assert.Throws<TypeRefusedException>(
        () => Create(new()).Deserialize(Write(_serializer, Shop.Order()), [typeof(OrderEvent)]));

    [Fact]
    public void Bytes_that_are_no_message_are_an_error() =>
        Assert.Throws<WireFormatException>(() => _serializer.Deserialize(new byte[] { 1, 2, 3 }, [typeof(Parcel)]));

    [Fact]
    public void The_content_type_is_that_of_Wire() => Assert.Equal("application/x-wire", _serializer.ContentType);

    private static IMessageSerializer Create(SerializerOptions options, Mapper? mapper = null) =>
        new WireSerializer(options).Configure(new Settings())(mapper ?? new Mapper());

    private static byte[] Write(IMessageSerializer serializer, object message)
    {
        using var stream = new MemoryStream();
        serializer.Serialize(message, stream);
        return stream.ToArray();
    }

    private sealed class Settings : IReadOnlySettings;

    /// <summary>A class as NServiceBus makes one, in the process that sends.</summary>
    private sealed class Sent : IOrderEvent
    {
        public Guid OrderId { get; set; }
    }

    /// <summary>The class for the same interface, in the process that receives.</summary>
    private sealed class Received : IOrderEvent
    {
        public Guid OrderId { get; set; }
    }

    public interface INumbered
    {
        int Number { get; set; }
    }

    public interface IBoth : IOrderEvent, INumbered;

    private sealed class SentBoth : IBoth
    {
        public Guid OrderId { get; set; }

        public int Number { get; set; }
    }

    private sealed class ReceivedNumber : INumbered
    {
        public int Number { get; set; }
    }

    private sealed class Mapper(params (Type Face, Type Made)[] pairs) : IMessageMapper
    {
        public Mapper(Type face, Type made)
            : this((face, made))
        {
        }

        public void Initialize(IEnumerable<Type>? types)
        {
        }

        public Type? GetMappedTypeFor(Type t) => pairs.FirstOrDefault(pair => pair.Made == t).Face
            ?? pairs.FirstOrDefault(pair => pair.Face == t).Made
            ?? (t.IsInterface ? null : t);

        public Type? GetMappedTypeFor(string typeName) => null;

        public T CreateInstance<T>() => throw new NotSupportedException();

        public T CreateInstance<T>(Action<T> action) => throw new NotSupportedException();

        public object CreateInstance(Type messageType) => throw new NotSupportedException();
    }
}
