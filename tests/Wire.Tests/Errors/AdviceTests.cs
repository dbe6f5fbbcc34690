using System.ComponentModel;
using System.Linq.Expressions;
using System.Runtime.Serialization;
using Wire.Tests.Testing;

namespace Wire.Tests.Errors;

/// <summary>An error says what to do: first what is safe, and each thing once.</summary>
public sealed class AdviceTests
{
    private const string Null =
        "it is null after reading, until a method with [OnDeserialized] sets it, for which "
            + "SerializerOptions.UseSerializationCallbacks must be on";

    private static readonly Serializer Serializer = new();

    [Fact]
    public void Delegates_and_events_are_left_out_before_they_are_allowed()
    {
        var noisy = new Noisy();
        noisy.Changed += (_, _) => { };
        foreach (object value in new object[] { noisy, new Box { Value = () => { } }, (Action)(() => { }) })
        {
            string message = Refused(value);
            int ignore = message.IndexOf(
                "[IgnoreMember], or [field: NonSerialized] on an event, or all members of delegate types with "
                + "SerializerOptions.IgnoreDelegateMembers: " + Null,
                StringComparison.Ordinal);
            int allow = message.IndexOf(
                "Set SerializerOptions.AllowDelegates, on both sides, "
                + "only if everyone who can send payloads may choose what the program runs.",
                StringComparison.Ordinal);
            Assert.InRange(ignore, 1, allow - 1);
        }

        foreach ((object value, string option) in new (object, string)[]
        {
            (typeof(string).GetMethods()[0], "AllowMemberInfos"), (typeof(string).GetMethods()[0].ReturnParameter, "AllowMemberInfos"),
            (Expression.Constant(1), "AllowExpressions"),
        })
        {
            string message = Refused(new Box { Value = value });
            Assert.InRange(
                message.IndexOf("[IgnoreMember]: " + Null, StringComparison.Ordinal),
                1,
                message.IndexOf("SerializerOptions." + option, StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Work_in_progress_is_awaited_and_a_query_collected()
    {
        foreach (object value in new object[] { Task.FromResult(1), Task.CompletedTask, new ValueTask(), new ValueTask<int>(1) })
        {
            foreach (object written in new[] { value, new Box { Value = value } })
            {
                Assert.Contains("Await it, and write the result. Or leave out a member", Refused(written), StringComparison.Ordinal);
            }
        }

        Assert.Contains("with ToList(), and write that.", Refused(new[] { 1 }.AsQueryable().Where(x => x > 0)), StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_advice_for_events_says_is_so()
    {
        var quiet = new Quiet { Name = "a" };
        quiet.Changed += (_, _) => { };
        var serializer = new Serializer(new SerializerOptions { UseSerializationCallbacks = true });

        Quiet copy = serializer.CopyBothWays(quiet);

        Assert.Equal("a", copy.Name);
        Assert.False(copy.HasListeners);
        Assert.NotNull(copy.Gate);
        Assert.Null(Serializer.CopyBothWays(quiet).Gate);
    }

    [Fact]
    public void What_is_tied_to_its_process_is_left_out()
    {
        using var semaphore = new SemaphoreSlim(1);
        using var source = new CancellationTokenSource();
        using var timer = new Timer(_ => { });
        using var watch = new System.Timers.Timer();
        using var rw = new ReaderWriterLockSlim();
        using var signal = new ManualResetEvent(false);
        using Stream file = Stream.Null;
        using var text = new StreamReader(Stream.Null);
        using var client = new HttpClient();
        using var own = new OwnTimer();
        foreach (object value in new object[]
        {
            System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof(Lock)), semaphore, source, timer, watch, rw,
            signal, file, text, client, new TaskCompletionSource(), new ThreadLocal<int>(), new AsyncLocal<int>(),
            System.Threading.Channels.Channel.CreateUnbounded<int>(), Thread.CurrentThread,
            System.Diagnostics.Process.GetCurrentProcess(), own,
        })
        {
            string message = Refused(new Box { Value = value });
            Assert.Contains("tied to its process", message, StringComparison.Ordinal);
            Assert.Contains("Or leave out a member that holds it, with [IgnoreMember]: " + Null, message, StringComparison.Ordinal);
            Assert.DoesNotContain("surrogate", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_async_iterator_takes_an_async_call_or_is_to_be_a_list()
    {
        foreach (object value in new object[] { Count(), Count().Select(number => -number), new[] { 1 }.ToAsyncEnumerable() })
        {
            Assert.Contains(
                "cannot be serialized: it gives its elements while it runs, and they follow the value: write that with SerializeAsync.",
                Refused(value),
                StringComparison.Ordinal);
        }

        static async IAsyncEnumerable<int> Count()
        {
            await Task.Yield();
            yield return 1;
        }
    }

    [Fact]
    public void Other_types_of_NET_are_replaced_or_left_out()
    {
        foreach (object value in new object[]
        {
            new Random(1), new OwnComponent(), new System.Net.WebHeaderCollection(),
        })
        {
            string message = Refused(new Box { Value = value });
            Assert.Contains(
                "Give it a surrogate, in SerializerOptions.Surrogates, or a ValueSerializer, on both sides. Or leave out a member "
                    + "that holds it, with [IgnoreMember]: " + Null,
                message,
                StringComparison.Ordinal);
            Assert.DoesNotContain("tied to its process", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_member_of_a_value_type_has_its_advice_once()
    {
        using var source = new CancellationTokenSource();
        foreach (object value in new object[] { new WithRegistration(), new WithEntry(), new Box { Value = source.Token } })
        {
            string message = Refused(value);
            Assert.Equal(2, message.Split("[IgnoreMember]: it has its default value after reading").Length);
            Assert.InRange(message.Split("surrogate").Length, 1, 2);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_member_that_has_changed_its_type_says_what_both_sides_have_and_what_to_do(bool dynamicCode)
    {
        AssertChanged<V1<int>>(
            new V1<List<int>> { Value = [1] },
            "The writer declared another type here, whose values are a sequence of Int32, "
            + "and this program declares Wire.Tests.Errors.AdviceTests+V1`1[System.Int32], which is written in another way.");
        AssertChanged<object>(new V1<List<int>> { Value = [1] }, "a sequence of Int32, and this program declares System.Object,");
        AssertChanged<Dictionary<int, int?>>(
            new V1<List<int>> { Value = [1] },
            "The writer's sequence of Int32 cannot be read as the Dictionary<int, int?> that this program declares.");
        AssertChanged<List<string>>(
            new V1<int[]> { Value = [1] },
            "The payload holds int[] where this program declares List<string>. The writer's Int32 cannot be read as System.String. Where");
        AssertChanged<V1<int>>(
            new V1<IEnumerable<int>> { Value = new List<int> { 1 } },
            "The payload holds List<int> where this program declares AdviceTests.V1<int>, which is none of the collections that it " +
            "converts to.");
        AssertChanged<string>(new V1<int> { Value = 1 }, "The writer's Int32 cannot be read as System.String. Where a member");
        AssertChanged<int>(new V1<string> { Value = "a" }, "The writer's String cannot be read as System.Int32. Where a member");
        AssertChanged<(int, string)>(
            new V1<(int, int)> { Value = (1, 2) },
            "Member 'Item2' of System.ValueTuple`2[System.Int32,System.String]: "
            + "The writer's Int32 cannot be read as System.String. Where a member");

        // What the variable of the old type held may fit all the same.
        Assert.Null(Read<int[]>(new V1<List<int>>(), dynamicCode).Value);
        Assert.Equal([1, 2], Read<int[]>(new V1<IReadOnlyList<int>> { Value = new[] { 1, 2 } }, dynamicCode).Value!);
        Assert.Equal([1, 2], Assert.IsType<int[]>(Read<object>(new V1<IReadOnlyList<int>> { Value = new[] { 1, 2 } }, dynamicCode).Value));

        void AssertChanged<T>(object written, string both)
        {
            WireFormatException e = Assert.Throws<WireFormatException>(() => Read<T>(written, dynamicCode));
            Assert.Contains(both, e.Message, StringComparison.Ordinal);
            const string Hint =
                "Where a member has changed its type, give it the old type again and add another member for the new one; [WireName] says";
            Assert.Equal(2, e.Message.Split(Hint).Length);
        }
    }

    private static V2<T> Read<T>(object written, bool dynamicCode)
    {
        var writer = new Serializer(
            new SerializerOptions { TypeAliases = TypeAliases.None.Alias(written.GetType(), "Order"), DynamicCode = dynamicCode });
        var reader = new Serializer(
            new SerializerOptions { TypeAliases = TypeAliases.None.Alias<V2<T>>("Order"), DynamicCode = dynamicCode });
        return reader.Deserialize<V2<T>>(writer.Serialize(written))!;
    }

    private static string Refused(object value) => Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(value)).Message;

    private sealed class Box
    {
        public object? Value { get; set; }
    }

    private sealed class V1<T>
    {
        public T? Value { get; set; }
    }

    private sealed class V2<T>
    {
        public T? Value { get; set; }
    }

    private sealed class Noisy
    {
        public event PropertyChangedEventHandler? Changed;

        public bool HasListeners => Changed is not null;
    }

    private sealed class Quiet
    {
        [field: NonSerialized]
        public event PropertyChangedEventHandler? Changed;

        public string Name { get; set; } = "";

        [IgnoreMember]
        public SemaphoreSlim? Gate { get; private set; } = new(1);

        public bool HasListeners => Changed is not null;

        [OnDeserialized]
        private void MakeGate(StreamingContext context) => Gate = new SemaphoreSlim(1);
    }

    private sealed class OwnTimer : System.Timers.Timer;

    private sealed class OwnComponent : Component;

    private sealed class WithRegistration
    {
        public CancellationTokenRegistration Registration;
    }

    private sealed class WithEntry
    {
        public System.Diagnostics.Tracing.EventSourceOptions Options;
    }
}
