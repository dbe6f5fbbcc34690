using Wire.Analyzers.CodeFixes;

namespace Wire.Analyzers.Tests;

/// <summary>WIRE101 and WIRE102: what can never be written.</summary>
public sealed class NeverWrittenTests
{
    private const string Code = "it is code, or leads to code, and a payload must not choose code. Leave it out, with [IgnoreMember].";

    [Fact]
    public Task A_delegate_in_a_message_is_found_and_left_out() => Check.FixesAsync<MessageAnalyzer, IgnoreMemberFix>(
        """
        using Wire;

        public sealed class Order
        {
            public List<Line> Lines { get; } = [];
        }

        public sealed class Line
        {
            // Who wants to know.
            public Action? {|#0:Done|} { get; set; }
        }

        public static class Program
        {
            public static byte[] Write(Serializer serializer, Order order) => serializer.Serialize(order);
        }
        """,
        """
        using Wire;

        public sealed class Order
        {
            public List<Line> Lines { get; } = [];
        }

        public sealed class Line
        {
            // Who wants to know.
            [IgnoreMember]
            public Action? Done { get; set; }
        }

        public static class Program
        {
            public static byte[] Write(Serializer serializer, Order order) => serializer.Serialize(order);
        }
        """,
        $"WIRE101: 'Line.Done' can never be written: {Code} Wire meets it by Serialize<Order> > Order.Lines");

    [Fact]
    public Task A_parameter_of_a_record_is_left_out_by_its_property() => Check.FixesAsync<MessageAnalyzer, IgnoreMemberFix>(
        """
        using System.IO;
        using Wire;

        [WireName("Shop.Upload")]
        public sealed record Upload(int Id, FileStream {|#0:Content|});
        """,
        """
        using System.IO;
        using Wire;

        [WireName("Shop.Upload")]
        public sealed record Upload(int Id, [property: IgnoreMember] FileStream Content);
        """,
        "WIRE101: 'Upload.Content' can never be written: it is tied to its process: a copy would be useless. Write what a reader needs "
            + "of it, as a type of your own. Wire meets it by [WireName(\"Shop.Upload\")]");

    [Fact]
    public Task An_event_is_left_out_by_its_field_with_the_namespace_in_full() => Check.FixesAsync<MessageAnalyzer, IgnoreMemberFix>(
        """
        public sealed class Basket
        {
            public event EventHandler? {|#0:Changed|};

            public void Change() => Changed?.Invoke(this, EventArgs.Empty);
        }

        public static class Program
        {
            public static readonly Wire.WireTypeFilter Filter = Wire.WireTypeFilter.Default.Allow<Basket>();
        }
        """,
        """
        public sealed class Basket
        {
            [field: Wire.IgnoreMember]
            public event EventHandler? Changed;

            public void Change() => Changed?.Invoke(this, EventArgs.Empty);
        }

        public static class Program
        {
            public static readonly Wire.WireTypeFilter Filter = Wire.WireTypeFilter.Default.Allow<Basket>();
        }
        """,
        $"WIRE101: 'Basket.Changed' can never be written: {Code} Wire meets it by Allow<Basket>");

    // What stands in the braces is the declaration of a member, and its type is refused.
    [Theory]
    [InlineData("public Func<int>? {|#0:Made|} { get; set; }", Code)]
    [InlineData("private List<Action>? {|#0:_later|};", "it holds Action: " + Code)]
    [InlineData(
        "public System.Threading.Tasks.Task<int>? {|#0:Work|};",
        "it is work in progress, tied to its process. Await it, and write the result.")]
    [InlineData(
        "public System.Threading.Tasks.ValueTask {|#0:Work|};",
        "it is work in progress, tied to its process. Await it, and write the result.")]
    [InlineData("public unsafe int* {|#0:At|};", "a pointer has no meaning outside its process. Leave it out, with [IgnoreMember].")]
    [InlineData("public System.Reflection.MethodInfo? {|#0:Method|};", Code)]
    [InlineData("public System.Linq.Expressions.Expression<Func<int>>? {|#0:Tree|};", Code)]
    [InlineData(
        "public System.IO.Stream? {|#0:Content|} { get; init; }",
        "it is tied to its process: a copy would be useless. Only a MemoryStream is written. Declare it as that, or leave it out.")]
    [InlineData(
        "public Own? {|#0:Stream|}; public abstract class Own : System.IO.Stream;",
        "it derives from Stream, which is tied to its process: a copy would be useless. Write what a reader needs of it, "
            + "as a type of your own.")]
    public Task A_member_is_found_by_its_type(string member, string reason) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        public class Message
        {
            {{member}}
        }

