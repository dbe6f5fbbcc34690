using System.Buffers;
using System.Collections;
using System.Collections.ObjectModel;
using System.Reflection;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Faults;

/// <summary>What user code throws comes out as it is, once, with its place, and leaves serializer and sessions usable.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class UserCodeTests
{
    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_bomb_anywhere_in_a_written_graph_comes_out_as_it_is(bool dynamicCode, bool references)
    {
        var serializer = new Serializer(Explosive.Options(dynamicCode) with { PreserveObjectReferences = references });
        object graph = Graph();
        Action[] ways =
        [
            () => serializer.Serialize(graph),
            () => serializer.Serialize(graph, new ArrayBufferWriter<byte>(1 << 16)),
            () => serializer.Serialize(graph, new ArrayBufferWriter<byte>()),
            () => serializer.Serialize(graph, new MemoryStream()),
            () => serializer.SerializeTyped((object[])graph),
            () => serializer.SerializeFramedAsync(graph, new MemoryStream()).AsTask().GetAwaiter().GetResult(),
            () => serializer.Clone(graph),
        ];
        foreach (Action way in ways)
        {
            int exploded = 0;
            for (int at = 1; Explodes(way, at, onRead: null); at++)
            {
                exploded++;
                Assert.True(IsIdle(CachedSessions.Writing(serializer)) && IsIdle(CachedSessions.Reading(serializer)));
            }

            Assert.True(exploded > 15, $"{exploded}");
        }

        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int at = 1; Explodes(() => serializer.Serialize(graph, writing), at, onRead: false); at++)
        {
            byte[] next = serializer.Serialize(new object[] { new Leaf { Id = at }, new Explosive.Called() }, writing);
            Assert.Equal(at, ((Leaf)serializer.Deserialize<object[]>(next, reading)![0]).Id);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public async Task A_bomb_anywhere_in_a_graph_that_is_read_comes_out_as_it_is(bool dynamicCode, bool references)
    {
        var serializer = new Serializer(Explosive.Options(dynamicCode) with { PreserveObjectReferences = references });
        Bomb.Set(0, new InvalidOperationException());
        byte[] payload = serializer.Serialize(Graph());
        byte[] typed = serializer.SerializeTyped(Graph());
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] inSession = serializer.Serialize(Graph(), writing);
        var framed = new MemoryStream();
        await serializer.SerializeFramedAsync(Graph(), framed);
        Action[] ways =
        [
            () => serializer.Deserialize<object>(payload),
            () => serializer.Deserialize<object[]>(payload.AsSpan()),
            () => serializer.Deserialize<object>(new ReadOnlySequence<byte>(payload)),
            () => serializer.Deserialize<object>(new SeekableStream(payload)),
            () => serializer.Deserialize<object>(new Forward(payload)),
            () => serializer.Deserialize<object[]>(inSession, reading),
            () => serializer.DeserializeTyped<object[]>(typed),
            () => serializer.DeserializeFramedAsync<object>(new MemoryStream(framed.ToArray())).AsTask().GetAwaiter().GetResult(),
        ];
        foreach (Action way in ways)
        {
            int exploded = 0;
            for (int at = 1; Explodes(way, at, onRead: true); at++)
            {
                exploded++;
                Assert.True(IsIdle(CachedSessions.Reading(serializer)));
            }

            Assert.True(exploded > 25, $"{exploded}");
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_bomb_on_a_fresh_stack_comes_out_as_it_is(bool dynamicCode)
    {
        var serializer = new Serializer(Explosive.Options(dynamicCode) with { Limits = Limits.Default with { MaxDepth = int.MaxValue } });
        var root = new Node();
        Node last = root;
        // So deep that no stack of 192 KB holds it, however little of it a level takes once its code is optimized.
        for (int i = 0; i < 10_000; i++)
        {
            last = last.Next = new Node();
        }

        last.Extra = Graph();
        Bomb.Set(0, new InvalidOperationException());
        byte[] payload = serializer.Serialize(root);
        int elsewhere = 0;
        int step = Sweep.IsWhole ? 1 : 4;
        Setup.OnSmallStack(
            () =>
            {
                for (int at = 1; Explodes(() => serializer.Serialize(root), at, onRead: false); at += step)
                {
                    elsewhere += Bomb.Thread != Environment.CurrentManagedThreadId ? 1 : 0;
                }

                for (int at = 1; Explodes(() => serializer.Deserialize<Node>(payload), at, onRead: true); at += step)
                {
                    elsewhere += Bomb.Thread != Environment.CurrentManagedThreadId ? 1 : 0;
                }
            },
            192);
        Assert.True(elsewhere * step > 40, $"{elsewhere} went off on another thread");
    }

    [Fact]
    public void An_exception_without_data_comes_out_as_it_is()
    {
        var serializer = new Serializer(Explosive.Options(true));
        foreach (Exception failure in new Exception[]
        {
            new Stubborn(null),
            new Stubborn(ReadOnlyDictionary<string, object>.Empty),
            new OutOfMemoryException(),
            new ThreadInterruptedException(),
            new OperationCanceledException(),
        })
        {
            for (int at = 1; at < 12; at++)
            {
                object graph = Graph();
                Bomb.Set(at, failure);
                Assert.Same(failure, Record.Exception(() => serializer.Clone(graph)));
                Bomb.Set(0, failure);
                Assert.NotNull(serializer.Clone(graph));
            }
        }
    }

    [Fact]
    public void Of_calls_inside_each_other_the_outermost_place_stays()
    {
        var failure = new InvalidTimeZoneException();
        Bomb.Set(0, failure);
        var explosive = new Explosive();
        var inner = new Serializer(Explosive.Options(true));
        string? innerPath = null;
        Serializer outer = Setup.Serializer(true, o => o with
        {
            Surrogates = [Surrogate.Create<Leaf, byte[]>(
                leaf =>
                {
                    Exception e = Record.Exception(() => inner.Serialize(explosive));
                    innerPath = (string?)e.Data[Serializer.MemberPathKey];
                    throw e;
                },
                bytes => new Leaf())],
        });
        Bomb.Set(1, failure);
        Assert.Same(failure, Record.Exception(() => outer.Serialize(new Box<Leaf> { Value = new Leaf() })));
        Assert.Equal("A", innerPath);
        Assert.Equal("Value", failure.Data[Serializer.MemberPathKey]);
        Assert.False(failure.Data.Contains(Serializer.OffsetKey));
    }

    [Fact]
    public void What_NET_itself_says_of_the_bytes_is_a_format_error()
    {
        Serializer serializer = Setup.Serializer(true);

        // No program has such a set: a number and a text that nothing compares.
        byte[] model = serializer.Serialize(new Box<SortedSet<object>> { Value = [1] });
        byte[] bad = [.. model];
        int one = bad.AsSpan().LastIndexOf<byte>([0x01, 0x15, 0x01, 0, 0, 0]);
        bad = [.. bad[..one], 0x02, 0x15, 1, 0, 0, 0, 0x2A, 0x03, (byte)'a'];
        WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Box<SortedSet<object>>>(bad));
        Assert.Equal((WireFormatError.InvalidValue, "Value"), (e.Error, e.MemberPath));
        Assert.IsType<ArgumentException>(e.InnerException);
    }

    [Fact]
    public void A_null_that_the_payload_leaves_in_a_key_is_a_format_error()
    {
        var serializer = new Serializer(Explosive.Options(true));
        Bomb.Set(0, new InvalidOperationException());
        byte[] payload = serializer.Serialize(new Box<HashSet<Explosive.Key>> { Value = [new Explosive.Key { Id = 7 }] });
        Bomb.Set(1, new NullReferenceException());
        WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Box<HashSet<Explosive.Key>>>(payload));
        Assert.Equal((WireFormatError.InvalidValue, "Value[0]"), (e.Error, e.MemberPath));
        Assert.Same(Bomb.Failure, e.InnerException);
    }

    [Fact]
    public void A_thread_that_is_interrupted_waits_for_the_stack_that_it_lent()
    {
        using var inside = new ManualResetEventSlim();
        var failures = new List<Exception?>();
        foreach (bool blocks in new[] { true, false })
        {
            inside.Reset();
            bool isThrough = false;
            Serializer serializer = Setup.Serializer(true, o => o with
            {
                Surrogates = [Surrogate.Create<Leaf, int>(
                    leaf =>
                    {
                        inside.Set();
                        if (blocks)
                        {
                            Thread.Sleep(Timeout.Infinite);
                        }

                        for (long until = Environment.TickCount64 + 300; Environment.TickCount64 < until;)
                        {
                            Thread.SpinWait(100);
                        }

                        isThrough = true;
                        return 1;
                    },
                    _ => new Leaf())],
            });
            var root = new Node();
            Node last = root;
            for (int i = 0; i < 900; i++)
            {
                last = last.Next = new Node();
            }

            last.Extra = new Leaf();
            bool stillInterrupted = false;
            var thread = new Thread(
                () =>
                {
                    failures.Add(Record.Exception(() => serializer.Serialize(root)));
                    stillInterrupted = Record.Exception(() => Thread.Sleep(0)) is ThreadInterruptedException
                        || Record.Exception(() => Thread.Sleep(1)) is ThreadInterruptedException;
                },
                256 << 10);
            thread.Start();
            Assert.True(inside.Wait(TimeSpan.FromSeconds(30)));
            thread.Interrupt();
            Assert.True(thread.Join(TimeSpan.FromSeconds(30)));
            Assert.Equal(!blocks, isThrough);
            Assert.Equal(!blocks, stillInterrupted);
        }

        Assert.IsType<ThreadInterruptedException>(failures[0]);
        Assert.Null(failures[1]);
    }

    private static object[] Graph()
    {
        Bomb.Set(0, Bomb.Failure);
        return [1, new Explosive()];
    }

    private static bool Explodes(Action action, int at, bool? onRead)
    {
        var failure = new InvalidOperationException("bomb");
        Exception? thrown = Record.Exception(() =>
        {
            Bomb.Set(at, failure);
            action();
        });
        if (Bomb.Member is null && thrown is null)
        {
            return false;
        }

        Assert.Same(failure, thrown);
        Assert.Contains(nameof(Bomb.Tick), thrown.StackTrace, StringComparison.Ordinal);
        string path = Assert.IsType<string>(failure.Data[Serializer.MemberPathKey]);
        if (Bomb.Member == "after the graph")
        {
            Assert.Equal("", path);
        }
        else
        {
            Assert.Contains("[1]." + Bomb.Member, path, StringComparison.Ordinal);
        }

        if (onRead is { } read)
        {
            Assert.Equal(read, failure.Data[Serializer.OffsetKey] is > 0L);
        }

        Bomb.Set(0, failure);
        return true;
    }

    private const BindingFlags Inside = BindingFlags.Instance | BindingFlags.NonPublic;

    private static bool IsIdle(object? session) =>
        session is null || (!(bool)session.GetType().GetProperty("IsBusy", Inside)!.GetValue(session)! && !HasOpenFrames(session));

    private static bool HasOpenFrames(object session) =>
        session.GetType().GetField("_frames", Inside)?.GetValue(session) is { } frames
        && ((ICollection)frames.GetType().GetField("_open", Inside)!.GetValue(frames)!).Count > 0;

    private sealed class Forward(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }
}
