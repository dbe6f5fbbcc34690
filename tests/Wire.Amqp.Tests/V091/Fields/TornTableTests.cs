using System.Reflection;
using Wire.Amqp.V091;
using Wire.Amqp.V10;

namespace Wire.Amqp.Tests.V091.Fields;

/// <summary>
/// A view that one thread assigns while another reads it may have the array of the one and the length of the other. That is a fault of the
/// program; nothing is read from outside of arrays all the same.
/// </summary>
public sealed class TornTableTests
{
    private static readonly byte[] Short = new byte[4];

    [Fact]
    public void A_table_and_an_array_with_another_array_are_not_read()
    {
        FieldTable table = FieldTable.Create(Enumerable.Range(0, 50).ToDictionary(i => $"key {i}", i => (object?)i));
        Assert.Throws<InvalidOperationException>(() => Torn(table, "_bytes").Count);
        Assert.Throws<InvalidOperationException>(() => Torn(table, "_bytes").ToDictionary());
        Assert.Throws<InvalidOperationException>(() => Torn(FieldArray.Create(Enumerable.Range(0, 50)), "_bytes").Count);
    }

    [Fact]
    public void A_frame_with_another_array_is_not_read()
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, new BasicPublish { Exchange = "an exchange", RoutingKey = "a routing key" });
        var frames = new FrameReader(output.WrittenMemory, 4096);
        Assert.True(frames.TryRead(out Frame frame));
        Frame torn = Torn(frame, "_array");
        Assert.Throws<InvalidOperationException>(() => torn.ReadMethod<BasicPublish>());
    }

    [Fact]
    public void A_list_with_another_array_is_not_read()
    {
        AmqpValue value = AmqpValue.List(1, "two", 3.0, "and a longer text");
        Assert.Throws<ArgumentOutOfRangeException>(() => Torn(value, "_source").ToObject());
    }

    private static T Torn<T>(T view, string array)
        where T : struct
    {
        object boxed = view;
        FieldInfo field = typeof(T).GetField(array, BindingFlags.Instance | BindingFlags.NonPublic)!;
        Assert.NotNull(field.GetValue(boxed));
        field.SetValue(boxed, Short);
        return (T)boxed;
    }
}
