using System.Reflection;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>What <see cref="Serializer.Prepare{T}"/> and its like do before the first message.</summary>
public sealed class PrepareTests
{
    // A message of the test's own type; a tenth more than it was when this was written. What it counts depends on the runtime.
    private const int MostMethods = 700;

    [Fact]
    public void The_first_messages_of_a_prepared_type_compile_nothing() =>
        Assert.Equal(["0", "0"], FreshProcess.Run(StartupHook.PreparedMethods));

    [Fact]
    public void A_first_message_compiles_no_more_methods_than_it_did() =>
        Assert.InRange(int.Parse(Assert.Single(FreshProcess.Run(StartupHook.Methods)), null), 1, MostMethods);

    [Theory]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    [InlineData(false, true)]
    public void Messages_are_the_same_with_and_without(bool dynamicCode, bool references)
    {
        SerializerOptions options = SerializerOptions.Default with { DynamicCode = dynamicCode, PreserveObjectReferences = references };
        Serializer prepared = new(options), other = new(options);
        prepared.Prepare(typeof(Outer), typeof(Small), typeof(Amount), typeof(List<Small>), typeof(int), typeof(string), typeof(Color));
        for (int i = 0; i < 3; i++)
        {
            Exchange(Outer.Create(i));
            Exchange(new Small { Number = i });
            Exchange(new Amount { Cents = i });
            Exchange<List<Small>>([new Small { Number = i }]);
            Exchange(i);
            Exchange($"{i}");
            Exchange(Color.Green);
        }

        void Exchange<T>(T message)
        {
            byte[] plain = prepared.Serialize(message), typed = prepared.SerializeTyped(message);
            Assert.Equal(other.Serialize(message), plain);
            Assert.Equal(other.SerializeTyped(message), typed);
            Assert.Equal(plain, other.Serialize(prepared.Deserialize<T>(plain)));
            Assert.Equal(typed, other.SerializeTyped(prepared.DeserializeTyped<T>(typed)));
        }
    }

    [Fact]
    public void Repeating_changes_nothing()
    {
        var serializer = new Serializer();
        serializer.Prepare<Outer>();
        byte[] before = serializer.Serialize(Outer.Create(1));
        serializer.Prepare<Outer>();
        serializer.Prepare(typeof(Outer), typeof(Outer));

        Assert.Equal(before, serializer.Serialize(Outer.Create(1)));
    }

    [Theory]
    [InlineData(typeof(FileStream))]
    [InlineData(typeof(List<>))]
    [InlineData(typeof(IDisposable))]
    [InlineData(typeof(Span<int>))]
    [InlineData(typeof(int*))]
    [InlineData(typeof(Action))]
    public async Task A_type_that_cannot_be_serialized_is_refused_as_in_a_message(Type type)
    {
        var serializer = new Serializer();

        Assert.Equal(type, Assert.Throws<UnsupportedTypeException>(() => serializer.Prepare(type)).Type);
        Assert.Equal(type, (await Assert.ThrowsAsync<UnsupportedTypeException>(() => serializer.PrepareAsync([typeof(Small), type]))).Type);
    }

