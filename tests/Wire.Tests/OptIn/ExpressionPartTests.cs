using System.Linq.Expressions;
using System.Reflection;
using System.Text;
using Wire.Comparing;
using Wire.Tests.Testing;
using static System.Linq.Expressions.Expression;

namespace Wire.Tests.OptIn;

/// <summary>
/// Parts of expression trees, outside of a tree, that are no expressions: <see cref="SerializerOptions.AllowExpressions"/> allows them.
/// </summary>
public sealed class ExpressionPartTests
{
    private const string Namespace = "System.Linq.Expressions.";

    private static readonly Serializer On = OptInTester.With(ExpressionTests.Allow);

    // Each part has its own: what two of them share does not come back shared.
    private static ParameterExpression A => Parameter(typeof(int), "a");

    private static LabelTarget[] Labels => [Label(typeof(int), "done"), Label("void"), Label(), Label(typeof(Machine))];

    private static ElementInit[] Elements =>
    [
        ElementInit(MethodOf<List<int>>("Add"), Add(A, Constant(1))),
        ElementInit(MethodOf<Dictionary<string, int>>("Add"), Constant("k"), A),
    ];

    private static MemberBinding[] Bindings =>
    [
        Bind(Member("Value"), A),
        Bind(Member("Field"), Constant(3)),
        ListBind(Member("Items"), Elements[0], ElementInit(MethodOf<List<int>>("Add"), A)),
        MemberBind(
            Member("Spare"), Bind(typeof(Gadget).GetProperty("Value")!, A), ListBind(typeof(Gadget).GetProperty("Items")!, Elements[0])),
    ];

    private static SymbolDocumentInfo[] Documents =>
    [
        SymbolDocument("a.cs"), SymbolDocument("b.cs", Guid.NewGuid()),
        SymbolDocument("c.cs", Guid.NewGuid(), Guid.NewGuid(), Guid.NewGuid()),
    ];

    private static CatchBlock[] Handlers =>
    [
        Catch(typeof(DivideByZeroException), Constant(1)),
        CatchNamed(Parameter(typeof(InvalidOperationException), "e"), "m"),
    ];

    private static SwitchCase[] Cases => [SwitchCase(Add(A, Constant(1)), Constant(1), Constant(2)), SwitchCase(Empty(), Constant("s"))];

    public static TheoryData<string> Names() => [.. Samples().Select(sample => sample.Name)];

    /// <summary>One of each kind, and more of those that have several forms.</summary>
    internal static (string Name, object Value)[] Samples() =>
    [
        .. new object[][] { Labels, Elements, Bindings, Documents, Handlers, Cases }.SelectMany(
            kind => kind.Select((value, i) => ($"{value.GetType().Name} {i}", value))),
    ];

    [Fact]
    public void The_whole_tester_takes_labels() => OptInTester.RunAll(Labels, ExpressionTests.Allow);

    [Fact]
    public void The_whole_tester_takes_initializers_of_elements() => OptInTester.RunAll(Elements, ExpressionTests.Allow);

    [Fact]
    public void The_whole_tester_takes_bindings() => OptInTester.RunAll(Bindings, ExpressionTests.Allow);

    [Fact]
    public void The_whole_tester_takes_documents() => OptInTester.RunAll(Documents, ExpressionTests.Allow);

    [Fact]
    public void The_whole_tester_takes_handlers() => OptInTester.RunAll(Handlers, ExpressionTests.Allow);

    [Fact]
    public void The_whole_tester_takes_cases() => OptInTester.RunAll(Cases, ExpressionTests.Allow);

