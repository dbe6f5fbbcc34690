using System.Buffers;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>What a call allocates in steady state.</summary>
public class AllocationTests
{
    [Fact]
    public void Writing_to_a_buffer_writer_allocates_nothing()
    {
        var serializer = new Serializer();
        var output = new ArrayBufferWriter<byte>(1 << 12);
        Poco poco = Poco.Sample();
        Assert.Equal(0, Steady(() =>
        {
            output.ResetWrittenCount();
            serializer.Serialize(poco, output);
        }));
        var references = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        Assert.Equal(0, Steady(() =>
        {
            output.ResetWrittenCount();
            references.Serialize(poco, output);
        }));
        Assert.Equal(0, Steady(() =>
        {
            output.ResetWrittenCount();
            serializer.SerializeTyped(poco, output);
        }));
    }

    [Fact]
    public void Reading_allocates_what_it_returns()
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(Poco.Sample());
        object? keep = null;
        long made = Steady(() => keep = new Poco { Name = new string('x', "a name".Length) });
        Assert.True(made > 0);
        Assert.Equal(made, Steady(() => keep = serializer.Deserialize<Poco>(payload)));
        Assert.IsType<Poco>(keep);
    }

    private static long Steady(Action action)
    {
        for (int i = 0; i < 100; i++)
        {
            action();
        }

        // The least of several: the runtime may do something of its own in between.
        long least = long.MaxValue;
        for (int i = 0; i < 20; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            action();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
