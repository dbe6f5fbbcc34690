using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Faults;

/// <summary>One serializer and everything at once: new types, types that go, sessions that end, calls inside calls.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class ThreadFaultTests
{
    private const int Threads = 16;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(true, 1000)]
    [InlineData(false, 1000)]
    public void A_thousand_types_that_hold_each_other_are_first_used_by_all_threads_at_once(bool dynamicCode, int count)
    {
        // Every type has the next two and the one before, round in a circle: whoever begins anywhere meets all the others.
        Type[] types = Circle($"Circle{dynamicCode}", count);
        var serializer = new Serializer(new SerializerOptions
        {
            DynamicCode = dynamicCode,
            TypeFilter = WireTypeFilter.Default.AllowAssembly(types[0].Assembly),
            PreserveObjectReferences = true,
        });
        AllAtOnce(thread =>
        {
            var random = new Random(thread);
            for (int i = 0; i < count; i++)
            {
                // Each thread in an order of its own, half of them backwards.
                int at = ((thread * count / Threads) + (thread % 2 == 0 ? i : count - i)) % count;
                object value = Activator.CreateInstance(types[at])!;
                object next = Activator.CreateInstance(types[(at + 1) % count])!;
                types[at].GetField("Next")!.SetValue(value, next);
                types[at].GetField("Number")!.SetValue(value, i);
                types[(at + 1) % count].GetField("Before")!.SetValue(next, value);
                object? back = random.Next(2) == 0 ? serializer.Deserialize<object>(serializer.Serialize(value)) : serializer.Clone(value);
                Assert.Equal(i, types[at].GetField("Number")!.GetValue(back));
                object? other = types[at].GetField("Next")!.GetValue(back);
                Assert.Same(back, types[(at + 1) % count].GetField("Before")!.GetValue(other));
            }
        });
    }

    [Fact]
    public void Contexts_unload_while_others_write_and_read()
    {
        byte[] plugin = MadeAssembly.Make(
            "Wire.Made.Passing", module => module.Class("Passing.Message", ("Id", typeof(int)), ("Any", typeof(object))).CreateType());
        var serializer = new Serializer(
            new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowNamespace("Passing").Allow<Leaf>() });
        var passed = new System.Collections.Concurrent.ConcurrentQueue<WeakReference>();
        AllAtOnce(thread =>
        {
            for (int i = 0; i < 15; i++)
            {
                if (thread % 4 == 0)
                {
                    passed.Enqueue(Pass(serializer, plugin, i));
                }
                else
                {
                    for (int j = 0; j < 50; j++)
                    {
                        Assert.Equal(j, serializer.RoundTrip(new Box<Leaf> { Value = new Leaf { Id = j } }).Value!.Id);
                        Assert.Equal(j, ((Leaf)serializer.RoundTrip(new List<object> { new Leaf { Id = j } })[0]).Id);
                    }
                }
            }
        });

        // Threads that have ended keep nothing either.
        for (int i = 0; i < 50 && passed.Any(context => context.IsAlive); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.DoesNotContain(passed, context => context.IsAlive);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Calls_inside_calls_have_sessions_of_their_own(bool dynamicCode)
    {
        Serializer? serializer = null;
        int depth = 0;
        Leaf Inside(Leaf leaf)
        {
            // Down four levels, with every way of writing and reading.
            if (++depth < 5)
            {
                Assert.Equal(
                    leaf.Id, serializer!.RoundTrip(new Node { Extra = new Leaf { Id = leaf.Id } }).Extra is Leaf back ? back.Id : -1);
                var stream = new MemoryStream();
                serializer!.Serialize(new Cat { Name = "c" }, stream);
                stream.Position = 0;
                Assert.Equal("c", serializer.Deserialize<Cat>(stream)!.Name);
            }

            depth--;
            return leaf;
        }

        serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = true,
            Surrogates = [Surrogate.Create<Leaf, (long, string?)>(
                leaf => (Inside(leaf).Id, leaf.Text), parts => Inside(new Leaf { Id = parts.Item1, Text = parts.Item2 }))],
        });
        var shared = new Leaf { Id = 8, Text = "t" };
        object?[] graph = [shared, new Node { Extra = shared }, new Cat { Name = "d" }];
        byte[] bytes = serializer.Serialize(graph);
        foreach (Func<object?[]?> read in new Func<object?[]?>[]
        {
            () => serializer.Deserialize<object?[]>(bytes),
            () => serializer.Deserialize<object?[]>(new SeekableStream(bytes)),
            () => serializer.Deserialize<object?[]>(new System.Buffers.ReadOnlySequence<byte>(bytes)),
        })
        {
            object?[] back = read()!;
            Assert.Equal((8, "t"), (((Leaf)back[0]!).Id, ((Leaf)back[0]!).Text));
            Assert.Same(back[0], ((Node)back[1]!).Extra);
            Assert.Equal("d", ((Cat)back[2]!).Name);
        }

        Assert.Equal(bytes, serializer.Serialize(graph));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_session_that_is_disposed_of_during_a_call_carries_it_to_its_end(bool fromInside)
    {
        Action during = () => { };
        Serializer serializer = Calling(() => during());
        object[] graph = [new string('x', 3 << 20), new Leaf { Id = 5 }, new string('y', 3 << 20)];
        byte[] expected = SessionPayload.First(serializer, graph);
        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        during = () => Elsewhere(fromInside, () =>
        {
            writing.Dispose();
            reading.Dispose();
            writing.Dispose();
        });

        // A buffer that the session rents would be somebody else's.
        Assert.Equal(expected, serializer.Serialize(graph, writing));
        Assert.Throws<ObjectDisposedException>(() => serializer.Serialize(1, writing));
        reading = serializer.GetDeserializerSession();
        GraphAssert.Same(((Leaf)graph[1]).Id, ((Leaf)serializer.Deserialize<object[]>(expected, reading)![1]).Id);
        Assert.Throws<ObjectDisposedException>(() => serializer.Deserialize<object>(expected, reading));
        Assert.Throws<ObjectDisposedException>(() => serializer.Deserialize<object>(new SeekableStream(expected), reading));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_session_in_use_refuses_other_callers_and_is_usable_afterwards(bool fromInside)
    {
        Action during = () => { };
        Serializer serializer = Calling(() => during());
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] payload = serializer.Serialize(1);
        int refused = 0;
        during = () => Elsewhere(fromInside, () =>
        {
            foreach (Action other in new Action[]
            {
                () => serializer.Serialize(1, writing),
                () => serializer.Serialize(1, new MemoryStream(), writing),
                () => serializer.Serialize(1, new System.Buffers.ArrayBufferWriter<byte>(), writing),
            })
            {
                refused += Record.Exception(other) is InvalidOperationException ? 1 : 0;
            }

            refused += Record.Exception(() => serializer.Deserialize<int>(payload, reading)) is InvalidOperationException ? 1 : 0;
            refused += Record.Exception(
                () => serializer.Deserialize<int>(new SeekableStream(payload), reading)) is InvalidOperationException
                ? 1
                : 0;
        });
        byte[] first = serializer.Serialize(new object[] { new Cat { Name = "a" }, new Leaf { Id = 1 } }, writing);
        Assert.Equal(3, refused);
        refused = 0;
        Assert.Equal(1, ((Leaf)serializer.Deserialize<object[]>(first, reading)![1]).Id);
        Assert.Equal(2, refused);
        during = () => { };
        byte[] second = serializer.Serialize(new object[] { new Cat { Name = "b" }, new Leaf { Id = 2 } }, writing);
        Assert.True(second.Length < first.Length);
        Assert.Equal(2, ((Leaf)serializer.Deserialize<object[]>(second, reading)![1]).Id);
    }

    [Fact]
    public async Task Awaiting_on_other_threads_leaves_no_session_busy()
    {
        Serializer serializer = Setup.Serializer(true);
        var pipe =
            new System.IO.Pipelines.Pipe(new System.IO.Pipelines.PipeOptions(pauseWriterThreshold: 1000, resumeWriterThreshold: 500));
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        Task send = Task.Run(async () =>
        {
            for (int i = 0; i < 500; i++)
            {
                await serializer.SerializeFramedAsync(
                    new Node { Value = i, Extra = new Leaf { Text = new string('t', i) } }, pipe.Writer, writing);
                await Task.Yield();
            }

            await pipe.Writer.CompleteAsync();
        });
        int next = 0;
        await foreach (Node? node in serializer.DeserializeAllFramedAsync<Node>(pipe.Reader, reading))
        {
            Assert.Equal(next, node!.Value);
            Assert.Equal(next++, ((Leaf)node.Extra!).Text!.Length);
            await Task.Yield();
        }

        await send;
        Assert.Equal(500, next);
    }

    private static void Elsewhere(bool here, Action action)
    {
        if (here)
        {
            action();
            return;
        }

        var thread = new Thread(() => action());
        thread.Start();
        thread.Join();
    }

    private static Type[] Circle(string name, int count)
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(name), AssemblyBuilderAccess.Run);
        ModuleBuilder module = assembly.DefineDynamicModule(name);
        TypeBuilder[] types = [.. Enumerable.Range(0, count).Select(
            i => module.DefineType($"Circle.T{i}", TypeAttributes.Public | (i % 3 == 0 ? TypeAttributes.Sealed : 0)))];
        for (int i = 0; i < count; i++)
        {
            types[i].With(
                ("Number", typeof(int)),
                ("Next", types[(i + 1) % count]),
                ("Others", types[(i + 2) % count].MakeArrayType()),
                ("Before", types[(i + count - 1) % count]));
        }

        return [.. types.Select(type => type.CreateType())];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Pass(Serializer serializer, byte[] plugin, int id)
    {
        var context = new AssemblyLoadContext("passing", isCollectible: true);
        using (context.EnterContextualReflection())
        {
            Type type = context.Load(plugin).GetType("Passing.Message")!;
            object message = Activator.CreateInstance(type)!;
            type.GetField("Id")!.SetValue(message, id);
            type.GetField("Any")!.SetValue(message, new Leaf { Id = id });
            object back = serializer.Clone(message);
            Assert.Equal(id, type.GetField("Id")!.GetValue(back));
            Assert.Equal(id, ((Leaf)type.GetField("Any")!.GetValue(back)!).Id);
        }

        context.Unload();
        return new WeakReference(context);
    }

    // Calls back while a leaf is written, and while one is read.
    private static Serializer Calling(Action during) => Setup.Serializer(true, o => o with
    {
        Surrogates = [Surrogate.Create<Leaf, long>(
            leaf =>
            {
                during();
                return leaf.Id;
            },
            id =>
            {
                during();
                return new Leaf { Id = id };
            })],
    });

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
        })
        { IsBackground = true })];
        Array.ForEach(threads, t => t.Start());
        var watch = Stopwatch.StartNew();
        Assert.All(threads, t =>
            Assert.True(t.Join(Patience > watch.Elapsed ? Patience - watch.Elapsed : TimeSpan.Zero), "the threads wait for each other"));
        Assert.Empty(failures);
    }
}
