using Wire.Comparing;
using Wire.Tests.Behaviour.Versions;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>One serializer, many threads.</summary>
public class ThreadTests
{
    private const int Threads = 16;

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Types_are_first_used_by_all_threads_at_once(bool dynamicCode)
    {
        for (int round = 0; round < 10; round++)
        {
            // New every round: every type is met for the first time again.
            Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = true });
            Serializer foreign = Setup.Serializer(dynamicCode);
            byte[] written = Setup.Closed(
                dynamicCode, o => o with { ValueSerializerFactories = [ValueSerializerFactory.For(new Write.FramedSerializer())] })
                .Serialize(Write.Everything.Sample());
            AllAtOnce(thread =>
            {
                for (int seed = 0; seed < 20; seed++)
                {
                    object? graph = GraphBuilder.FromSeed(seed, cycles: true);
                    GraphAssert.Same(graph, serializer.RoundTrip(graph), sharing: true);
                    Assert.Equal("middle", foreign.Deserialize<Read.Everything>(written)!.Middle);
                    Assert.Equal(thread, serializer.DeserializeTyped<Node>(serializer.SerializeTyped(new Node { Value = thread }))!.Value);
                }
            });
        }
    }

    [Fact]
    public void Refused_types_stay_refused_while_other_threads_may_have_them()
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize(new Leaf { Id = 3 });
        AllAtOnce(thread =>
        {
            for (int i = 0; i < 300; i++)
            {
                if (thread % 2 == 0)
                {
                    Assert.Equal(3, serializer.Deserialize<Leaf>(payload)!.Id);
                }
                else
                {
                    Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
                }
            }
        });
    }

    private static void AllAtOnce(Action<int> action)
    {
        using var barrier = new Barrier(Threads);
        var failures = new System.Collections.Concurrent.ConcurrentQueue<Exception>();
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(() =>
        {
            barrier.SignalAndWait();
            try
            {
                action(number);
            }
            catch (Exception e)
            {
                failures.Enqueue(e);
            }
        }))];
        Array.ForEach(threads, t => t.Start());
        Array.ForEach(threads, t => t.Join());
        Assert.Empty(failures);
    }
}
