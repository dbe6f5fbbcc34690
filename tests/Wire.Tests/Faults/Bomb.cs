using System.Collections;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;

namespace Wire.Tests.Faults;

/// <summary>Goes off at the n-th call of user code.</summary>
internal static class Bomb
{
    private static int _calls;
    private static int _at;

    public static Exception Failure { get; private set; } = new();

    /// <summary>Which member's code it went off in; null when it did not.</summary>
    public static string? Member { get; private set; }

    public static int Thread { get; private set; }

    public static void Set(int at, Exception failure) => (_calls, _at, Failure, Member) = (0, at, failure, null);

    // Its name is looked for in stack traces.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Tick(string member)
    {
        if (++_calls == _at)
        {
            (Member, Thread) = (member, Environment.CurrentManagedThreadId);
            throw Failure;
        }
    }
}

/// <summary>Everything that is a user's and is called while a graph is written or read.</summary>
public sealed class Explosive
{
    public Replaced A = new();
    public SelfMade<int> B = new();
    public Contextual C = new();
    public Written D = new();
    public HashSet<Key> E = [new Key { Id = 1 }, new Key { Id = 2 }];
    public Dictionary<string, int> F = new(new Comparison()) { ["a"] = 1, ["b"] = 2 };
    public SortedDictionary<string, int> G = new(new Comparison()) { ["a"] = 1, ["b"] = 2 };
    public SortedList<string, int> H = new(new Comparison()) { ["a"] = 1, ["b"] = 2, ["c"] = 3 };
    public PriorityQueue<int, string> I = new([(1, "a"), (2, "b")], new Comparison());
    public Called J = new();
    public Called[] K = [new(), new()];
    public IEnumerable<int> L = Iterate();
    public Lazy<Called> M = new(() => new Called());
    public Told N = new() { Id = 3 };
    public CalledValue O;
    public object P = new HashSet<object> { new Key { Id = 4 }, Tuple.Create(new Key { Id = 5 }) };

    public static SerializerOptions Options(bool dynamicCode) => new()
    {
        DynamicCode = dynamicCode,
        TypeFilter = Behaviour.Setup.TestTypes,
        UseSerializationCallbacks = true,
        Context = "context",
        Surrogates =
        [
            Surrogate.Create<Replaced, int>(_ => After("A", 1), _ => After("A", new Replaced())),
            Surrogate.Create(typeof(SelfMade<>), typeof(SelfMadeRecord<>)),
            Surrogate.Create<Contextual, string, string>((_, context) => After("C", context), (_, _) => After("C", new Contextual())),
        ],
        ValueSerializerFactories = [ValueSerializerFactory.For(new WrittenSerializer())],
    };

    private static T After<T>(string member, T value)
    {
        Bomb.Tick(member);
        return value;
    }

    private static IEnumerable<int> Iterate()
    {
        for (int i = 0; i < 2; i++)
        {
            Bomb.Tick("L");
            yield return i;
        }
    }

    public sealed class Replaced;

    public sealed class Contextual;

    public sealed class SelfMade<T>;

    public struct SelfMadeRecord<T> : ISurrogate<SelfMadeRecord<T>, SelfMade<T>>
    {
        public T? Value;

        static SelfMadeRecord<T> ISurrogate<SelfMadeRecord<T>, SelfMade<T>>.From(SelfMade<T> value) =>
            After("B", default(SelfMadeRecord<T>));

        public readonly SelfMade<T> ToSource() => After("B", new SelfMade<T>());
    }

    public sealed class Written
    {
        public object? Part = new Called();
    }

    public sealed class Key
    {
        public int Id;

        public override bool Equals(object? obj)
        {
            Bomb.Tick("");
            return obj is Key key && key.Id == Id;
        }

        public override int GetHashCode()
        {
            Bomb.Tick("");
            return 1;
        }
    }

    public sealed class Comparison : IEqualityComparer<string>, IComparer<string>
    {
        public int Compare(string? x, string? y)
        {
            Bomb.Tick("");
            return string.CompareOrdinal(x, y);
        }

        public bool Equals(string? x, string? y)
        {
            Bomb.Tick("F");
            return x == y;
        }

        public int GetHashCode(string obj)
        {
            Bomb.Tick("F");
            return obj.Length;
        }
    }

    public class Called
    {
        public int Id;

        [OnSerializing]
        public void BeforeWrite(StreamingContext context) => Bomb.Tick("");

        [OnSerialized]
        public void AfterWrite(StreamingContext context) => Bomb.Tick("");

        [OnDeserializing]
        public void BeforeRead(StreamingContext context) => Bomb.Tick("");

        [OnDeserialized]
        public void AfterRead(StreamingContext context) => Bomb.Tick("");
    }

    public struct CalledValue
    {
        public object? Any;

        [OnSerializing]
        public readonly void BeforeWrite(StreamingContext context) => Bomb.Tick("");

        [OnDeserialized]
        public readonly void AfterRead(StreamingContext context) => Bomb.Tick("");
    }

    public sealed class Told : IDeserializationCallback
    {
        public int Id;

        public void OnDeserialization(object? sender) => Bomb.Tick("after the graph");
    }

    private sealed class WrittenSerializer : ValueSerializer<Written>
    {
        public override void Write(ref WireWriter writer, Written value)
        {
            Bomb.Tick("D");
            writer.WriteValue(value.Part);
            Bomb.Tick("D");
        }

        public override Written Read(ref WireReader reader)
        {
            Bomb.Tick("D");
            var value = new Written { Part = reader.ReadValue<object>() };
            Bomb.Tick("D");
            return value;
        }
    }
}

/// <summary>Exceptions whose data take nothing.</summary>
internal sealed class Stubborn(IDictionary? data) : Exception
{
    public override IDictionary Data => data ?? throw new NotSupportedException();
}
