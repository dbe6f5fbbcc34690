using System.Net.Http;
using System.Net.Sockets;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

[TypeNotes(
    "message, data, stack trace, HResult, inner exceptions, and the fields of every class that derives from it, of .NET ([but for a "
        + "few](#what-exceptions-of-net-leave-out)) and of yours",
    Options = "ReplaceUnknownExceptions")]
public sealed class ExceptionTests : ValueTests<Exception?>
{
    protected override IEnumerable<Exception?> Samples =>
        [
            null,
            new(),
            new("text"),
            new("outer", new("inner")),
            ExceptionSamples.WithAll(),
            ExceptionSamples.Thrown(() => throw new("thrown")),
        ];
}

[TypeNotes("stands for an exception of an unknown type", Options = "ReplaceUnknownExceptions")]
public sealed class RemoteExceptionTests : ValueTests<RemoteException?>
{
    protected override IEnumerable<RemoteException?> Samples => [null, ExceptionSamples.Remote()];
}

/// <summary>Exceptions of .NET and of users, with and without constructors, and those that the reader does not know.</summary>
public sealed class ExceptionSerializerTests
{
    private static readonly NoConstructor.Made Once = new();

    public static TheoryData<bool, bool, bool> Configurations() => Configuration.AsTheory();

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Exceptions_of_the_framework_come_back_with_their_own_fields(bool references, bool tolerance, bool dynamicCode)
    {
        foreach (Exception sample in ExceptionSamples.Framework())
        {
            var tester = new ValueTester<Exception>(Configuration.Serializer(references, tolerance, dynamicCode));
            tester.Sources(sample);
            tester.Sessions(sample);
            tester.Cuts(sample);
            ValueTester<Exception>.Twins(sample, references, tolerance);
        }
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Exceptions_of_users_keep_their_fields_and_run_no_constructor(bool references, bool tolerance, bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
        Exception sample =
            ExceptionSamples.Thrown(() => throw new OrderRejected(42, ["a", "b"], new FileNotFoundException("gone", "x.txt")));
        var back = (OrderRejected)serializer.Deserialize<Exception>(serializer.Serialize<Exception>(sample))!;
        GraphAssert.Same(sample, back);
        Assert.Equal(42, back.Order);
        Assert.Equal(["a", "b"], back.Reasons);
        Assert.Equal("x.txt", Assert.IsType<FileNotFoundException>(back.InnerException).FileName);
        Assert.Equal("order 42 was rejected: a, b", back.Message);
        Assert.Contains(nameof(ExceptionSamples.Thrown), back.StackTrace, StringComparison.Ordinal);
        Assert.Null(serializer.CopyBothWays(Once).InnerException);
    }

    [Fact]
    public void An_exception_that_came_back_can_be_thrown_again()
    {
        var back = new Serializer().CopyBothWays(ExceptionSamples.Thrown(() => throw new InvalidOperationException("once")));
        Exception caught = ExceptionSamples.Thrown(() => throw back);
        Assert.Same(back, caught);
        Assert.Contains(nameof(ExceptionSamples.Thrown), caught.StackTrace, StringComparison.Ordinal);
        Assert.Equal("once", new Serializer().CopyBothWays(caught).Message);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_first_of_several_inner_exceptions_is_the_inner_exception(bool references)
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        var sample = new AggregateException("several", new TimeoutException("late"), new AggregateException(new DivideByZeroException()));
        Assert.Equal(2, sample.InnerExceptions.Count);
        AggregateException back = serializer.CopyBothWays(sample);
        GraphAssert.Same(sample, back);
        Assert.Same(back.InnerException, back.InnerExceptions[0]);
        Assert.Empty(serializer.CopyBothWays(new AggregateException()).InnerExceptions);
    }

    [Fact]
    public void Aggregates_in_aggregates_do_not_grow_the_payload_by_powers()
    {
        Exception sample = new TimeoutException();
        var serializer = new Serializer();
        int one = serializer.Serialize(new AggregateException(sample)).Length;
        for (int i = 0; i < 20; i++)
        {
            sample = new AggregateException(sample);
        }

        Assert.InRange(serializer.Serialize(sample).Length, one, 25 * one);
        GraphAssert.Same(sample, serializer.CopyBothWays(sample));
    }

    [Fact]
    public void A_cycle_through_the_data_comes_back_with_references()
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        var sample = new OrderRejected(1, [], null);
        sample.Data["self"] = sample;
        OrderRejected back = serializer.CopyBothWays(sample);
        Assert.Same(back, back.Data["self"]);
    }

    [Fact]
    public void A_member_that_was_added_or_removed_is_tolerated()
    {
        byte[] bytes = new Serializer().Serialize(new FailureV1 { Code = 7, Text = "old" });
        FailureV2 read = Assert.IsType<FailureV2>(new Serializer().Deserialize<FailureV2>(bytes));
        Assert.Equal(7, read.Code);
        Assert.Equal("default", read.Message.Length > 0 ? "default" : "");
        Assert.Null(read.Added);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_unknown_exception_comes_back_as_a_stand_in_when_asked_for(bool allowedInner)
    {
        Exception sample = ExceptionSamples.Thrown(
            () => throw new OrderRejected(42, ["late"], allowedInner ? new TimeoutException("t") : new OrderRejected(1, [], null)));
        sample.Data["key"] = 5;
        byte[] bytes = new Serializer().Serialize<Exception>(sample);
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<Exception>(bytes));

        var lenient = new Serializer(new SerializerOptions { ReplaceUnknownExceptions = true });
        for (int i = 0; i < 2; i++)
        {
            var back = Assert.IsType<RemoteException>(lenient.Deserialize<Exception>(bytes));
            Assert.Contains(nameof(OrderRejected), back.TypeName, StringComparison.Ordinal);
            Assert.Equal(sample.Message, back.Message);
            Assert.Equal(sample.StackTrace, back.StackTrace);
            Assert.Equal(sample.HResult, back.HResult);
            Assert.Equal(5, back.Data["key"]);
            Assert.Equal(allowedInner ? typeof(TimeoutException) : typeof(RemoteException), back.InnerException!.GetType());
            Assert.Contains(sample.StackTrace!, back.ToString(), StringComparison.Ordinal);

            // It can be passed on.
            var again = Assert.IsType<RemoteException>(lenient.Deserialize<Exception>(new Serializer().Serialize<Exception>(back)));
            Assert.Equal(back.TypeName, again.TypeName);
            Assert.Equal(back.Message, again.Message);
        }
    }