        public static class Program
        {
            public static Message? Read(Serializer serializer, byte[] payload) => serializer.Deserialize<Message>(payload);
        }
        """,
        $"WIRE101: 'Message.{member.Split("{|#0:")[1].Split('|')[0]}' can never be written: {reason} Wire meets it by "
            + "Deserialize<Message>");

    [Theory]
    [InlineData("serializer.Serialize<object>(new Message());", "Serialize<Message>")]
    [InlineData("serializer.Serialize<object[]>([1, new Message()]);", "Serialize<Message>")]
    [InlineData("serializer.Serialize(new object[] { new Message() });", "Serialize<Message>")]
    [InlineData("serializer.Deserialize(typeof(Message), payload);", "Deserialize<Message>")]
    [InlineData("serializer.Clone(new Dictionary<int, Message[]>());", "Clone<Dictionary<int, Message[]>>")]
    [InlineData("serializer.Prepare(typeof(int), typeof(Message));", "Prepare<Message>")]
    [InlineData("_ = WireTypeFilter.Default.AllowDerivedFrom<Base>();", "AllowDerivedFrom<Base>")]
    [InlineData("_ = TypeAliases.None.Alias<Message>(\"x\");", "Alias<Message>")]
    [InlineData("_ = new SerializerOptions { KnownTypes = [new(1, typeof(Message))] };", "KnownTypes")]
    [InlineData("_ = SerializerOptions.Default with { KnownTypes = [new(1, typeof(Message))] };", "KnownTypes")]
    public Task A_type_is_a_message_once_it_is_given_to_Wire(string statement, string by) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        public abstract class Base;

        public class Message : Base
        {
            public Action? {|#0:Done|};
        }

        public static class Program
        {
            public static void Run(Serializer serializer, byte[] payload)
            {
                {{statement}}
            }
        }
        """,
        $"WIRE101: 'Message.Done' can never be written: {Code} Wire meets it by {by}");

    // A message that is all right.
    [Theory]
    [InlineData("[IgnoreMember] public Action? Done { get; set; }")]
    [InlineData("[field: IgnoreMember] public Action? Done { get; set; }")]
    [InlineData("[field: NonSerialized] public event Action? Done; public void Fire() => Done?.Invoke();")]
    [InlineData("[NonSerialized] public Action? Done;")]
    [InlineData("[System.Runtime.Serialization.IgnoreDataMember] public Action? Done;")]
    [InlineData("public static Action? Done;")]
    [InlineData("public Action Done => () => { };")]
    [InlineData("public event Action Done { add { } remove { } }")]
    [InlineData("public System.IO.MemoryStream? Content;")]
    [InlineData("public System.Threading.CancellationToken Token;")]
    [InlineData("public System.Net.Http.HttpMethod? Method;")]
    [InlineData("public System.Net.Http.HttpRequestException? Failure;")]
    [InlineData("public System.Threading.Tasks.TaskStatus Status;")]
    [InlineData("public Type? Of;")]
    [InlineData("public IDisposable? Something;")]
    [InlineData("public IEqualityComparer<Action>? Comparer;")]
    [InlineData("public unsafe fixed byte Bytes[8];", "struct")]
    [InlineData(
        "public override Action? A { get; set; } } public abstract class Base { [IgnoreMember] public abstract Action? A { get; set; }",
        "class",
        ": Base")]
    public Task What_is_left_out_or_written_is_not_found(string member, string kind = "class", string bases = "") =>
        Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        [WireName("Message")]
        public {{kind}} Message {{bases}}
        {
            {{member}}
        }
        """);

    // The rest of a program in which a class is no message, or not written member by member.
    [Theory]
    [InlineData("")]
    [InlineData("public static object Run() => new Message();")]
    [InlineData("public static object Run() => WireTypeFilter.Default.Deny<Message>();")]
    [InlineData("public static object? Run(Serializer own, byte[] payload) => own.Deserialize<IDisposable>(payload);")]
    [InlineData("public static object? Run(Own own) => own.Serialize(new Message()); "
        + "public class Own { public object? Serialize<T>(T t) => t; }")]
    [InlineData(Given + "public static object Run() => new SerializerOptions { AllowDelegates = true };")]
    [InlineData(Given + "public static object Run() => new SerializerOptions { IgnoreDelegateMembers = true };")]
    [InlineData(Given + "public static object Run() => Surrogate.Create<Message, int>(m => 1, i => new());")]
    [InlineData(Given + "public static object Run() => Surrogate.Create<Action, int>(m => 1, i => () => { });")]
    [InlineData(Given + "public static object Run() => new SerializerOptions { Singletons = [new Message()] };")]
    [InlineData(Given
        + "public abstract class Own : ValueSerializerFactory;")]
    public Task What_is_no_message_or_written_otherwise_is_not_found(string program) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        public class Message
        {
            public Action? Done;
        }

        public static class Program
        {
            {{program}}
        }
        """);

    [Theory]
    [InlineData("{|#0:serializer.Serialize(System.Threading.Tasks.Task.FromResult(1))|}", "Serialize", "Task<int>")]
    [InlineData("{|#0:serializer.Deserialize<System.Threading.Tasks.ValueTask<int>>(payload)|}", "Deserialize", "ValueTask<int>")]
    public Task A_task_is_awaited_before_it_is_written(string call, string method, string type) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        public static class Program
        {
            public static object? Run(Serializer serializer, byte[] payload) => {{call}};
        }
        """,
        $"WIRE102: {method} is given a '{type}', which can never be written: it is work in progress, tied to its process. Await it, and "
            + "write the result.");

    [Theory]
    [InlineData("serializer.Serialize<object>(1)")]
    [InlineData("serializer.Serialize(new System.IO.MemoryStream())")]
    [InlineData("serializer.Serialize(1, new System.IO.MemoryStream())")]
    [InlineData("serializer.SerializeFramedAsync(1, System.IO.Stream.Null)")]
    public Task What_is_written_or_written_to_is_not_found(string call) => Check.FindsAsync<MessageAnalyzer>(
        $$"""
        using Wire;

        public static class Program
        {
            public static void Run(Serializer serializer, byte[] payload) => {{call}};
        }
        """);

    private const string Given = "public static byte[] Write(Serializer serializer) => serializer.Serialize(new Message()); ";
}
