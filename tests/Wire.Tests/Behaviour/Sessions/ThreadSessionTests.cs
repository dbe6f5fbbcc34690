using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Sessions;

/// <summary>The sessions that a serializer keeps for each thread: they cost nothing when reused, and keep nothing alive.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class ThreadSessionTests
{
    private static readonly SerializerOptions Options = new()
    {
        TypeFilter = WireTypeFilter.Default.Allow<Basket>(),
    };

    [Fact]
    public void Several_serializers_in_turn_allocate_nothing_to_write()
    {
        Serializer[] serializers = [new(Options), new(Options), new(Options with { PreserveObjectReferences = true })];
        var output = new ArrayBufferWriter<byte>(1024);
        var basket = new Basket { Lines = ["first", "second"] };
        WriteInTurn(serializers, basket, output, rounds: 100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        WriteInTurn(serializers, basket, output, rounds: 100);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Several_serializers_in_turn_allocate_only_what_they_return()
    {
        Serializer[] serializers = [new(Options), new(Options)];
        byte[] payload = serializers[0].Serialize(new Basket { Lines = ["first", "second"] });
        long alone = AllocatedByReading([serializers[0], serializers[0]], payload);
        Assert.NotEqual(0, alone);
        Assert.Equal(alone, AllocatedByReading(serializers, payload));
    }

    [Fact]
    public void A_serializer_that_is_not_used_any_more_is_collected_with_its_sessions()
    {
        WeakReference serializer = Used();
        for (int i = 0; i < 10 && serializer.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(serializer.IsAlive);
    }

    [Fact]
    public void A_thread_that_follows_an_ended_one_reuses_its_sessions()
    {
        var serializer = new Serializer(Options);
        var basket = new Basket { Lines = ["first", "second"] };
        long first = 0;
        long least = long.MaxValue;
        for (int i = 0; i < 20; i++)
        {
            long allocated = AllocatedByThread(() =>
            {
                var output = new ArrayBufferWriter<byte>(1024);
                serializer.Serialize(basket, output);
                Assert.Equal(basket.Lines, serializer.Deserialize<Basket>(output.WrittenSpan)!.Lines);
            });
            first = i == 0 ? allocated : first;
            least = i == 0 ? least : Math.Min(least, allocated);

            // The number of an ended thread is free when the collector has found it.
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.InRange(least, 0, first / 2);
    }

    [Fact]
    public void Many_threads_and_serializers_do_not_mix_their_messages()
    {
        Serializer[] serializers = [.. Enumerable.Range(0, 8).Select(_ => new Serializer(Options))];
        Parallel.For(0, 64, new ParallelOptions { MaxDegreeOfParallelism = 16 }, thread =>
        {
            for (int i = 0; i < 200; i++)
            {
                var basket = new Basket { Lines = [$"{thread}", $"{i}", new string('x', i)] };
                byte[] payload = serializers[(thread + i) % serializers.Length].Serialize(basket);
                Assert.Equal(basket.Lines, serializers[(thread * i) % serializers.Length].Deserialize<Basket>(payload)!.Lines);
            }
        });
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteInTurn(Serializer[] serializers, Basket basket, ArrayBufferWriter<byte> output, int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            foreach (Serializer serializer in serializers)
            {
                output.ResetWrittenCount();
                serializer.Serialize(basket, output);
            }
        }
    }

    private static long AllocatedByReading(Serializer[] serializers, byte[] payload)
    {
        Read();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Read();
        return GC.GetAllocatedBytesForCurrentThread() - before;

        void Read()
        {
            for (int i = 0; i < 100; i++)
            {
                foreach (Serializer serializer in serializers)
                {
                    serializer.Deserialize<Basket>(payload);
                }
            }
        }
    }

    private static long AllocatedByThread(Action action)
    {
        long allocated = 0;
        var thread = new Thread(() =>
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            action();
            allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        });
        thread.Start();
        thread.Join();
        return allocated;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Used()
    {
        var serializer = new Serializer(Options);
        var basket = new Basket { Lines = ["first"] };
        Assert.Equal(basket.Lines, serializer.Deserialize<Basket>(serializer.Serialize(basket))!.Lines);
        return new WeakReference(serializer);
    }

    private sealed class Basket
    {
        public List<string> Lines { get; set; } = [];
    }
}
