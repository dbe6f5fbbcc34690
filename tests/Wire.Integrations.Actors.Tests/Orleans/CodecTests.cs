using System.Buffers;
using System.Text;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using Wire.Comparing;
using Wire.Orleans;
using Wire.Testing;
using OrleansSerializer = Orleans.Serialization.Serializer;

namespace Wire.Integrations.Actors.Tests.Orleans;

/// <summary>The codec in Orleans' serializer.</summary>
public sealed class CodecTests
{
    [Fact]
    public void A_value_in_a_variable_of_any_of_its_types_comes_back_as_it_was()
    {
        OrleansSerializer serializer = Make();
        OrderPlaced order = Shop.Order();
        GraphAssert.Same(order, serializer.Deserialize<OrderPlaced>(serializer.SerializeToArray(order)), sharing: true);
        GraphAssert.Same(order, serializer.Deserialize<ShopMessage>(serializer.SerializeToArray<ShopMessage>(order)), sharing: true);
        GraphAssert.Same(order, serializer.Deserialize<object>(serializer.SerializeToArray<object>(order)), sharing: true);
        Assert.Null(serializer.Deserialize<ShopMessage>(serializer.SerializeToArray<ShopMessage?>(null)));
    }

    [Fact]
    public void Values_inside_Orleans_types_come_back_shared()
    {
        OrleansSerializer serializer = Make();
        OrderPlaced order = Shop.Order();
        var envelope = new Envelope { First = order, Between = "text", Again = order, All = [order, new OrderCancelled { Reason = "r" }] };
        Envelope read = serializer.Deserialize<Envelope>(serializer.SerializeToArray(envelope))!;
        GraphAssert.Same(order, read.First, sharing: true);
        Assert.Equal("text", read.Between);
        Assert.Same(read.First, read.Again);
        Assert.Same(read.First, read.All[0]);
        Assert.Equal("r", Assert.IsType<OrderCancelled>(read.All[1]).Reason);
    }

    [Fact]
    public void A_reader_without_the_field_skips_it()
    {
        OrleansSerializer serializer = Make();
        object shared = new Tag { Text = "shared" };
        byte[] bytes = serializer.SerializeToArray(new NewEnvelope { Before = shared, Added = Shop.Order(), After = shared });
        OldEnvelope read = serializer.Deserialize<OldEnvelope>(bytes)!;
        Assert.Equal("shared", Assert.IsType<Tag>(read.Before).Text);
        Assert.Same(read.Before, read.After);
    }

    [Fact]
    public void Segments_and_streams_hold_the_same_bytes_as_an_array()
    {
        OrleansSerializer serializer = Make();
        var envelope = new Envelope { First = Shop.Order(), Between = "text", Again = new OrderCancelled { Reason = "r" } };
        byte[] bytes = serializer.SerializeToArray(envelope);
        foreach (int size in (int[])[1, 7, 64, 1000])
        {
            Envelope read = serializer.Deserialize<Envelope>(Sequences.Chunked(bytes, size))!;
            GraphAssert.Same(envelope.First, read.First, sharing: true);
            GraphAssert.Same(envelope.Again, read.Again, sharing: true);
        }

        using var stream = new MemoryStream();
        serializer.Serialize(envelope, stream);
        Assert.Equal(bytes, stream.ToArray());
        stream.Position = 0;
        GraphAssert.Same(envelope.First, serializer.Deserialize<Envelope>(stream)!.First, sharing: true);

        var output = new ArrayBufferWriter<byte>(1);
        serializer.Serialize(envelope, output);
        Assert.Equal(bytes, output.WrittenSpan);
    }

    [Fact]
    public void A_deep_copy_is_a_copy_and_what_is_shared_has_one()
    {
        using ServiceProvider services = Services(Shop.Options, typeof(ShopMessage));
        DeepCopier copier = services.GetRequiredService<DeepCopier>();
        OrderPlaced order = Shop.Order();
        var envelope = new Envelope { First = order, Again = order };
        Envelope copy = copier.Copy(envelope)!;
        Assert.NotSame(order, copy.First);
        Assert.Same(copy.First, copy.Again);
        GraphAssert.Same(order, copy.First, sharing: true);

        var failed = Assert.Throws<SerializerException>(() => copier.Copy<ShopMessage>(new Unwritable()));
        Assert.IsType<UnsupportedTypeException>(failed.InnerException);
    }

    [Fact]
    public void A_type_that_is_not_allowed_is_refused()
    {
        OrleansSerializer serializer = Make();
        byte[] bytes = serializer.SerializeToArray<ShopMessage>(new Parcel { Content = new Intruder() });
        var refused = Assert.Throws<SerializerException>(() => serializer.Deserialize<ShopMessage>(bytes));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
        Assert.NotNull(serializer.Deserialize<ShopMessage>(serializer.SerializeToArray<ShopMessage>(Shop.Order())));
    }