    [Fact]
    public void A_stand_in_stands_only_where_it_fits_and_only_for_exceptions()
    {
        var lenient = new Serializer(new SerializerOptions { ReplaceUnknownExceptions = true });
        byte[] typed = new Serializer().Serialize<object>(new Holder<object> { Any = new OrderRejected(1, [], null) });
        Assert.IsType<RemoteException>(lenient.Deserialize<Holder<object>>(typed)!.Any);
        byte[] other = new Serializer().Serialize<object>(new Holder<object> { Any = new OrderLine() });
        Assert.Throws<TypeRefusedException>(() => lenient.Deserialize<Holder<object>>(other));
        byte[] narrow = new Serializer().Serialize(new Holder<SystemException> { Declared = new ArithmeticExceptionOfMine() });
        Assert.Throws<TypeRefusedException>(() => lenient.Deserialize<Holder<SystemException>>(narrow));
    }

    [Fact]
    public void Aggregates_without_a_list_are_invalid()
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.Serialize(new AggregateException("x", new TimeoutException("y")));
        for (int i = 0; i < bytes.Length; i++)
        {
            byte kept = bytes[i];
            for (int value = 0; value < 256; value += 3)
            {
                bytes[i] = (byte)value;
                try
                {
                    AggregateException? read = serializer.Deserialize<AggregateException>(bytes);
                    Assert.DoesNotContain(null, read?.InnerExceptions ?? []);
                }
                catch (WireFormatException)
                {
                    // Damage that is reported.
                }
            }

            bytes[i] = kept;
        }
    }

    private sealed class OrderLine
    {
        public int Number { get; set; }
    }

    private sealed class ArithmeticExceptionOfMine : SystemException;

    [WireName("tests.failure")]
    private sealed class FailureV1 : Exception
    {
        public int Code { get; set; }

        public string? Text { get; set; }
    }

    [WireName("tests.failure")]
    private sealed class FailureV2 : Exception
    {
        public long Code { get; set; }

        public string? Added { get; set; }
    }
}

/// <summary>An exception with members, whose constructor must not run again.</summary>
public sealed class OrderRejected : InvalidOperationException
{
    private readonly List<string> _reasons;

    public OrderRejected(int order, List<string> reasons, Exception? inner)
        : base("never shown", inner)
    {
        Order = order;
        _reasons = [.. reasons];
    }

    public int Order { get; }

    public IReadOnlyList<string> Reasons => _reasons;

    public override string Message => $"order {Order} was rejected: {string.Join(", ", _reasons)}";
}

public static class NoConstructor
{
    /// <summary>Its constructor throws when it is called a second time.</summary>
    public sealed class Made : Exception
    {
        private static int _made;

        public Made()
        {
            if (Interlocked.Increment(ref _made) > 1)
            {
                throw new InvalidOperationException("made again");
            }
        }
    }
}

internal static class ExceptionSamples
{
    public static Exception Thrown(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e)
        {
            return e;
        }

        throw new InvalidOperationException("nothing was thrown");
    }

    public static RemoteException Remote() => (RemoteException)new Serializer(new SerializerOptions { ReplaceUnknownExceptions = true })
        .Deserialize<Exception>(new Serializer().Serialize<Exception>(new OrderRejected(1, ["r"], null)))!;

    public static Exception WithAll() => new("all", new("inner"))
    {
        HelpLink = "https://example.com/help",
        HResult = 0x1234,
        Source = "somewhere",
        Data = { ["number"] = 1, [2] = "two", ["null"] = null, ["list"] = new List<int> { 1 } },
    };

    public static IEnumerable<Exception> Framework() =>
    [
        new ArgumentNullException(
            "name"), new ArgumentOutOfRangeException("index", 7, "too large"), new ArgumentException("bad", "p", new("i")),
        new InvalidOperationException("x"), new NotSupportedException(), new FormatException("f"), new OverflowException(),
        new FileNotFoundException(
            "gone", "file.txt"), new ObjectDisposedException("stream"), new TimeoutException(), new KeyNotFoundException("k"),
        new HttpRequestException(HttpRequestError.ConnectionError, "http", new SocketException(111), System.Net.HttpStatusCode.BadGateway),
        new OperationCanceledException("c"), new TypeInitializationException("Some.Type", new("i")), new NullReferenceException(),
        new System.ComponentModel.Win32Exception(5), new System.Text.Json.JsonException("json", "$.a", 1, 2), new IOException("io", 77),
        new AggregateException(new TimeoutException("1"), new FormatException("2")), new BadImageFormatException("b", "f.dll"),
    ];
}
