using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Errors;

/// <summary>The stack trace of an error begins with the method of Wire that the program called.</summary>
public sealed class CallerTraceTests
{
    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_Wire_called_itself_is_left_out(bool dynamicCode)
    {
        Serializer serializer = Setup.Closed(dynamicCode);
        Serializer open = Setup.Serializer(dynamicCode);
        byte[] payload = open.Serialize(new Bag { Animals = [new Cat()] });
        // The first message is read by reflection, later ones by emitted code.
        for (int i = 0; i < 4; i++)
        {
            serializer.RoundTrip(new Bag { Animals = [] });
            Check(Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Bag>(payload)));
            Check(Assert.Throws<WireFormatException>(() => serializer.Deserialize<Bag>(payload[..9])));
            object[] code = [1, typeof(int).GetMethods()];
            Check(Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(code)));
            Check(Assert.Throws<UnsupportedTypeException>(() => serializer.Clone<object>(Task.CompletedTask)));
        }

        static void Check(Exception e)
        {
            string[] lines = e.StackTrace!.Split('\n');
            // The JIT compiler may have put the method that was called into its caller.
            Assert.StartsWith("   at Wire.Serializer.", lines[0], StringComparison.Ordinal);
            Assert.Contains(nameof(CallerTraceTests), lines[1], StringComparison.Ordinal);
            Assert.Contains(lines[0].Trim(), e.ToString(), StringComparison.Ordinal);
            // Nothing is lost for those who look for a fault in Wire.
            Assert.InRange(new StackTrace(e).FrameCount, lines.Length + 2, int.MaxValue);
        }
    }

    [Fact]
    public void What_the_program_called_is_not()
    {
        var serializer = new Serializer(new SerializerOptions { Surrogates = [Surrogate.Create<Leaf, byte[]>(_ => [1], Nested)] });
        Exception e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Leaf>(serializer.Serialize(new Leaf())));
        string[] lines = e.StackTrace!.Split('\n');
        Assert.StartsWith("   at Wire.Serializer.", lines[0], StringComparison.Ordinal);
        Assert.Contains($"{nameof(CallerTraceTests)}.{nameof(Nested)}", lines[1], StringComparison.Ordinal);
        Assert.StartsWith("   at Wire.", lines[2], StringComparison.Ordinal);
        Assert.Contains(nameof(CallerTraceTests), lines[3], StringComparison.Ordinal);
    }

    // Two assemblies, which call each other.
    [Fact]
    public void A_document_is_called_as_a_serializer_is()
    {
        byte[] payload = new Serializer().Serialize(new Bag { Animals = [new Cat()] });
        Exception e = Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(payload.AsMemory(0, payload.Length - 1)));
        string[] lines = e.StackTrace!.Split('\n');
        Assert.StartsWith("   at Wire.PayloadDocument.", lines[0], StringComparison.Ordinal);
        Assert.Contains(nameof(CallerTraceTests), lines[1], StringComparison.Ordinal);
        Assert.InRange(new StackTrace(e).FrameCount, lines.Length + 2, int.MaxValue);
    }

    [Fact]
    public void What_NET_calls_for_Wire_is_left_out_too()
    {
        // The members of another version are matched by a query.
        byte[] payload = new Serializer(Named<Before>()).Serialize(new Before { At = default(Guid) });
        Exception changed = Assert.Throws<WireFormatException>(() => new Serializer(Named<After>()).Deserialize<After>(payload));
        Assert.Contains("System.Linq", new StackTrace(changed).ToString(), StringComparison.Ordinal);
        string[] lines = changed.StackTrace!.Split('\n');
        Assert.StartsWith("   at Wire.Serializer.", lines[0], StringComparison.Ordinal);
        Assert.Contains(nameof(CallerTraceTests), lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public void One_that_was_not_thrown_has_none_and_one_that_was_read_has_that_of_its_writer()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<WireFormatException>() });
        Exception thrown = Assert.Throws<WireFormatException>(() => serializer.Deserialize<int>([]));
        var outer = new InvalidOperationException("outer", thrown);
        InvalidOperationException read = serializer.RoundTrip(outer);
        Assert.Null(read.StackTrace);
        Assert.Contains("   at Wire.Serializer.", read.InnerException!.StackTrace, StringComparison.Ordinal);
        Assert.Equal(Lines(thrown), Lines(read.InnerException));

        static IEnumerable<string> Lines(Exception e) =>
            e.StackTrace!.Split('\n').Where(line => line.StartsWith("   at Wire.S", StringComparison.Ordinal));
    }

    private static SerializerOptions Named<T>() => new() { TypeAliases = TypeAliases.None.Alias<T>("Changed") };

    private sealed class Before
    {
        public Guid At { get; set; }
    }

    private sealed class After
    {
        public DateTime At { get; set; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Leaf Nested(byte[] bytes) => new Serializer().Deserialize<Leaf>(bytes)!;
}