    [Fact]
    public void A_member_that_cannot_be_serialized_is_named_as_in_a_message()
    {
        UnsupportedTypeException written = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new WithHandle()));
        UnsupportedTypeException prepared = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Prepare<WithHandle>());

        Assert.Equal(written.Type, prepared.Type);
        Assert.Contains($"{typeof(WithHandle.Pair)}.Handle", prepared.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_null_among_the_types_is_refused_before_any_is_prepared()
    {
        var serializer = new Serializer();

        Assert.Throws<ArgumentException>(() => serializer.Prepare(typeof(Small), null!));
        await Assert.ThrowsAsync<ArgumentException>(() => serializer.PrepareAsync([typeof(Small), null!]));
        await Assert.ThrowsAsync<ArgumentNullException>(() => serializer.PrepareAsync(null!));
    }

    [Fact]
    public async Task A_token_ends_the_work_before_the_next_type()
    {
        using var source = new CancellationTokenSource();
        var serializer = new Serializer(SerializerOptions.Default with
        {
            ValueSerializerFactories = [new Cancelling(source)],
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => serializer.PrepareAsync([typeof(Small), typeof(FileStream)], source.Token));
    }

    [Fact]
    public async Task Messages_go_on_while_their_types_are_prepared_on_several_threads()
    {
        for (int round = 0; round < 20; round++)
        {
            var serializer = new Serializer();
            Task prepared = Task.WhenAll(
                serializer.PrepareAsync([typeof(Outer), typeof(Small)]), serializer.PrepareAsync([typeof(Small), typeof(Outer)]));
            for (int i = 0; i < 20; i++)
            {
                Assert.Equal(i, serializer.Deserialize<Outer>(serializer.Serialize(Outer.Create(i)))!.Number);
                Assert.Equal(i, serializer.DeserializeTyped<Small>(serializer.SerializeTyped(new Small { Number = i }))!.Number);
            }

            await prepared;
        }
    }

    [Fact]
    public void A_type_that_may_not_be_read_is_prepared_for_writing()
    {
        var serializer = new Serializer(SerializerOptions.Default with { TypeFilter = WireTypeFilter.Default.Deny<Small>() });
        serializer.Prepare<Small>();

        byte[] bytes = serializer.Serialize(new Small());
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Small>(bytes));
        Assert.Throws<TypeRefusedException>(() => serializer.DeserializeTyped<Small>(serializer.SerializeTyped(new Small())));
    }

    [Fact]
    public void No_code_of_the_types_runs()
    {
        new Serializer(SerializerOptions.Default with { UseSerializationCallbacks = true }).Prepare(typeof(Noisy), typeof(Outer));

        Assert.Equal(0, Noisy.Calls);
    }

    [Fact]
    public void Many_typed_kinds_are_read_rightly_whichever_has_a_slot()
    {
        var serializer = new Serializer();
        MethodInfo exchange = typeof(PrepareTests).GetMethod(nameof(ExchangeTyped), BindingFlags.Static | BindingFlags.NonPublic)!;
        Type[] arguments = [typeof(int), typeof(string), typeof(long), typeof(byte), typeof(double), typeof(Guid)];
        Type[] kinds = [.. from a in arguments from b in arguments from c in arguments select typeof(Kind<,,>).MakeGenericType(a, b, c)];
        serializer.Prepare(kinds);
        foreach (Type kind in kinds)
        {
            exchange.MakeGenericMethod(kind).Invoke(null, [serializer]);
        }
    }

    private static void ExchangeTyped<T>(Serializer serializer)
        where T : Numbered, new()
    {
        byte[] bytes = serializer.SerializeTyped(new T { Number = 5 });
        Assert.Equal(5, serializer.DeserializeTyped<T>(bytes)!.Number);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(i, serializer.DeserializeTyped<T>(serializer.SerializeTyped(new T { Number = i }, writing), reading)!.Number);
        }
    }

    private sealed class Cancelling(CancellationTokenSource source) : ValueSerializerFactory
    {
        public override ValueSerializer? Create(Type type)
        {
            source.Cancel();
            return null;
        }
    }

    public enum Color
    {
        Red,
        Green,
    }

    public class Numbered
    {
        public int Number { get; set; }
    }

    public sealed class Kind<T1, T2, T3> : Numbered
    {
        public T1? First { get; set; }

        public T2? Second { get; set; }

        public T3? Third { get; set; }
    }

    public sealed class Small
    {
        public int Number { get; set; }
    }

    public struct Amount
    {
        public long Cents { get; set; }
    }

    public sealed class Outer
    {
        public int Number { get; set; }

        public string Text { get; set; } = "";

        public Small? One { get; set; }

        public List<Small> Some { get; set; } = [];

        public Dictionary<string, Small> ByName { get; set; } = [];

        public Amount? Amount { get; set; }

        public object? Any { get; set; }

        public Outer? Next { get; set; }

        public static Outer Create(int number) => new()
        {
            Number = number,
            Text = $"Text {number}",
            One = new Small { Number = number },
            Some = [.. Enumerable.Range(0, 40).Select(i => new Small { Number = i })],
            ByName = Enumerable.Range(0, 40).ToDictionary(i => $"{i}", i => new Small { Number = i }),
            Amount = new Amount { Cents = number },
            Any = 1.5m,
            Next = number > 0 ? new Outer { Number = number } : null,
        };
    }

    public sealed class WithHandle
    {
        public Pair Both { get; set; }

        public struct Pair
        {
            public IntPtr Number;
            public System.Runtime.InteropServices.GCHandle Handle;
        }
    }

    public sealed class Noisy
    {
        public Noisy() => Calls++;

        ~Noisy() => Calls++;

        public static int Calls { get; private set; }

        public int Number
        {
            get => field;
            set
            {
                Calls++;
                field = value;
            }
        }

        [System.Runtime.Serialization.OnSerializing]
        private void Begins(System.Runtime.Serialization.StreamingContext context) => Calls++;

        [System.Runtime.Serialization.OnDeserialized]
        private void Ends(System.Runtime.Serialization.StreamingContext context) => Calls++;
    }
}
