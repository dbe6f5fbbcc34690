using System.Runtime.InteropServices;
using Wire.Analyzers.CodeFixes;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE106 and WIRE107: fields that lie over each other, and those that a compiler makes of parameters.</summary>
public sealed class LayoutTests
{
    [Theory]
    [InlineData(
        "[FieldOffset(0)] public string A; [FieldOffset(0)] public object {|#0:B|};",
        "a payload could put an object of one into the other")]
    [InlineData(
        "[FieldOffset(0)] public bool A; [FieldOffset(0)] public byte {|#0:B|};",
        "not every pattern of bits is a value of bool, or not every bit of it is written")]
    [InlineData(
        "[FieldOffset(0)] public long A; [FieldOffset(4)] public DateOnly {|#0:B|};",
        "not every pattern of bits is a value of DateOnly, or not every bit of it is written")]
    [InlineData(
        "[field: FieldOffset(0)] public decimal A { get; set; } [FieldOffset(8)] public long {|#0:B|};",
        "not every pattern of bits is a value of decimal, or not every bit of it is written")]
    public Task Members_that_lie_over_each_other_are_found(string members, string reason) => Check.FindsAsync<MessageAnalyzer>(
        Explicit(members),
        $"WIRE106: 'A' and 'B' lie over each other in memory, and {reason}. Wire meets them by Serialize<Both>. Leave out one of them, "
            + "with [IgnoreMember], or use a surrogate for the type.");

    [Theory]
    [InlineData("[FieldOffset(0)] public int A; [FieldOffset(0)] public float B;")]
    [InlineData("[FieldOffset(0)] public long A; [FieldOffset(4)] public int B;")]
    [InlineData("[FieldOffset(0)] public bool A; [FieldOffset(1)] public byte B;")]
    [InlineData("[FieldOffset(0)] public bool A; [FieldOffset(0), IgnoreMember] public byte B;")]
    [InlineData("[FieldOffset(0)] public string A; [FieldOffset(8)] public object B;")]
    [InlineData("[FieldOffset(0)] public double A; [FieldOffset(8)] public DateTime B;")]
    public Task Members_that_may_be_read_in_any_order_are_not_found(string members) =>
        Check.FindsAsync<MessageAnalyzer>(Explicit(members));

    [Fact]
    public void The_serializer_refuses_what_is_found_and_nothing_else()
    {
        var serializer = new Serializer();
        Assert.All(
            [typeof(Texts), typeof(Truth), typeof(Day), typeof(Money)],
            type => Assert.Throws<UnsupportedTypeException>(() => serializer.Prepare(type)));
        serializer.Prepare(typeof(Number), typeof(Apart));
    }

    [Fact]
    public Task A_parameter_that_a_message_keeps_becomes_a_property() => Check.FixesAsync<MessageAnalyzer, CapturedParameterFix>(
        """
        using Wire;

        [WireName("Shop.Counter")]
        public sealed class Counter(int {|#0:start|}, int step)
        {
            private readonly int _step = step;

            public void Count() => start += _step;
        }
        """,
        """
        using Wire;

        [WireName("Shop.Counter")]
        public sealed class Counter(int start, int step)
        {
            private int Start { get; set; } = start;

            private readonly int _step = step;

            public void Count() => Start += _step;
        }
        """,
        "WIRE107: The parameter 'start' of 'Counter' is used after construction, so that the compiler keeps it in a field, and payloads "
            + "have it as '<start>P'. Declare a property or field for it.");

    [Fact]
    public void What_was_written_of_a_parameter_is_read_by_its_name()
    {
        var writer = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Kept>("Counter") });
        var reader = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Declared>("Counter") });
        Assert.Equal(7, reader.Deserialize<Declared>(writer.Serialize(new Kept(7)))!.Start);
    }

    [Theory]
    [InlineData("public sealed class Message(int a) { private readonly int _a = a; public int B { get; } = a + 1; }")]
    [InlineData("public sealed class Message(int a) : Base(a) { public Func<int> Never() => () => 1; }")]
    [InlineData("public sealed record Message(int A) { public int Twice => 2 * A; }")]
    [InlineData("public sealed class Message { public Message(int a) { A = a; } public int A { get; } }")]
    [InlineData("public sealed class Message { public int Add(int a) => a; }")]
    public Task A_parameter_that_only_makes_the_message_is_not_found(string message) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        [WireName("Message")]
        {{message}}

        public class Base(int a)
        {
            public int Of { get; } = a;
        }
        """);

    [Fact]
    public Task A_service_is_no_message() => Check.FindsAsync<MessageAnalyzer>(
        "public sealed class Service(Wire.Serializer serializer) { public byte[] Write(int value) => serializer.Serialize(value); }");

    private static string Explicit(string members) =>
        $$"""
        using System.Runtime.InteropServices;
        using Wire;

        [StructLayout(LayoutKind.Explicit)]
        public struct Both
        {
            {{members}}
        }

        public static class Program
        {
            public static byte[] Write(Serializer serializer, Both both) => serializer.Serialize(both);
        }
        """;

    public sealed class Kept(int start)
    {
        public void Count() => start++;
    }

    public sealed class Declared
    {
        [WireName("<start>P")]
        public int Start { get; set; }
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Texts
    {
        [FieldOffset(0)]
        public string A;

        [FieldOffset(0)]
        public object B;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Truth
    {
        [FieldOffset(0)]
        public bool A;

        [FieldOffset(0)]
        public byte B;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Day
    {
        [FieldOffset(0)]
        public long A;

        [FieldOffset(4)]
        public DateOnly B;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Money
    {
        [field: FieldOffset(0)]
        public decimal A { get; set; }

        [FieldOffset(8)]
        public long B;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Number
    {
        [FieldOffset(0)]
        public int A;

        [FieldOffset(0)]
        public float B;
    }

    [StructLayout(LayoutKind.Explicit)]
    public struct Apart
    {
        [FieldOffset(0)]
        public double A;

        [FieldOffset(8)]
        public DateTime B;
    }
}
