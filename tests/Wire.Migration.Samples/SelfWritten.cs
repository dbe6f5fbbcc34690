using System.Runtime.Serialization;

// What BinaryFormatter asked types for is what this is about.
#pragma warning disable SYSLIB0050, SYSLIB0051, CS0672, CA2229, CA2208

namespace Wire.Migration.Samples;

/// <summary>Writes itself, under names that are not those of its fields, and refers to what refers to it.</summary>
[Serializable]
public sealed class Account : ISerializable
{
    private readonly string _holder;

    public Account(string holder, decimal balance) => (_holder, Balance) = (holder, balance);

    private Account(SerializationInfo info, StreamingContext context)
    {
        _holder = info.GetString("who")!;
        Balance = info.GetDecimal("how much");
        Back = (Account?)info.GetValue("back", typeof(Account));
        Dates = (List<DateTimeOffset>)info.GetValue("dates", typeof(List<DateTimeOffset>))!;
    }

    public string Holder => _holder;

    public decimal Balance { get; }

    public Account? Back { get; set; }

    public List<DateTimeOffset> Dates { get; } = [new(2020, 1, 2, 3, 4, 5, TimeSpan.FromMinutes(90))];

    public void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        info.AddValue("who", _holder);
        info.AddValue("how much", Balance);
        info.AddValue("back", Back);
        info.AddValue("dates", Dates);
    }
}

/// <summary>Exists once for each name: what is written is a reference that finds it.</summary>
[Serializable]
public sealed class Currency : ISerializable
{
    private Currency(string code) => Code = code;

    public static Currency Euro { get; } = new("EUR");

    public static Currency Dollar { get; } = new("USD");

    public string Code { get; }

    public void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        info.SetType(typeof(CurrencyReference));
        info.AddValue("code", Code);
    }
}

[Serializable]
public sealed class CurrencyReference : ISerializable, IObjectReference
{
    private readonly string _code;

    private CurrencyReference(SerializationInfo info, StreamingContext context) => _code = info.GetString("code")!;

    public object GetRealObject(StreamingContext context) => _code == "EUR" ? Currency.Euro : Currency.Dollar;

    public void GetObjectData(SerializationInfo info, StreamingContext context) => throw new NotSupportedException();
}

/// <summary>Has every callback.</summary>
[Serializable]
public sealed class Cached : IDeserializationCallback
{
    private readonly string _name = "ada";

    private readonly Dictionary<Key, int> _table = new() { [new Key(1)] = 1 };

    [NonSerialized]
    private string _steps = "";

    public string Steps => _steps;

    public string Name => _name;

    [OnDeserializing]
    private void Begin(StreamingContext context) => _steps = _name is null ? "begin" : "late";

    [OnDeserialized]
    private void End(StreamingContext context) => _steps += _table?.GetValueOrDefault(new Key(1)) == 1 ? " end" : " early";

    public void OnDeserialization(object? sender) => _steps += " graph";
}

[Serializable]
public sealed record Key(int Number);

[Serializable]
public sealed class OrderException : Exception
{
    public OrderException(string message, int number, Exception inner)
        : base(message, inner)
    {
        Number = number;
        Data["when"] = 5;
    }

    private OrderException(SerializationInfo info, StreamingContext context)
        : base(info, context) => Number = info.GetInt32("Number");

    public int Number { get; }

    public override void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        base.GetObjectData(info, context);
        info.AddValue("Number", Number);
    }

    public static OrderException Thrown()
    {
        try
        {
            throw new OrderException("no order", 17, new ArgumentOutOfRangeException("number", 5, "too many"));
        }
        catch (OrderException e)
        {
            return e;
        }
    }
}

#pragma warning restore SYSLIB0050, SYSLIB0051, CS0672, CA2229, CA2208
