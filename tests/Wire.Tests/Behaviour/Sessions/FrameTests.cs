using System.Buffers;

namespace Wire.Tests.Behaviour.Sessions;

/// <summary>
/// What a user's value serializer writes may hold anything, and may be passed over by readers that do not have the member.
/// </summary>
public sealed class FrameTests
{
    [Theory]
    [InlineData(false, true)]
    [InlineData(false, false)]
    [InlineData(true, true)]
    [InlineData(true, false)]
    public void Values_behind_a_frame_keep_their_types_and_references_when_it_is_passed_over(bool references, bool dynamicCode)
    {
        var part = new Part { Name = "shared" };
        var value = new Old { A = new Box { Content = new Part { Name = "inside" } }, B = part, C = new Other { Next = part }, D = part };
        SerializerOptions options = SerializerOptions.Default with
        {
            PreserveObjectReferences = references,
            DynamicCode = dynamicCode,
            TypeFilter = WireTypeFilter.Default.Allow<Part>().Allow<Other>(),
            ValueSerializerFactories = [ValueSerializerFactory.For(new BoxSerializer())],
        };

        byte[] bytes = new Serializer(options).Serialize(value);
        Old same = new Serializer(options).Deserialize<Old>(bytes)!;
        New less = new Serializer(options).Deserialize<New>(bytes)!;

        Assert.Equal("inside", Assert.IsType<Part>(same.A!.Content).Name);
        foreach ((object? b, object? c, object? d) in new[] { (same.B, same.C, same.D), (less.B, less.C, less.D) })
        {
            Assert.Equal("shared", Assert.IsType<Part>(b).Name);
            Assert.Equal("shared", Assert.IsType<Part>(Assert.IsType<Other>(c).Next).Name);
            Assert.Equal(references, ReferenceEquals(b, d));
            Assert.Equal(references, ReferenceEquals(b, ((Other)c!).Next));
        }
    }

    [Fact]
    public void A_failure_behind_a_frame_leaves_a_buffer_writer_untouched()
    {
        var serializer = new Serializer(SerializerOptions.Default with
        {
            ValueSerializerFactories = [ValueSerializerFactory.For(new BoxSerializer())],
        });
        var output = new ArrayBufferWriter<byte>();

        Assert.Throws<UnsupportedTypeException>(
            () => serializer.Serialize(new Old { A = new Box { Content = 1 }, B = (Action)(() => { }) }, output));
        Assert.Equal(0, output.WrittenCount);

        var value = new Old { A = new Box { Content = 1 }, B = 2 };
        serializer.Serialize(value, output);
        Assert.Equal(serializer.Serialize(value), output.WrittenSpan.ToArray());
    }

    public sealed class Box
    {
        public object? Content;
    }

    public class Part
    {
        public string? Name;
    }

    public class Other
    {
        public object? Next;
    }

    [WireName("Frames.Holder")]
    public sealed class Old
    {
        public Box? A;
        public object? B;
        public object? C;
        public object? D;
    }

    [WireName("Frames.Holder")]
    public sealed class New
    {
        public object? B;
        public object? C;
        public object? D;
    }

    private sealed class BoxSerializer : ValueSerializer<Box>
    {
        public override void Write(ref WireWriter writer, Box value) => writer.WriteValue(value.Content);

        public override Box Read(ref WireReader reader) => new() { Content = reader.ReadValue<object>() };
    }
}
