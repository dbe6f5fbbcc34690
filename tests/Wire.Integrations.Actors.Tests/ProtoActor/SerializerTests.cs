using Google.Protobuf;
using Proto;
using Proto.Remote;
using Wire.Comparing;
using Wire.ProtoActor;
using ProtoSerialization = Proto.Remote.Serialization;

namespace Wire.Integrations.Actors.Tests.ProtoActor;

/// <summary>The serializer in Proto.Remote's table of serializers.</summary>
public sealed class SerializerTests
{
    [Fact]
    public void Wire_writes_its_messages_and_leaves_the_others_to_their_serializers()
    {
        ProtoSerialization serialization = Make();
        Assert.Equal(WireSerialization.SerializerId, serialization.Serialize(Shop.Order()).serializerId);
        Assert.Equal(ProtoSerialization.SERIALIZER_ID_PROTOBUF, serialization.Serialize(new PID("address", "id")).serializerId);
        Assert.Equal(ProtoSerialization.SERIALIZER_ID_JSON, serialization.Serialize(new Intruder()).serializerId);
    }

    [Fact]
    public void Everything_but_protocol_buffers_is_Wires_where_it_is_registered_for_object()
    {
        ProtoSerialization serialization = Make(typeof(object));
        Assert.Equal(ProtoSerialization.SERIALIZER_ID_PROTOBUF, serialization.Serialize(new PID("address", "id")).serializerId);
        (ByteString bytes, string name, int id) = serialization.Serialize(new Intruder());
        Assert.Equal(WireSerialization.SerializerId, id);

        // Object allows nothing: too many types derive from it.
        Assert.Throws<TypeRefusedException>(() => serialization.Deserialize(name, bytes, id));
    }

    [Fact]
    public void Bytes_that_are_no_message_are_an_error()
    {
        ProtoSerialization serialization = Make();
        (ByteString bytes, string name, int id) = serialization.Serialize(Shop.Order());
        Assert.Throws<InvalidOperationException>(() => serialization.Deserialize(name, ByteString.Empty, id));
        for (int length = 1; length < bytes.Length; length++)
        {
            var cut = ByteString.CopyFrom(bytes.Span[..length]);
            Assert.ThrowsAny<WireFormatException>(() => serialization.Deserialize(name, cut, id));
        }

        GraphAssert.Same(Shop.Order(), serialization.Deserialize(name, bytes, id), sharing: true);
        var nothing = ByteString.CopyFrom(new Serializer(Shop.Options).Serialize<object?>(null));
        Assert.Throws<InvalidOperationException>(() => serialization.Deserialize("null", nothing, id));
    }

    [Fact]
    public void A_name_in_front_of_the_payload_loads_nothing_and_has_to_be_that_of_the_message()
    {
        ProtoSerialization serialization = Make();
        (ByteString bytes, string name, int id) = serialization.Serialize(new OrderCancelled { Reason = "r" });
        Assert.Throws<InvalidOperationException>(() => serialization.Deserialize(typeof(Intruder).AssemblyQualifiedName!, bytes, id));
        Assert.Equal("r", Assert.IsType<OrderCancelled>(serialization.Deserialize(name, bytes, id)).Reason);
    }

    [Fact]
    public void What_is_kept_by_name_is_never_given_for_another_type()
    {
        ProtoSerialization peer = Make(typeof(IKept));
        ProtoSerialization serialization = Make(typeof(IKept));
        (ByteString ping, string pingName, int id) = peer.Serialize(new Ping());
        (ByteString pong, string pongName, _) = peer.Serialize(new Pong());

        // A peer that names one message and sends another would replace the one that is kept.
        Assert.Throws<InvalidOperationException>(() => serialization.Deserialize(pongName, ping, id));
        Assert.IsType<Ping>(serialization.Deserialize(pingName, ping, id));
        Assert.IsType<Pong>(serialization.Deserialize(pongName, pong, id));
        Assert.Same(serialization.Deserialize(pongName, pong, id), serialization.Deserialize(pongName, pong, id));
    }

    [Fact]
    public void A_message_that_is_not_of_the_registered_types_is_refused_even_where_the_filter_allows_it()
    {
        ProtoSerialization serialization = Make();
        var line = ByteString.CopyFrom(new Serializer(Shop.Options).Serialize(new OrderLine("KEY-101", 1, 1m)));
        string name = new WireSerializer(Shop.Options, typeof(OrderLine)).GetTypeName(new OrderLine("", 0, 0));
        Assert.Throws<InvalidOperationException>(() => serialization.Deserialize(name, line, WireSerialization.SerializerId));
    }

    private static ProtoSerialization Make(params Type[] types) => RemoteConfig.BindToLocalhost()
        .WithWireSerializer(Shop.Options, types.Length == 0 ? [typeof(ShopMessage)] : [.. types]).Serialization;

    public interface IKept : ICachedSerialization;

    public sealed class Ping : IKept;

    public sealed class Pong : IKept;
}
