using System.Linq.Expressions;
using System.Reflection;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.OptIn;

/// <summary>Expression trees, which <see cref="SerializerOptions.AllowExpressions"/> allows.</summary>
[TypeNotes(
    "every kind of node but dynamic ones, and the parts of trees that are no nodes; off by default",
    Title = "System.Linq.Expressions",
    Options = "AllowExpressions",
    Written = "one flat list of parts")]
public sealed class ExpressionTests
{
    private static readonly Serializer On = OptInTester.With(Allow);

    // Kinds of node that no sample can have, each with its reason.
    private static readonly Dictionary<ExpressionType, string> Excluded = new()
    {
        [ExpressionType.Dynamic] = "refused: a binder is code of its own",
        [ExpressionType.Extension] = "reduced to other kinds when it is written",
    };

    public static TheoryData<string> Names() => [.. ExpressionSamples.All.Select(sample => sample.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_kind_of_node_is_the_same_again(string name)
    {
        ExpressionSample sample = Find(name);
        foreach (bool references in new[] { false, true })
        {
            Serializer serializer = OptInTester.With(Allow, references);
            var read = (LambdaExpression)serializer.Deserialize<Expression>(serializer.Serialize((Expression)sample.Lambda))!;
            GraphAssert.Same(sample.Lambda, read, references);
            Assert.Equal(Outcome(sample.Lambda, sample.Arguments), Outcome(read, sample.Arguments));
        }
    }

    [Theory]
    [InlineData("Coalesce with a conversion")]
    [InlineData("MemberInit of all kinds")]
    [InlineData("Try with a filter")]
    [InlineData("New with members")]
    [InlineData("Loop")]
    public void The_whole_tester_takes_them(string name) =>
        OptInTester.RunAll<Expression>([Find(name).Lambda.Body], Allow);

    [Theory]
    [MemberData(nameof(Names))]
    public void A_wrong_byte_is_read_or_reported(string name)
    {
        byte[] payload = On.Serialize((Expression)Find(name).Lambda);
        for (int at = Math.Max(0, payload.Length - 400); at < payload.Length; at += Sweep.IsWhole ? 3 : 9)
        {
            byte right = payload[at];
            foreach (byte wrong in new[] { (byte)(right ^ 1), (byte)(right + 2), (byte)0xFF, (byte)0 })
            {
                payload[at] = wrong;
                try
                {
                    _ = On.Deserialize<Expression>(payload);
                }
                catch (WireFormatException)
                {
                }
            }

            payload[at] = right;
        }
    }

    [Fact]
    public void Every_kind_of_node_has_a_sample()
    {
        var seen = new KindCollector();
        foreach (ExpressionSample sample in ExpressionSamples.All)
        {
            seen.Visit(sample.Lambda);
        }

        Assert.Empty(Enum.GetValues<ExpressionType>().Except(seen.Kinds).Except(Excluded.Keys));
        Assert.Empty(seen.Kinds.Intersect(Excluded.Keys));
    }

    [Fact]
    public void Parts_that_are_shared_stay_shared()
    {
        var read = (LambdaExpression)On.Deserialize<Expression>(On.Serialize((Expression)Find("a part used twice").Lambda))!;
        var product = (BinaryExpression)read.Body;
        Assert.Same(product.Left, product.Right);
        Assert.Same(read.Parameters[0], ((BinaryExpression)product.Left).Left);
    }

    [Fact]
    public void Without_the_option_nothing_of_it_is_written_or_read()
    {
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowExpressions), Expression.Constant(1), On);
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowExpressions), Find("Loop").Lambda, On);
        Serializer members = OptInTester.With(o => o with { AllowMemberInfos = true, AllowDelegates = true });
        Assert.Throws<UnsupportedTypeException>(() => members.Serialize(Find("Loop").Lambda));
        Assert.Throws<UnsupportedTypeException>(
            () => OptInTester.With(o => o with { AllowExpressions = true }).Serialize(Expression.Constant((Action)GC.Collect)));
    }

    [Fact]
    public void Members_and_types_are_judged()
    {
        var cautious = new Serializer(new SerializerOptions { AllowExpressions = true, TypeFilter = WireTypeFilter.Unrestricted });
        Expression<Action>[] hostile =
        [
            () => File.Delete("x"), () =>
                Environment.Exit(1), () => GC.Collect(), () => Math.Max(1, 2), () => System.Runtime.InteropServices.Marshal.ReadByte(0),
        ];
        foreach (Expression<Action> lambda in hostile)
        {
            Assert.Throws<TypeRefusedException>(() => cautious.Deserialize<Expression>(On.Serialize((Expression)lambda)));
        }

        Expression<Func<object?>>[] never =
        [
            () => Type.GetType("x"),
            () => typeof(string).GetMethod("x"),
            () => System.Diagnostics.Process.Start("x"),
            () => Expression.Constant(1, typeof(int)),
        ];
        foreach (Expression<Func<object?>> lambda in never)
        {
            Assert.Throws<UnsupportedTypeException>(() => On.Serialize((Expression)lambda));
        }

        var narrow = new Serializer(new SerializerOptions { AllowExpressions = true });
        Assert.Throws<TypeRefusedException>(() => narrow.Deserialize<Expression>(On.Serialize((Expression)Find("New").Lambda)));
        Assert.Throws<TypeRefusedException>(
            () => narrow.Deserialize<Expression>(On.Serialize<Expression>(Expression.Default(typeof(Machine)))));
        Assert.Equal(
            "x => (x + 1)", narrow.Deserialize<Expression>(On.Serialize<Expression>((Expression<Func<int, int>>)(x => x + 1)))!.ToString());
    }

    [Fact]
    public void An_operator_that_the_payload_does_not_name_is_not_called()
    {
        ParameterExpression number = Expression.Parameter(typeof(int)), flag = Expression.Parameter(typeof(bool));
        (Expression Honest, string From, string To)[] samples =
        [
            (Expression.Negate(number), "System.Int32", "System.Numerics.Vector2"),
            (Expression.Add(number, number), "System.Int32", "System.Numerics.Vector2"),
            (Expression.AddAssign(number, number), "System.Int32", "System.Decimal"),
            (
                Expression.Switch(number, Expression.SwitchCase(Expression.Empty(), Expression.Default(typeof(int)))),
                "System.Int32",
                "System.Numerics.Vector2"),
            (Expression.AndAlso(flag, flag), "System.Boolean", "Wire.Tests.OptIn.Machine, Wire.Tests"),
            (Expression.IsTrue(flag), "System.Boolean", "Wire.Tests.OptIn.Machine, Wire.Tests"),
        ];
        foreach ((Expression honest, string from, string to) in samples)
        {
            byte[] payload = On.Serialize(honest);
            Assert.Equal(honest.ToString(), On.Deserialize<Expression>(payload)!.ToString());
            byte[] forged = OptInTester.Forge(payload, (from, to));
            Assert.Contains(
                "does not name",
                Assert.Throws<WireFormatException>(() => On.Deserialize<Expression>(forged)).Message,
                StringComparison.Ordinal);
        }

        byte[] cast = On.Serialize<Expression>(Expression.Convert(Expression.Parameter(typeof(Whole)), typeof(Part)));
        byte[] conversion = OptInTester.Forge(cast, (NameOf<Whole>(), "System.Xml.Linq.XElement"), (NameOf<Part>(), "System.String"));
        WireFormatException e = Assert.Throws<WireFormatException>(() => On.Deserialize<Expression>(conversion));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
        Assert.Contains("op_Explicit of System.Xml.Linq.XElement", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void After_too_many_made_up_lambda_types_the_others_are_still_read()
    {
        Serializer reader = OptInTester.With(Allow);
        Type[] types = OptInTester.ManyTypes();
        Expression[] lambdas = [.. types.SelectMany(
            result => types.Select(taken => Expression.Lambda(Expression.Default(result), Expression.Parameter(taken))))];
        foreach (Expression lambda in lambdas)
        {
            reader.Deserialize<Expression>(On.Serialize(lambda));
        }

        foreach (Expression known in new[]
        {
            lambdas[0],
            lambdas[^1],
            Expression.Lambda<Action>(Expression.Empty()),
            Expression.Lambda<ThreadStart>(Expression.Empty()),
        })
        {
            Assert.Equal(known.Type, reader.Deserialize<Expression>(On.Serialize(known))!.Type);
        }

        Expression other = Expression.Lambda(Expression.Default(typeof(Guid)));
        Assert.Equal(
            WireFormatError.Limit, Assert.Throws<WireFormatException>(() => reader.Deserialize<Expression>(On.Serialize(other))).Error);
        SwitchCase part = Expression.SwitchCase(other, Expression.Constant(1));
        Assert.Equal(
            WireFormatError.Limit, Assert.Throws<WireFormatException>(() => reader.Deserialize<SwitchCase>(On.Serialize(part))).Error);
        Assert.Equal(other.Type, reader.CopyBothWays(other)!.Type);
        Assert.Equal(other.Type, reader.CopyBothWays(part)!.Body.Type);
    }

    [Fact]
    public void A_property_of_NET_that_may_be_read_is_not_assigned_by_a_private_setter()
    {
        Type type = typeof(Barrier);
        PropertyInfo property = type.GetProperty(nameof(Barrier.CurrentPhaseNumber))!;
        Assert.Equal((true, false), (property.GetMethod!.IsPublic, property.SetMethod!.IsPublic));
        NewExpression made = Expression.New(type.GetConstructor([typeof(int)])!, Expression.Constant(1));
        Serializer reader = OptInTester.With(o => Allow(o) with { TypeFilter = WireTypeFilter.Unrestricted.Allow(type) });
        ParameterExpression target = Expression.Parameter(type), value = Expression.Parameter(property.PropertyType);
        Expression read = Expression.Property(target, property);
        Assert.Equal(read.ToString(), reader.Deserialize<Expression>(On.Serialize(read))!.ToString());
        MethodInfo byReference = typeof(ExpressionTests).GetMethod(
            nameof(Overwrite), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(property.PropertyType);
        Expression[] writes =
        [
            Expression.Assign(read, value),
            Expression.MemberInit(made, Expression.Bind(property, value)),
            Expression.Call(byReference, read),
            Expression.Lambda(Expression.Assign(read, value), target, value),
        ];
        foreach (Expression write in writes)
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Expression>(On.Serialize(write)));
            Assert.Contains("is not public", e.Reason, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_property_of_NET_with_a_public_setter_is_assigned()
    {
        Serializer reader =
            OptInTester.With(o => Allow(o) with { TypeFilter = WireTypeFilter.Unrestricted.Allow<System.Text.StringBuilder>() });
        ParameterExpression target = Expression.Parameter(typeof(System.Text.StringBuilder));
        Expression<Action<System.Text.StringBuilder>> write = Expression.Lambda<Action<System.Text.StringBuilder>>(
            Expression.Block(
                Expression.PreIncrementAssign(Expression.Property(target, "Length")),
                Expression.AddAssign(Expression.Property(target, "Length"), Expression.Constant(2))), target);
        var text = new System.Text.StringBuilder("a");
        ((Expression<Action<System.Text.StringBuilder>>)reader.Deserialize<Expression>(On.Serialize<Expression>(write))!).Compile()(text);
        Assert.Equal(4, text.Length);
    }

    private static void Overwrite<T>(ref T value) => value = default!;

    [Fact]
    public void What_is_no_tree_of_its_own_is_reduced_or_refused()
    {
        Assert.Equal("(1 + 2)", On.Deserialize<Expression>(On.Serialize<Expression>(new Reducible()))!.ToString());
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize<Expression>(new Irreducible()));
        DynamicExpression dynamic = Expression.Dynamic(new Binder(), typeof(object), Expression.Constant(1));
        Assert.Contains(
            "binder", Assert.Throws<UnsupportedTypeException>(() => On.Serialize<Expression>(dynamic)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Depth_is_limited_on_both_sides_and_never_the_stack()
    {
        Expression deep = Expression.Constant(1);
        for (int i = 0; i < 20_000; i++)
        {
            deep = Expression.Negate(deep);
        }

        Assert.Throws<ObjectGraphException>(() => On.Serialize(deep));
        Serializer raised = OptInTester.With(o => Allow(o) with { Limits = o.Limits with { MaxDepth = 1_000_000 } });
        byte[] payload = raised.Serialize(deep);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => On.Deserialize<Expression>(payload)).Error);
        Assert.Equal(ExpressionType.Negate, raised.Deserialize<Expression>(payload)!.NodeType);
    }

    internal static SerializerOptions Allow(SerializerOptions options) => options with
    {
        AllowExpressions = true,
        TypeFilter = options.TypeFilter.Allow(typeof(Enumerable)).Allow(typeof(IEnumerable<>)).Allow<InvalidOperationException>()
            .Allow<DivideByZeroException>()
            .Allow<OverflowException>().Allow<Exception>().Allow<System.Runtime.CompilerServices.IRuntimeVariables>()
                .Allow<System.Collections.ICollection>().Allow(typeof(Math)),
    };

    private static ExpressionSample Find(string name) => ExpressionSamples.All.Single(sample => sample.Name == name);

    // What a call gives or throws, as text that has no addresses in it.
    private static string Outcome(LambdaExpression lambda, object?[] arguments)
    {
        try
        {
            object? result = lambda.Compile().DynamicInvoke([.. arguments]);
            return result switch
            {
                null => "null",
                System.Collections.IEnumerable items and not string => string.Join(",", items.Cast<object?>()),
                _ => result.ToString()!,
            };
        }
        catch (TargetInvocationException e)
        {
            return e.InnerException!.GetType().Name;
        }
    }

    private static string NameOf<T>() => $"{typeof(T).FullName}, Wire.Tests";

    private class Whole;

    private sealed class Part : Whole;

    private sealed class KindCollector : ExpressionVisitor
    {
        public HashSet<ExpressionType> Kinds { get; } = [];

        public override Expression? Visit(Expression? node)
        {
            if (node is not null)
            {
                Kinds.Add(node.NodeType);
            }

            return base.Visit(node);
        }
    }

    private sealed class Reducible : Expression
    {
        public override ExpressionType NodeType => ExpressionType.Extension;

        public override Type Type => typeof(int);

        public override bool CanReduce => true;

        public override Expression Reduce() => Add(Constant(1), Constant(2));
    }

    private sealed class Irreducible : Expression
    {
        public override ExpressionType NodeType => ExpressionType.Extension;

        public override Type Type => typeof(int);
    }

    private sealed class Binder : System.Runtime.CompilerServices.CallSiteBinder
    {
        public override Expression Bind(
            object[] args, System.Collections.ObjectModel.ReadOnlyCollection<ParameterExpression> parameters, LabelTarget returnLabel) =>
            Expression.Return(returnLabel, Expression.Constant(args));
    }
}
