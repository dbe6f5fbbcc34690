using System.Collections.Immutable;
using System.Linq.Expressions;
using System.Net;
using System.Threading.Channels;
using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Objects that no payload can hold.</summary>
internal static class TypeMistakes
{
    public static Mistake[] All =>
    [
        Write("a delegate in a member", new Holder<Action> { Value = () => { } }, "in Value of", "[IgnoreMember]"),
        Write("an event with a listener", Listening(), "in Changed of", "[field: NonSerialized]"),
        Write("a lambda", (Func<int>)(() => 1), "System.Func`1", "SerializerOptions.AllowDelegates"),
        Write("a method", typeof(string).GetMethods()[0], "MethodInfo", "SerializerOptions.AllowMemberInfos"),
        Write("an expression tree", Expression.Constant(1), "ConstantExpression", "SerializerOptions.AllowExpressions"),
        Write("a task", Task.FromResult(1), "System.Threading.Tasks.Task", "Await it, and write the result"),
        Write("a task in a member", new Holder<Task<int>> { Value = Task.FromResult(1) }, "in Value of", "Await it, and write the result"),
        Write("a ValueTask", new ValueTask<int>(1), "ValueTask", "Await it, and write the result"),
        Write("an async iterator", Items(), "System.Collections.Generic.IAsyncEnumerable`1", "write that with SerializeAsync"),
        Write("a query", new[] { 1 }.AsQueryable(), "EnumerableQuery", "with ToList(), and write that"),
        Write("a stream", new Holder<Stream> { Value = Stream.Null }, "in Value of", "[IgnoreMember]"),
        Write("a class that derives from a stream", new OwnStream(), "it derives from System.IO.MemoryStream", "[IgnoreMember]"),
        Write("a timer", new Holder<Timer> { Value = new Timer(_ => { }) }, "in Value of", "[IgnoreMember]"),
        Write("a lock", new Holder<SemaphoreSlim> { Value = new SemaphoreSlim(1) }, "in Value of", "[IgnoreMember]"),
        Write("a thread", Thread.CurrentThread, "System.Threading.Thread", "Write what a reader needs of it"),
        Write("a channel", Channel.CreateUnbounded<int>(), "Channel", "Write what a reader needs of it"),
        Write("an HttpClient", new Holder<HttpClient> { Value = new HttpClient() }, "in Value of", "[IgnoreMember]"),
        Write("a password", new NetworkCredential("a", "b"), "System.Net.NetworkCredential", "Write what a reader needs of it"),
        Write("a pointer", default(WithPointer), "WithPointer.Address", "[IgnoreMember]"),
        Write("a builder", ImmutableArray.CreateBuilder<int>(), "Builder", "Call its ToImmutable() and write the result"),
        Write(
            "a table",
            new System.Data.DataTable("T"),
            "System.Data.DataTable",
            "Set SerializerOptions.Surrogates = [.. FrameworkSurrogates.All]"),
        Write("a calendar", new System.Globalization.JapaneseCalendar(), "JapaneseCalendar", "Give it a surrogate"),
        Write("fields that overlap", default(Overlap), "'Text'", "[IgnoreMember]"),
        Write("a struct that holds ever larger ones", default(Grows<int>), "Mistakes.Grows`1", "use a surrogate"),
        Write(
            "an array in a variable of another",
            new Holder<int[]> { Value = (int[])(object)new uint[] { 1 } },
            "in Value of",
            "Copy it to a System.Int32[]"),
        new(
            "two types of one name",
            () => Allowing(WireTypeFilter.Default.AllowDerivedFrom<Message>()).Serialize(new object[] { new Payment(1), new Refund(2) }),
            "'Shop.Payment'",
            "Give each a [WireName] or an alias of its own"),
        Write("two members of one name", new TwoMembers(), "'Amount'", "by [WireName]"),
        Write("a name with brackets", new WrongName(1), "[WireName(\"Shop[0]\")]", "Give it another name"),
        Write("a name of .NET", new StolenName(1), "[WireName(\"System.String\")]", "Give it another name"),
        Write("a loop", Loop(), "Self", "PreserveObjectReferences"),
        Write("too many levels", Deep(1100), "Limits.MaxDepth = 1000", "raise the limit"),
        new("preparing an open generic type", () => Default.Prepare(typeof(Holder<>)), "Mistakes.Holder`1", "Give one with arguments"),
        new("preparing a static class", () => Default.Prepare(typeof(Helpers)), "Mistakes.Helpers", "Leave it out"),
        new(
            "asking for an open generic type",
            () => Default.Deserialize(typeof(List<>), Default.Serialize(1)),
            "List`1",
            "Give the type of a value, or a base class"),
        new(
            "a copy of what cannot be copied",
            () => Default.Clone<object>(new Holder<Action> { Value = () => { } }),
            "in Value of",
            "[IgnoreMember]"),
        new(
            "a struct that overlaps, in a contract",
            () => WireContract.From(Default, typeof(Holder<Overlap>)),
            "Mistakes.Overlap",
            "[IgnoreMember]"),
        Write(
            "a class of .NET that Wire does not know",
            new Holder<Random> { Value = new Random() },
            "in Value of",
            "Give it a surrogate"),
    ];

    private static Mistake Write(string what, object value, string where, string next) =>
        new(what, () => Default.Serialize(value), where, next);

    private static WithEvent Listening()
    {
        var source = new WithEvent();
        source.Changed += (_, _) => { };
        return source;
    }

    private static WithLoop Loop()
    {
        var loop = new WithLoop();
        loop.Self = loop;
        return loop;
    }

    private static object Deep(int levels)
    {
        object value = 1;
        for (int i = 0; i < levels; i++)
        {
            value = new Holder<object> { Value = value };
        }

        return value;
    }

    private static async IAsyncEnumerable<int> Items()
    {
        await Task.Yield();
        yield return 1;
    }
}