    [Fact]
    public void A_variable_may_have_the_class_of_the_binding()
    {
        foreach (bool references in new[] { false, true })
        {
            Serializer serializer = OptInTester.With(ExpressionTests.Allow, references);
            var parts = new Parts
            {
                Assignment = (MemberAssignment)Bindings[0],
                List = (MemberListBinding)Bindings[2],
                Members = (MemberMemberBinding)Bindings[3],
                Label = Labels[0],
                Element = Elements[1],
                Document = Documents[0],
                Handler = Handlers[1],
                Case = Cases[0],
            };
            GraphAssert.Same(parts, serializer.Deserialize<Parts>(serializer.Serialize(parts)), references);
            GraphAssert.Same(parts, serializer.DeserializeTyped<Parts>(serializer.SerializeTyped(parts)), references);
            GraphAssert.Same(new Parts(), serializer.Deserialize<Parts>(serializer.Serialize(new Parts())), references);
            GraphAssert.Same(parts.List, serializer.DeserializeTyped<MemberListBinding>(serializer.SerializeTyped(parts.List)), references);
        }
    }

    [Fact]
    public void What_is_read_makes_trees_that_run()
    {
        SwitchCase[] cases = Read(Cases[..1]);
        var parameter = (ParameterExpression)((BinaryExpression)cases[0].Body).Left;
        Func<int, int> choose = Lambda<Func<int, int>>(Switch(parameter, Constant(0), cases), parameter).Compile();
        Assert.Equal([2, 3, 0], new[] { 1, 2, 3 }.Select(choose));

        foreach (MemberBinding binding in Read(Bindings))
        {
            var uses = new Parameters();
            NewExpression made = New(typeof(Machine));
            uses.Visit(MemberInit(made, binding));
            LambdaExpression init = Lambda(MemberInit(made, binding), uses.Found);
            Assert.IsType<Machine>(init.Compile().DynamicInvoke([.. uses.Found.Select(_ => (object)7)]));
        }

        CatchBlock[] handlers = Read(Handlers);
        Assert.Equal(
            2, Lambda<Func<int>>(TryCatch(Throw(Constant(new InvalidOperationException("m")), typeof(int)), handlers)).Compile()());
        Assert.Equal(1, Lambda<Func<int>>(TryCatch(Throw(Constant(new DivideByZeroException()), typeof(int)), handlers)).Compile()());

        LabelTarget done = Read(Labels)[0];
        Assert.Equal(5, Lambda<Func<int>>(Block(Return(done, Constant(5)), Label(done, Constant(0)))).Compile()());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Without_the_option_nothing_of_it_is_written_or_read(string name) =>
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowExpressions), Find(name), On);

    [Fact]
    public void Members_and_types_are_judged_as_in_a_tree()
    {
        var cautious = new Serializer(new SerializerOptions { AllowExpressions = true, TypeFilter = WireTypeFilter.Unrestricted });
        Expression delete = Call(typeof(File).GetMethod("Delete")!, Constant("x"));
        object[] hostile =
        [
            SwitchCase(delete, Constant(1)), SwitchCase(Constant(1), Block(delete, Constant(1))), Catch(typeof(Exception), delete),
            Catch(typeof(Exception), Constant(1), Block(delete, Constant(true))), Bind(Member("Field"), Block(delete, Constant(1))),
            ElementInit(MethodOf<List<int>>("Add"), Block(delete, Constant(1))),
        ];
        foreach (object part in hostile)
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => cautious.Deserialize<object>(On.Serialize(part)));
            Assert.Contains("System.IO.File", e.Message, StringComparison.Ordinal);
        }

        var narrow = new Serializer(new SerializerOptions { AllowExpressions = true });
        foreach (object part in new object[]
        {
            Label(typeof(Machine)), Bindings[0], Bindings[2], Bindings[3], Catch(typeof(MachineException), Constant(1)),
        })
        {
            Assert.Contains(
                "Wire.Tests.OptIn.",
                Assert.Throws<TypeRefusedException>(() => narrow.Deserialize<object>(On.Serialize(part))).TypeName,
                StringComparison.Ordinal);
        }

        Assert.Equal(typeof(int), narrow.Deserialize<LabelTarget>(On.Serialize(Labels[0]))!.Type);
        Assert.Throws<UnsupportedTypeException>(
            () => On.Serialize(SwitchCase(Call(typeof(Type).GetMethod("GetType", [typeof(string)])!, Constant("x")), Constant(1))));
    }

    [Fact]
    public void A_property_of_NET_is_not_bound_by_a_private_setter()
    {
        Type type = typeof(Barrier);
        PropertyInfo property = type.GetProperty(nameof(Barrier.CurrentPhaseNumber))!;
        Serializer reader = OptInTester.With(o => ExpressionTests.Allow(o) with { TypeFilter = WireTypeFilter.Unrestricted.Allow(type) });
        MemberBinding binding = Bind(property, Constant(1L));
        Assert.Contains(
            "is not public",
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<MemberBinding>(On.Serialize(binding))).Reason,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(nameof(ElementInit), nameof(LabelTarget))]
    [InlineData(nameof(LabelTarget), nameof(ElementInit))]
    [InlineData(nameof(SwitchCase), nameof(Expression))]
    [InlineData(nameof(CatchBlock), nameof(SwitchCase))]
    public void A_part_of_another_kind_than_the_payload_names_is_refused(string written, string named)
    {
        byte[] payload = On.Serialize(Find($"{written} 0"));
        byte[] forged = Encoding.Latin1.GetBytes(
            Encoding.Latin1.GetString(payload).Replace(Namespace + written, Namespace + named, StringComparison.Ordinal));
        Assert.NotEqual(payload, forged);
        WireFormatException e = Assert.Throws<WireFormatException>(() => On.Deserialize<object>(forged));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
        Assert.Contains($"its last part is not a {named}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_no_part_of_NET_is_refused() =>
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize<MemberBinding>(new OwnBinding(Member("Value"))));

    [Fact]
    public void Parts_are_shared_as_objects_and_within_a_tree_but_not_with_one()
    {
        LabelTarget label = Labels[0];
        ParameterExpression number = A;
        Expression first = Add(number, number), second = Negate(number);
        object[] read = On.Deserialize<object[]>(
            On.Serialize(new object[] { label, Label(label, Constant(1)), label, first, second, number }))!;
        Assert.Same(read[0], read[2]);
        GraphAssert.Same(label, ((LabelExpression)read[1]).Target);
        Assert.NotSame(read[0], ((LabelExpression)read[1]).Target);
        var sum = (BinaryExpression)read[3];
        Assert.Same(sum.Left, sum.Right);
        Assert.NotSame(sum.Left, ((UnaryExpression)read[4]).Operand);
        Assert.NotSame(sum.Left, read[5]);
    }

    private static CatchBlock CatchNamed(ParameterExpression caught, string message) =>
        Catch(caught, Constant(2), Equal(Property(caught, "Message"), Constant(message)));

    private static T[] Read<T>(T[] parts) => On.Deserialize<T[]>(On.Serialize(parts))!;

    private static object Find(string name) => Samples().Single(sample => sample.Name == name).Value;

    private static MemberInfo Member(string name) => typeof(Machine).GetMember(name).Single();

    private static MethodInfo MethodOf<T>(string name) => typeof(T).GetMethod(name)!;

    private sealed class MachineException : Exception;

    private sealed class Parts
    {
        public MemberAssignment? Assignment { get; set; }

        public MemberListBinding? List { get; set; }

        public MemberMemberBinding? Members { get; set; }

        public LabelTarget? Label { get; set; }

        public ElementInit? Element { get; set; }

        public SymbolDocumentInfo? Document { get; set; }

        public CatchBlock? Handler { get; set; }

        public SwitchCase? Case { get; set; }
    }

    private sealed class Parameters : ExpressionVisitor
    {
        public List<ParameterExpression> Found { get; } = [];

        protected override Expression VisitParameter(ParameterExpression node)
        {
            if (!Found.Contains(node))
            {
                Found.Add(node);
            }

            return node;
        }
    }

#pragma warning disable CS0618 // Nobody should derive from it, and somebody may.
    private sealed class OwnBinding(MemberInfo member) : MemberBinding(MemberBindingType.Assignment, member);
#pragma warning restore CS0618
}
