extern alias akka16;

using System.Buffers;
using System.Runtime.Serialization;
using System.Threading.Channels;
using Akka.Actor;
using Akka.Event;
using Akka.Serialization;
using Wire.Akka;
using Wire.Comparing;
using Wire.Integrations.Actors.Tests.Akka;
using Wire.Testing;
using WireSerializerV2 = akka16::Wire.Akka16.WireSerializer;

namespace Wire.Integrations.Actors.Tests.Akka16;

/// <summary>The serializer for Akka.NET 1.6 through the published signatures, and over the remoting of Akka.NET 1.5 by a bridge.</summary>
public sealed class SerializerV2Tests
{
    [Fact]
    public void What_is_written_to_memory_of_the_transport_is_read_from_its_segments()
    {
        using ActorSystem system = ActorSystem.Create("one", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
        SerializerV2 serializer = new WireSerializerV2((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        OrderPlaced order = Shop.Order();
        var writer = new ArrayBufferWriter<byte>();
        writer.Write("head"u8);
        int written = serializer.Serialize(order, writer);
        Assert.Equal(writer.WrittenCount - 4, written);
        byte[] bytes = writer.WrittenSpan[4..].ToArray();
        Assert.Equal(bytes, serializer.ToBinary(order));
        foreach (ReadOnlySequence<byte> sequence in Sequences.SplitEverywhere(bytes))
        {
            GraphAssert.Same(order, serializer.Deserialize(sequence, serializer.Manifest(order)), sharing: true);
        }

        GraphAssert.Same(order, serializer.FromBinary(bytes, ""), sharing: true);
        GraphAssert.Same(order, serializer.FromBinary(bytes, typeof(Intruder)), sharing: true);
        Assert.Equal(SerializerV2.UnknownSize, serializer.SizeHint(order));
        Assert.Equal((119, false), (serializer.Identifier, serializer.IncludeManifest));
    }

    [Fact]
    public void Both_versions_write_the_same_bytes()
    {
        using ActorSystem system = ActorSystem.Create("one", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
        var former = new WireSerializer((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        var next = new WireSerializerV2((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        Assert.Equal(former.ToBinary(Shop.Order()), next.ToBinary(Shop.Order()));
        Assert.Equal(former.Identifier, next.Identifier);
    }

    [Fact]
    public void Failures_are_one_kind_of_exception_with_its_cause_and_the_serializer_stays_usable()
    {
        using ActorSystem system = ActorSystem.Create("one", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
        SerializerV2 serializer = new WireSerializerV2((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        var output = new ArrayBufferWriter<byte>();
        var unwritten = Assert.Throws<SerializationException>(() => serializer.Serialize(new Unwritable(), output));
        Assert.IsType<UnsupportedTypeException>(unwritten.InnerException);
        Assert.Throws<SerializationException>(() => serializer.ToBinary(new Unwritable()));
        Assert.Equal(0, output.WrittenCount);

        byte[] bytes = serializer.ToBinary(Shop.Order());
        for (int length = 0; length < bytes.Length; length++)
        {
            var cut = Assert.Throws<SerializationException>(() => serializer.Deserialize(Sequences.Chunked(bytes[..length], 5), ""));
            Assert.IsType<WireFormatException>(cut.InnerException, exactMatch: false);
        }

        byte[] intruder = serializer.ToBinary(new Parcel { Content = new Intruder() });
        var refused = Assert.Throws<SerializationException>(() => serializer.Deserialize(new(intruder), typeof(Intruder).FullName!));
        Assert.IsType<TypeRefusedException>(refused.InnerException);

        byte[] nothing = new Serializer(Shop.Options).Serialize<object?>(null);
        Assert.Throws<SerializationException>(() => serializer.Deserialize(new(nothing), ""));
        GraphAssert.Same(Shop.Order(), serializer.Deserialize(new(bytes), ""), sharing: true);
    }

    [Fact]
    public void What_is_not_bound_is_neither_written_nor_read_even_where_the_filter_allows_it()
    {
        using ActorSystem system = ActorSystem.Create("one", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
        SerializerV2 serializer = new WireSerializerV2((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        foreach (object message in (object[])["text", new List<ShopMessage>(), new OrderLine("KEY-101", 1, 1m)])
        {
            byte[] bytes = new Serializer(Shop.Options).Serialize(message);
            Assert.Equal(
                $"The payload holds {message.GetType()}, which is not bound to Wire here.",
                Assert.Throws<SerializationException>(() => serializer.Deserialize(new(bytes), "")).Message);
            string unwritten = $"The message is {message.GetType()}, which is not bound to Wire here.";
            var output = new ArrayBufferWriter<byte>();
            Assert.Equal(unwritten, Assert.Throws<SerializationException>(() => serializer.Serialize(message, output)).Message);
            Assert.Equal(unwritten, Assert.Throws<SerializationException>(() => serializer.ToBinary(message)).Message);
            Assert.Equal(0, output.WrittenCount);
        }
    }

    [Fact]
    public void A_writer_that_is_full_says_so_itself()
    {
        using ActorSystem system = ActorSystem.Create("one", "akka.loglevel = OFF, akka.stdout-loglevel = OFF");
        SerializerV2 serializer = new WireSerializerV2((ExtendedActorSystem)system, Shop.Options, typeof(ShopMessage));
        Assert.Throws<FullException>(() => serializer.Serialize(Shop.Order(), new FullWriter()));
    }

    [Fact]
    public async Task Over_remoting_messages_and_references_arrive_and_a_refused_one_is_logged()
    {
        SerializationSetup setup = SerializationSetup.Create(system =>
            [SerializerDetails.Create("next", new Bridge(system), [typeof(ShopMessage)])]);
        await using var systems = new TwoSystems(setup, setup);
        GraphAssert.Same(Shop.Order(), await systems.Send(Shop.Order()), sharing: true);

        ChannelReader<LogEvent> logged = TwoSystems.Logged(systems.There);
        IActorRef remote = await systems.Reach((message, context) =>
            ((IActorRef)((Parcel)message).Content!).Tell(new OrderCancelled { Reason = "answered" }));
        Channel<object> answers = Channel.CreateUnbounded<object>();
        remote.Tell(new Parcel { Content = new Intruder() });
        remote.Tell(new Parcel { Content = TwoSystems.Act(systems.Here, (message, _) => answers.Writer.TryWrite(message)) });
        Assert.Equal("answered", Assert.IsType<OrderCancelled>(await answers.Reader.ReadAsync().AsTask().InTime()).Reason);
        LogEvent refused = await TwoSystems.Failure<SerializationException>(logged);
        Assert.IsType<TypeRefusedException>(refused.Cause.InnerException);
    }

    /// <summary>Calls the new serializer in the place of a former one: with memory of a writer, and with bytes in segments.</summary>
    private sealed class Bridge(ExtendedActorSystem system) : SerializerWithStringManifest(system)
    {
        private readonly WireSerializerV2 _next = new(system, Shop.Options, typeof(ShopMessage));

        public override int Identifier => _next.Identifier;

        public override string Manifest(object o) => _next.Manifest(o);

        public override byte[] ToBinary(object obj)
        {
            var writer = new ArrayBufferWriter<byte>();
            Assert.Equal(_next.Serialize(obj, writer), writer.WrittenCount);
            return writer.WrittenSpan.ToArray();
        }

        public override object FromBinary(byte[] bytes, string manifest) => _next.Deserialize(Sequences.Chunked(bytes, 7), manifest);
    }

    private sealed class FullException() : AkkaException("full");

    private sealed class FullWriter : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new FullException();

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new FullException();

        public Span<byte> GetSpan(int sizeHint = 0) => throw new FullException();
    }
}
