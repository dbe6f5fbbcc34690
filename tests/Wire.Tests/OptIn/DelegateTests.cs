using System.Diagnostics;
using System.Linq.Expressions;
using System.Reflection.Emit;
using Wire.Tests.Testing;

namespace Wire.Tests.OptIn;

/// <summary>Delegates, which <see cref="SerializerOptions.AllowDelegates"/> allows.</summary>
[TypeNotes(
    "methods, closures, multicast; off by default", Title = "delegates", Options = "AllowDelegates", Written = "members of a stand-in")]
public sealed class DelegateTests
{
    private delegate bool TryParse<T>(string text, out T value);

    private delegate TResult Generic<TArgument, TResult>(TArgument argument);

    private delegate int OpenOnStruct(ref Counter counter);

    private static readonly Serializer On = OptInTester.With(Allow);

    public static TheoryData<string> Names() => [.. Samples().Select(sample => sample.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_kind_of_delegate_does_the_same_again(string name)
    {
        (_, Delegate value, object?[] arguments) = Samples().Single(sample => sample.Name == name);
        OptInTester.RunAll<Delegate>([value], Allow, (expected, actual) => GiveTheSame(expected!, actual!, arguments));
    }

    [Fact]
    public void A_lambda_that_captures_nothing_is_equal_to_itself()
    {
        Func<int, int> lambda = Samples().Select(sample => sample.Value).OfType<Func<int, int>>().First();
        Assert.Equal(lambda, On.Deserialize<Func<int, int>>(On.Serialize(lambda)));
    }

    [Fact]
    public void Multicast_keeps_its_order_and_its_shared_state()
    {
        var log = new Log();
        Action all = log.A;
        all += log.B;
        all += log.A;
        (Log Log, Action All) read = On.Deserialize<(Log, Action)>(On.Serialize((log, all)));
        read.All();
        Assert.Equal("ABA", read.Log.Text);
        Assert.Equal("", log.Text);
    }

    [Fact]
    public void An_object_may_hold_a_delegate_to_itself()
    {
        var log = new Log { Text = "x" };
        log.Next = log.A;
        Log read = On.Deserialize<Log>(On.Serialize(log))!;
        Assert.NotNull(read.Next);
        read.Next();
        Assert.Equal("xA", read.Text);
        Assert.Same(read, read.Next.Target);
    }

    [Fact]
    public void Without_the_option_nothing_of_it_is_written_or_read()
    {
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowDelegates), (Action)new Log().A, On);
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowDelegates), (Func<int>)Log.Next0, On);
        var off = new Serializer();
        Assert.Throws<TypeRefusedException>(() => off.Deserialize<Log>(On.Serialize(new Log { Next = () => { } })));
        Assert.Null(off.Deserialize<Log>(On.Serialize(new Log()))!.Next);
    }

    [Fact]
    public void A_lambda_is_as_allowed_as_the_class_around_it()
    {
        int captured = 5;
        byte[] payload = On.Serialize((Func<int>)(() => captured));
        var narrow =
            new Serializer(new SerializerOptions { AllowDelegates = true, TypeFilter = WireTypeFilter.Default.Allow<DelegateTests>() });
        Assert.Equal(5, ((Func<int>)narrow.Deserialize<object>(payload)!)());
        TypeRefusedException e = Assert.Throws<TypeRefusedException>(
            () => new Serializer(new SerializerOptions { AllowDelegates = true }).Deserialize<Func<int>>(payload));
        Assert.Contains(nameof(DelegateTests), e.TypeName, StringComparison.Ordinal);
    }

    [Fact]
    public void Methods_of_the_framework_are_refused()
    {
        Delegate[] values =
        [
            (Action<string>)File.Delete, (Func<string, string, string?>)Path.Combine, (Func<int, int, int>)Math.Max, (Action)GC.Collect,
            (Action<string>)Environment.FailFast,
            (Action<string>)new System.Xml.Linq.XElement(
                "a").Save, (Func<string, System.Xml.Linq.XDocument>)System.Xml.Linq.XDocument.Load,
                (Func<nint, byte>)System.Runtime.InteropServices.Marshal.ReadByte,
        ];
        foreach (Delegate value in values)
        {
            byte[] payload = On.Serialize(value);
            foreach (WireTypeFilter filter
                in new[]
                {
                    WireTypeFilter.Default,
                    WireTypeFilter.Unrestricted,
                    WireTypeFilter.Default.AllowAssembly(typeof(DelegateTests).Assembly),
                })
            {
                Assert.Throws<TypeRefusedException>(() =>
                    new Serializer(new SerializerOptions { AllowDelegates = true, TypeFilter = filter }).Deserialize<Delegate>(payload));
            }
        }
    }

    [Fact]
    public void A_type_of_the_framework_that_is_allowed_itself_may_be_called()
    {
        var serializer =
            new Serializer(new SerializerOptions { AllowDelegates = true, TypeFilter = WireTypeFilter.Default.Allow(typeof(Math)) });
        Assert.Equal(4, ((Func<int, int, int>)serializer.Deserialize<object>(serializer.Serialize((Func<int, int, int>)Math.Max))!)(4, 3));
    }

    [Fact]
    public void Types_that_lead_to_all_code_are_never_called()
    {
        Delegate[] values =
        [
            (Func<string, Type?>)Type.GetType, (Func<string, System.Reflection.Assembly>)System.Reflection.Assembly.Load,
            (Func<object?[]?, object?>)((Func<int>)Log.Next0).DynamicInvoke, (Func<string, Process>)Process.Start,
        ];
        foreach (Delegate value in values)
        {
            Assert.Throws<UnsupportedTypeException>(() => On.Serialize(value));
        }

        // Nor do hostile bytes get there, whatever the filter allows: here a delegate over a static method, with another name.
        byte[] payload = On.Serialize((Func<string, string>)Stand.In);
        byte[] forged = OptInTester.Forge(
            payload,
            ("Wire.Tests.OptIn.DelegateTests+Stand, Wire.Tests", "System.Type"),
            ("System.String(System.String)", "System.Type(System.String)"),
            ("In", "GetType"));
        foreach (WireTypeFilter filter
            in new[] { WireTypeFilter.Default, WireTypeFilter.Unrestricted, WireTypeFilter.Default.Allow<Type>() })
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(
                () => new Serializer(new SerializerOptions { AllowDelegates = true, TypeFilter = filter }).Deserialize<Delegate>(forged));
            Assert.Equal("System.Type", e.TypeName);
        }
    }

    [Theory]
    [InlineData("Next1", "System.Int32(System.Int32)")]
    [InlineData("Next1", "System.Int32()")]
    [InlineData("NextX", "System.Int32()")]
    [InlineData("Same", "!!0(!!0)")]
    [InlineData("*", "System.Int32()")]
    [InlineData("", "")]
    [InlineData(".ctor", "()")]
    public void Methods_that_do_not_fit_are_refused(string name, string signature)
    {
        byte[] forged = OptInTester.Forge(On.Serialize((Func<int>)Log.Next0), ("Next0", name));
        forged = signature == "System.Int32()" ? forged : OptInTester.Forge(forged, ("System.Int32()", signature));
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => On.Deserialize<object>(forged)).Error);
    }

    [Fact]
    public void Another_method_that_fits_is_taken() =>
        Assert.Equal(2, ((Func<int>)On.Deserialize<object>(OptInTester.Forge(On.Serialize((Func<int>)Log.Next0), ("Next0", "Next2")))!)());

    [Fact]
    public void What_a_delegate_is_bound_to_has_to_fit()
    {
        byte[] forged = OptInTester.Forge(
            On.Serialize((Action)new Stand().A),
            ("Wire.Tests.OptIn.DelegateTests+Stand, Wire.Tests", "Wire.Tests.OptIn.DelegateTests+Log, Wire.Tests"));
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => On.Deserialize<object>(forged)).Error);
    }

    [Theory]
    [InlineData("System.Int32")]
    [InlineData("System.Delegate")]
    [InlineData("System.MulticastDelegate")]
    [InlineData("System.Func`1")]
    public void A_type_that_no_delegate_can_have_is_refused(string name)
    {
        byte[] forged = OptInTester.Forge(On.Serialize((Func<int>)Log.Next0), ("System.Func`1[[System.Int32]]", name));
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => On.Deserialize<object>(forged)).Error);
    }

    [Fact]
    public void What_was_emitted_at_run_time_is_refused_when_it_is_written()
    {
        var emitted = new DynamicMethod("Emitted", typeof(int), []);
        ILGenerator il = emitted.GetILGenerator();
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Ret);
        foreach (Delegate value
            in new Delegate[] { emitted.CreateDelegate<Func<int>>(), Expression.Lambda<Func<int>>(Expression.Constant(1)).Compile() })
        {
            UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => On.Serialize(value));
            Assert.Contains("emitted at run time", e.Message, StringComparison.Ordinal);
        }
    }

    private static SerializerOptions Allow(SerializerOptions options) => options with { AllowDelegates = true };

    internal static (string Name, Delegate Value, object?[] Arguments)[] Samples()
    {
        int captured = 3;
        var log = new Log { Text = "t" };
        Func<int> multicast = Log.Next0;
        multicast += Log.Next2;
        return
        [
            ("lambda", (Func<int, int>)(x => x + 1), [4]),
            ("closure", (Func<int, int>)(x => x + captured), [4]),
            ("static method", (Func<int>)Log.Next0, []),
            ("instance method", (Func<string, string>)log.Append, ["u"]),
            ("private generic method", (Func<string, string>)Log.Same<string>, ["v"]),
            ("overload", (Func<long, string>)Log.Overloaded, [1L]),
            ("overload of a generic type", (Func<int, string>)typeof(Box<int>).GetMethods().Last(m => m.Name == "Both")
                .CreateDelegate<Func<int, string>>(new Box<int>()), [1]),
            ("other overload of a generic type", (Func<int, string>)typeof(Box<int>).GetMethods().First(m => m.Name == "Both")
                .CreateDelegate<Func<int, string>>(new Box<int>()), [1]),
            ("lambda in a generic class", Box<string>.Lambda(), ["w"]),
            ("delegate type of a generic", (Generic<string, int>)int.Parse, ["12"]),
            ("out parameter", (TryParse<int>)int.TryParse, ["12", 0]),
            ("open instance", typeof(Log).GetMethod(nameof(Log.Append))!.CreateDelegate<Func<Log, string, string>>(), [log, "x"]),
            (
                "open instance of a value type",
                typeof(Counter).GetMethod(nameof(Counter.Next))!.CreateDelegate<OpenOnStruct>(),
                [new Counter { Value = 5 }]),
            ("instance of a value type", (Func<int>)new Counter { Value = 7 }.Next, []),
            (
                "closed over the first argument",
                (Func<string>)Delegate.CreateDelegate(typeof(Func<string>), "first", typeof(Log).GetMethod(nameof(Log.Shout))!),
                []),
            (
                "closed over null",
                (Func<string>)Delegate.CreateDelegate(typeof(Func<string>), null, typeof(Log).GetMethod(nameof(Log.Shout))!),
                []),
            ("virtual method", (Func<string>)new Derived().Name, []),
            ("base method", (Func<string>)new Derived().BaseName, []),
            ("delegate over a delegate", new Func<int>(((Func<int>)Log.Next0).Invoke), []),
            ("multicast", multicast, []),
        ];
    }

    // What comes back can be called, too.
    private static void GiveTheSame(Delegate expected, Delegate actual, object?[] arguments) =>
        Assert.Equal(expected.DynamicInvoke([.. arguments]), actual.DynamicInvoke([.. arguments]));

    private sealed class Log
    {
        public string Text { get; set; } = "";

        public Action? Next { get; set; }

        public static int Next0() => 0;

        public static int Next2() => 2;

        public static int Next1(int value) => value;

        public static string Shout(string? text) => text + "!";

        public static T Same<T>(T value) => value;

        public static string Overloaded(long value) => "long " + value;

        public static string Overloaded(int value) => "int " + value;

        public void A() => Text += "A";

        public void B() => Text += "B";

        public string Append(string text) => Text + text;
    }

    private sealed class Stand
    {
        public static string In(string text) => text;

        public void A() => In("");
    }

    private sealed class Box<T>
    {
        public static Delegate Lambda() => (Func<T, string>)(value => $"{typeof(T)} {value}");

        public string Both(T value) => "T " + value;

        public string Both(int value) => "int " + value;
    }

    private struct Counter
    {
        public int Value;

        public int Next() => Value + 1;
    }

    private class Base
    {
        public virtual string Name() => "base";

        public string BaseName() => GetType().Name + Name();
    }

    private sealed class Derived : Base
    {
        public override string Name() => "derived";
    }
}
