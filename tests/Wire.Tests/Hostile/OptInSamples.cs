using System.Runtime.Serialization;

// The interfaces under test are obsolete for formatters.
#pragma warning disable SYSLIB0050

namespace Wire.Tests.Hostile;

/// <summary>An object of which there is one.</summary>
internal sealed class OnlyOne
{
    public static readonly OnlyOne Instance = new();

    private OnlyOne()
    {
    }
}

/// <summary>Values of types that write themselves, and of types whose callbacks are called.</summary>
internal static class OptInSamples
{
    public static (string Name, object Value)[] Serializable() =>
    [
        ("account", new Account("a", 3, [1, 2])),
        ("accounts", new object[] { new Account("a", 3, []) { Next = new Account(null, -1, null) }, new Amount(4), new Stand(1) }),
        ("amounts", new List<Amount> { new(3), new(-1) }),
    ];

    public static (string Name, object Value)[] WithCallbacks() =>
    [
        ("called", new Called { Number = 1, Child = new Called { Number = 2 } }),
        ("counted", new[] { new Counted { Value = 1 }, default }),
        ("items", new Items { 1, 2 }),
    ];

    private sealed class Account : ISerializable
    {
        private readonly string? _owner;
        private readonly long _balance;
        private readonly int[]? _items;

        public Account(string? owner, long balance, int[]? items) => (_owner, _balance, _items) = (owner, balance, items);

        private Account(SerializationInfo info, StreamingContext context)
        {
            _owner = info.GetString("Owner");
            _balance = info.GetInt64("Balance");
            _items = (int[]?)info.GetValue("Items", typeof(int[]));
            Next = (Account?)info.GetValue("Next", typeof(Account));
        }

        public Account? Next { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("Owner", _owner);
            info.AddValue("Balance", _balance);
            info.AddValue("Items", _items, typeof(int[]));
            info.AddValue("Next", Next);
        }
    }

    private readonly struct Amount : ISerializable
    {
        private readonly int _twice;

        public Amount(int value) => _twice = value * 2;

        private Amount(SerializationInfo info, StreamingContext context) => _twice = info.GetInt32("Twice");

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Twice", _twice);
    }

    /// <summary>Stands for another object when it is read.</summary>
    private sealed class Stand : ISerializable, IObjectReference
    {
        private readonly int _number;

        public Stand(int number) => _number = number;

        private Stand(SerializationInfo info, StreamingContext context) => _number = info.GetInt32("Number");

        public object GetRealObject(StreamingContext context) => _number % 2 == 0 ? OnlyOne.Instance : "one";

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Number", _number);
    }

    private sealed class Called : IDeserializationCallback
    {
        [IgnoreMember]
        public int Calls;

        public int Number { get; set; }

        public Called? Child { get; set; }

        public void OnDeserialization(object? sender) => Calls += 1 + (Child?.Calls ?? 0);

        [OnSerializing]
        private void Serializing(StreamingContext context) => Calls++;

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Calls++;

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Calls++;
    }

    private struct Counted : IDeserializationCallback
    {
        public int Value;

        [IgnoreMember]
        public int Calls;

        public void OnDeserialization(object? sender) => Calls += 100;

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Calls += 10;
    }

    private sealed class Items : List<int>
    {
        [IgnoreMember]
        public int Counted;

        [OnDeserialized]
        private void Finish(StreamingContext context) => Counted = Count;
    }
}
