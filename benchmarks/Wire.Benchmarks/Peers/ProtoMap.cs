using System.Collections.Immutable;
using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using Google.Protobuf;

namespace Wire.Benchmarks.Peers;

/// <summary>The model as messages of Protocol Buffers and back. Not a part of what is timed.</summary>
internal static partial class ProtoMap
{
    public static Proto.OneInt To(OneInt value) => new() { Number = value.Number };

    public static OneInt From(Proto.OneInt value) => new() { Number = value.Number };

    public static Proto.Poco To(Poco value) => new()
    {
        Text = value.StringProp,
        Number = value.IntProp,
        GuidLow = Bits.Low(value.GuidProp),
        GuidHigh = Bits.High(value.GuidProp),
        Ticks = value.DateProp.Ticks,
    };

    public static Poco From(Proto.Poco value) => new()
    {
        StringProp = value.Text,
        IntProp = value.Number,
        GuidProp = Bits.Guid(value.GuidLow, value.GuidHigh),
        DateProp = Bits.Utc(value.Ticks),
    };

    public static Proto.PocoList To(List<Poco> value) => new() { Items = { value.Select(To) } };

    public static List<Poco> From(Proto.PocoList value) => [.. value.Items.Select(From)];

    public static Proto.PocoList To(Poco[] value) => To(value.ToList());

    public static Poco[] ToArray(Proto.PocoList value) => [.. From(value)];

    public static Proto.PocoList To(ImmutableList<Poco> value) => To(value.ToList());

    public static ImmutableList<Poco> ToImmutable(Proto.PocoList value) => [.. From(value)];

    public static Proto.PocoMap To(Dictionary<string, Poco> value) =>
        new() { Items = { value.ToDictionary(pair => pair.Key, pair => To(pair.Value)) } };

    public static Dictionary<string, Poco> From(Proto.PocoMap value) =>
        value.Items.ToDictionary(pair => pair.Key, pair => From(pair.Value));

    public static Proto.Ints To(int[] value) => new() { Items = { value } };

    public static int[] From(Proto.Ints value) => [.. value.Items];

    public static Proto.Text To(string value) => new() { Value = value };

    public static string From(Proto.Text value) => value.Value;

    /// <summary>Without the links to the nodes above.</summary>
    public static Proto.TreeNode To(TreeNode value) => new()
    {
        Id = value.Id,
        Name = value.Name,
        Left = value.Left is null ? null : To(value.Left),
        Right = value.Right is null ? null : To(value.Right),
    };

    /// <summary>The links that the message does not have are made here.</summary>
    public static TreeNode From(Proto.TreeNode value) => From(value, null);

    public static Proto.FigureList To(List<Figure> value) => new() { Items = { value.Select(To) } };

    public static List<Figure> From(Proto.FigureList value) => [.. value.Items.Select(From)];

    /// <summary>Members of the same name: Guids and decimals are two numbers, times are ticks.</summary>
    public static Proto.Order To(Order value)
    {
        var order = new Proto.Order { Lines = { value.Lines } };
        foreach (PropertyInfo property in typeof(Order).GetProperties())
        {
            string name = property.Name;
            switch (property.GetValue(value))
            {
                case null or List<int>:
                    break;
                case Guid guid:
                    Set($"{name}Low", Bits.Low(guid));
                    Set($"{name}High", Bits.High(guid));
                    break;
                case decimal number:
                    Set($"{name}Low", Bits.Low(number));
                    Set($"{name}High", Bits.High(number));
                    break;
                case DateTime time:
                    Set(name, time.Ticks);
                    break;
                case TimeSpan time:
                    Set(name, time.Ticks);
                    break;
                case DateTimeOffset time:
                    Set(name, time.Ticks);
                    Set($"{name}Offset", time.TotalOffsetMinutes);
                    break;
                case byte[] bytes:
                    Set(name, ByteString.CopyFrom(bytes));
                    break;
                case OrderStatus status:
                    Set(name, (Proto.OrderStatus)status);
                    break;
                case var other:
                    Set(name, other is short or byte
                        ? Convert.ChangeType(other, Member(name).PropertyType, CultureInfo.InvariantCulture)
                        : other);
                    break;
            }
        }

        return order;

        void Set(string name, object member) => Member(name).SetValue(order, member);
    }

    public static Order From(Proto.Order value)
    {
        var order = new Order();
        foreach (PropertyInfo property in typeof(Order).GetProperties())
        {
            string name = property.Name;
            Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
            if (typeof(Proto.Order).GetProperty($"Has{name}")?.GetValue(value) is not false)
            {
                property.SetValue(
                    order,
                    type == typeof(Guid) ? Bits.Guid((ulong)Get($"{name}Low"), (ulong)Get($"{name}High"))
                    : type == typeof(decimal) ? Bits.Decimal((ulong)Get($"{name}Low"), (ulong)Get($"{name}High"))
                    : type == typeof(DateTime) ? Bits.Utc((long)Get(name))
                    : type == typeof(TimeSpan) ? TimeSpan.FromTicks((long)Get(name))
                    : type == typeof(DateTimeOffset) ? new DateTimeOffset((long)Get(name), TimeSpan.FromMinutes((int)Get($"{name}Offset")))
                    : type == typeof(OrderStatus) ? (OrderStatus)Get(name)
                    : type == typeof(List<int>) ? value.Lines.ToList()
                    : type == typeof(byte[]) ? value.Document.ToByteArray()
                    : Convert.ChangeType(Get(name), type, CultureInfo.InvariantCulture));
            }
        }

        return order;

        object Get(string name) => Member(name).GetValue(value)!;
    }

    private static PropertyInfo Member(string name) => typeof(Proto.Order).GetProperty(name)!;

    private static TreeNode From(Proto.TreeNode value, TreeNode? parent)
    {
        var node = new TreeNode { Id = value.Id, Name = value.Name, Parent = parent };
        node.Left = value.Left is null ? null : From(value.Left, node);
        node.Right = value.Right is null ? null : From(value.Right, node);
        return node;
    }
}

/// <summary>For libraries that have numbers only: values of 16 bytes as two of them. Not a part of what is timed.</summary>
internal static class Bits
{
    public static ulong Low(Guid value) => Halves(value)[0];

    public static ulong High(Guid value) => Halves(value)[1];

    public static Guid Guid(ulong low, ulong high) => MemoryMarshal.Read<Guid>(MemoryMarshal.AsBytes<ulong>([low, high]));

    public static ulong Low(decimal value) => Halves(value)[0];

    public static ulong High(decimal value) => Halves(value)[1];

    public static decimal Decimal(ulong low, ulong high) => new(MemoryMarshal.Cast<ulong, int>([low, high]));

    public static DateTime Utc(long ticks) => new(ticks, DateTimeKind.Utc);

    private static ulong[] Halves(Guid value) => MemoryMarshal.Cast<byte, ulong>(value.ToByteArray()).ToArray();

    private static ulong[] Halves(decimal value) => MemoryMarshal.Cast<int, ulong>(decimal.GetBits(value)).ToArray();
}