    [Fact]
    public void A_root_that_is_another_programs_is_refused_even_where_the_filter_allows_it()
    {
        using ServiceProvider others = Services(Shop.Options, typeof(ShopMessage), typeof(OrderLine), typeof(Intruder));
        OrleansSerializer writer = others.GetRequiredService<OrleansSerializer>();
        OrleansSerializer reader = Make();
        byte[] line = writer.SerializeToArray<object>(new OrderLine("KEY-101", 1, 1m));
        Assert.Contains("not written with Wire here", Assert.Throws<SerializerException>(() => reader.Deserialize<object>(line)).Message);

        byte[] intruder = writer.SerializeToArray<object>(new Intruder());
        var refused = Assert.Throws<SerializerException>(() => reader.Deserialize<object>(intruder));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
    }

    [Fact]
    public void A_predicate_says_what_is_written_and_allows_nothing()
    {
        using var services = new ServiceCollection()
            .AddSerializer(builder => builder.AddWireSerializer(Shop.Options, type => type.Namespace == typeof(Shop).Namespace))
            .BuildServiceProvider();
        OrleansSerializer serializer = services.GetRequiredService<OrleansSerializer>();
        byte[] line = serializer.SerializeToArray<object>(new OrderLine("KEY-101", 1, 1m));
        GraphAssert.Same(new OrderLine("KEY-101", 1, 1m), serializer.Deserialize<object>(line));

        byte[] order = serializer.SerializeToArray<object>(Shop.Order());
        var refused = Assert.Throws<SerializerException>(() => serializer.Deserialize<object>(order));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
    }

    [Fact]
    public void A_value_that_cannot_be_written_leaves_the_serializer_usable()
    {
        OrleansSerializer serializer = Make();
        var failed = Assert.Throws<SerializerException>(() => serializer.SerializeToArray<ShopMessage>(new Unwritable()));
        Assert.IsType<UnsupportedTypeException>(failed.InnerException);
        OrderPlaced order = Shop.Order();
        GraphAssert.Same(order, serializer.Deserialize<ShopMessage>(serializer.SerializeToArray<ShopMessage>(order)), sharing: true);
    }

    [Fact]
    public void What_cannot_be_written_is_said_on_the_other_side_too()
    {
        OrleansSerializer serializer = Make();
        var failed = Assert.Throws<SerializerException>(() => serializer.SerializeToArray<ShopMessage>(new Unwritable()));
        Exception read = serializer.Deserialize<Exception>(serializer.SerializeToArray<Exception>(failed))!;
        Assert.Equal(failed.Message, Assert.IsType<SerializerException>(read).Message);
        Assert.Equal(failed.InnerException!.Message, Assert.IsType<NotSupportedException>(read.InnerException).Message);
    }

    [Fact]
    public void Bytes_that_end_too_early_are_a_SerializerException_and_before_the_value_one_of_Orleans()
    {
        OrleansSerializer serializer = Make();
        byte[] bytes = serializer.SerializeToArray<ShopMessage>(Shop.Order());
        int head = bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(WireCodec.Name)) + WireCodec.Name.Length;
        Assert.InRange(head, WireCodec.Name.Length, 20);
        for (int length = 0; length < bytes.Length - 1; length++)
        {
            Exception? failed = Record.Exception(() => serializer.Deserialize<ShopMessage>(bytes[..length]));
            if (length < head)
            {
                // Orleans reads its own header, which says that the value is Wire's.
                Assert.True(failed is InvalidOperationException or IndexOutOfRangeException, $"{length}: {failed}");
            }
            else
            {
                Assert.IsType<SerializerException>(failed);
            }
        }
    }

    [Fact]
    public void A_surrogate_may_call_the_serializer_in_turn()
    {
        Surrogate nested = Surrogate.Create<Intruder, byte[], IServiceProvider>(
            (value, services) => services.GetRequiredService<OrleansSerializer>().SerializeToArray<ShopMessage>(
                new OrderCancelled { Reason = value.Text }),
            (bytes, services) => new Intruder
            {
                Text = ((OrderCancelled)services.GetRequiredService<OrleansSerializer>().Deserialize<ShopMessage>(bytes)!).Reason,
            });
        using ServiceProvider services = Services(Shop.Options with { Surrogates = [nested] }, typeof(ShopMessage));
        OrleansSerializer serializer = services.GetRequiredService<OrleansSerializer>();
        var parcel = new Parcel { Content = new object[] { "before", new Intruder { Text = "inside" }, "after" } };
        object[] content = Assert.IsType<object[]>(
            ((Parcel)serializer.Deserialize<ShopMessage>(serializer.SerializeToArray<ShopMessage>(parcel))!).Content);
        Assert.Equal(("before", "inside", "after"), (content[0], ((Intruder)content[1]).Text, content[2]));
    }

    [Fact]
    public void A_second_registration_is_refused() =>
        Assert.Throws<InvalidOperationException>(() => new ServiceCollection().AddSerializer(
            builder => builder.AddWireSerializer(Shop.Options, typeof(ShopMessage)).AddWireSerializer(Shop.Options, typeof(Payment))));

    private static OrleansSerializer Make() =>
        Services(Shop.Options, typeof(ShopMessage)).GetRequiredService<OrleansSerializer>();

    private static ServiceProvider Services(SerializerOptions options, params Type[] types) => new ServiceCollection()
        .AddSerializer(builder => builder.AddWireSerializer(options, [.. types])).BuildServiceProvider();
}
