using System.Linq.Expressions;
using System.Reflection;
using static System.Linq.Expressions.Expression;

namespace Wire.Tests.OptIn;

/// <summary>A lambda and arguments to call it with.</summary>
public sealed record ExpressionSample(string Name, LambdaExpression Lambda, object?[] Arguments);

/// <summary>What the samples work on.</summary>
public sealed class Machine
{
    public int Field;

    public int Value { get; set; }

    public List<int> Items { get; } = [];

    public Machine? Inner { get; set; }

    public Gadget Spare { get; } = new();

    public string this[int index] => $"[{index + Value}]";

    public static Machine operator +(Machine left, int right) => new() { Value = left.Value + right };

    public static bool operator true(Machine value) => value.Value != 0;

    public static bool operator false(Machine value) => value.Value == 0;

    public static Machine operator &(Machine left, Machine right) => left.Value == 0 ? left : right;

    public static explicit operator int(Machine value) => value.Value;

    public static int Twice(int value) => value * 2;

    public static int Plus(int left, int right) => left + right;

    public static string Text(Expression<Func<int, int>> expression) => $"{expression.Compile()(2)}";

    public static bool Same(int left, int right) => left == right;

    public static void Grow(ref int value) => value++;

    public override string ToString() => $"{Value} {Field} {string.Join(',', Items)} {Inner?.Value}";
}

public sealed class Gadget
{
    public int Value { get; set; }

    public List<int> Items { get; } = [];
}

/// <summary>At least one lambda for every kind of node; those that differ only in their operator come from one list.</summary>
internal static class ExpressionSamples
{
    private static readonly ParameterExpression A = Parameter(typeof(int), "a");
    private static readonly ParameterExpression B = Parameter(typeof(int), "b");
    private static readonly ParameterExpression X = Parameter(typeof(int?), "x");
    private static readonly ParameterExpression Y = Parameter(typeof(int?), "y");
    private static readonly ParameterExpression D = Parameter(typeof(double), "d");
    private static readonly ParameterExpression P = Parameter(typeof(bool), "p");
    private static readonly ParameterExpression O = Parameter(typeof(object), "o");
    private static readonly ParameterExpression M = Parameter(typeof(Machine), "m");
    private static readonly ParameterExpression Array = Parameter(typeof(int[]), "array");

    public static ExpressionSample[] All { get; } = [.. Make()];

    private static IEnumerable<ExpressionSample> Make()
    {
        ExpressionType[] arithmetic =
        [
            ExpressionType.Add, ExpressionType.AddChecked, ExpressionType.Subtract, ExpressionType.SubtractChecked, ExpressionType.Multiply,
            ExpressionType.MultiplyChecked,
            ExpressionType.Divide, ExpressionType.Modulo, ExpressionType.And, ExpressionType.Or, ExpressionType.ExclusiveOr,
            ExpressionType.LeftShift, ExpressionType.RightShift,
            ExpressionType.Equal, ExpressionType.NotEqual, ExpressionType.LessThan, ExpressionType.LessThanOrEqual,
            ExpressionType.GreaterThan, ExpressionType.GreaterThanOrEqual,
        ];
        foreach (ExpressionType kind in arithmetic)
        {
            yield return Of(kind.ToString(), Lambda(MakeBinary(kind, A, B), A, B), 7, 2);
            yield return Of($"{kind} lifted", Lambda(MakeBinary(kind, X, Y), X, Y), 7, null);
            yield return Of($"{kind} lifted to null", Lambda(MakeBinary(kind, X, Y, liftToNull: true, null), X, Y), 7, null);
        }

        yield return Of(
            "Equal by method", Lambda(Equal(A, B, liftToNull: false, typeof(Machine).GetMethod(nameof(Machine.Same))), A, B), 1, 1);
        yield return Of("Equal by reference", Lambda(ReferenceEqual(O, Constant("s")), O), "s");
        yield return Of("Equal of strings", (string s) => s == "s", "s");
        yield return Of("NotEqual by reference of strings", Lambda(ReferenceNotEqual(Convert(O, typeof(string)), Constant("s")), O), "s");
        yield return Of("Add by operator", (Machine m) => m + 3, new Machine { Value = 1 });
        yield return Of("AndAlso", (bool p) => p && !p, true);
        yield return Of("AndAlso by operator", Lambda(AndAlso(M, M), M), new Machine { Value = 1 });
        yield return Of("OrElse", (bool p) => p || !p, true);
        yield return Of("Power", Lambda(Power(D, D), D), 3.0);
        yield return Of("Power by another method", Lambda(Power(D, D, typeof(Math).GetMethod(nameof(Math.Atan2))), D), 3.0);
        yield return Of(
            "Add by a method of Math", Lambda(Add(A, B, typeof(Math).GetMethod(nameof(Math.Max), [typeof(int), typeof(int)])), A, B), 7, 2);
        yield return Of("Operators of decimal", (decimal? m) => -m + (decimal)3.5 > 2 ? (double?)m : 1, 3m);
        yield return Of("Add of strings", (string s) => s + "t" + 1, "s");
        yield return Of("Coalesce", (int? x) => x ?? 4, null!);
        yield return Of("Coalesce with a conversion", Lambda(Coalesce(X, Constant("none"), Lambda(Call(A, "ToString", null), A)), X), 5);
        yield return Of("ArrayIndex", (int[] array) => array[1], new[] { 1, 2 });
        yield return Of("ArrayLength", (int[] array) => array.Length, new[] { 1, 2 });

        ExpressionType[] assignments =
        [
            ExpressionType.AddAssign, ExpressionType.AddAssignChecked, ExpressionType.SubtractAssign, ExpressionType.SubtractAssignChecked,
            ExpressionType.MultiplyAssign,
            ExpressionType.MultiplyAssignChecked, ExpressionType.DivideAssign, ExpressionType.ModuloAssign, ExpressionType.AndAssign,
            ExpressionType.OrAssign,
            ExpressionType.ExclusiveOrAssign, ExpressionType.LeftShiftAssign, ExpressionType.RightShiftAssign, ExpressionType.Assign,
        ];
        foreach (ExpressionType kind in assignments)
        {
            yield return Of(kind.ToString(), Lambda(Block(MakeBinary(kind, A, B), A), A, B), 7, 2);
        }

        yield return Of("PowerAssign", Lambda(Block(PowerAssign(D, D), D), D), 3.0);
        yield return Of(
            "AddAssign with a conversion",
            Lambda(Block(AddAssign(A, B, typeof(Machine).GetMethod(nameof(Machine.Plus)), Lambda(Negate(B), B)), A), A, B),
            7,
            2);

        ExpressionType[] unary =
        [
            ExpressionType.Negate, ExpressionType.NegateChecked, ExpressionType.UnaryPlus, ExpressionType.OnesComplement,
            ExpressionType.Increment, ExpressionType.Decrement,
            ExpressionType.PreIncrementAssign, ExpressionType.PreDecrementAssign, ExpressionType.PostIncrementAssign,
            ExpressionType.PostDecrementAssign,
        ];
        foreach (ExpressionType kind in unary)
        {
            yield return Of(kind.ToString(), Lambda(MakeUnary(kind, A, typeof(int)), A), 7);
            yield return Of($"{kind} lifted", Lambda(MakeUnary(kind, X, typeof(int?)), X), 7);
        }

        yield return Of("Not", (bool p) => !p, true);
        yield return Of("IsTrue", Lambda(IsTrue(P), P), true);
        yield return Of("IsFalse", Lambda(IsFalse(M), M), new Machine());
        yield return Of("Convert", (int a) => (long)a, 7);
        yield return Of("Convert by operator", (Machine m) => (int)m, new Machine { Value = 3 });
        yield return Of("Convert lifted", Lambda(Convert(X, typeof(long?)), X), 7);
        yield return Of("ConvertChecked", (long a) => checked((int)a), 7L);
        yield return Of("TypeAs", (object o) => o as string, "s");
        yield return Of("Unbox", Lambda(Unbox(O, typeof(int)), O), 7);
        yield return Of("Negate by method", Lambda(Negate(A, typeof(Machine).GetMethod(nameof(Machine.Twice))), A), 7);
        yield return Of("Quote", Lambda(Call(typeof(Machine).GetMethod(nameof(Machine.Text))!, Quote(Lambda(Add(A, B), B))), A), 7);
        yield return Of("Throw", Lambda(
            TryCatch(Throw(New(typeof(InvalidOperationException)), typeof(int)), Catch(typeof(InvalidOperationException), Constant(2)))));
        yield return Of("Throw again", Lambda(TryCatch(
            TryCatch(Throw(New(typeof(InvalidOperationException)), typeof(int)), Catch(typeof(Exception), Rethrow(typeof(int)))),
            Catch(typeof(Exception), Constant(2)))));

        yield return Of("Conditional", (bool p) => p ? 1 : 2, true);
        yield return Of("Conditional without a value", Lambda(Block(IfThen(P, Assign(A, Constant(5))), A), P, A), true, 1);
        yield return Of("Constant", () => 5);
        yield return Of("Constant of any type", Lambda(Constant(new List<int> { 1, 2 }, typeof(IEnumerable<int>))));
        int captured = 6;
        yield return Of("Constant closure", () => captured);
        yield return Of("Constant null", Lambda(Constant(null, typeof(string))));
        yield return Of("Lambda with a name", Lambda<Func<int, int>>(A, "name", tailCall: true, [A]), 3);
        yield return Of("Lambda of a type of its own", Lambda<Converter<int, int>>(A, A), 3);
        yield return Of("Lambda that drops its value", Lambda<Action<int>>(A, A), 3);
        yield return Of("Lambda in a lambda", Lambda(Invoke(Lambda(Add(A, B), B), Constant(1)), A), 3);
        yield return Of(
            "Lambda of many parameters",
            Lambda(A, [A, .. Enumerable.Range(0, 17).Select(i => Parameter(typeof(int), "p" + i))]),
            [.. Enumerable.Range(1, 18).Cast<object?>()]);
        ParameterExpression byRef = Parameter(typeof(int).MakeByRefType(), "r");
        yield return Of(
            "Parameter by reference", Lambda(Block(Call(typeof(Machine).GetMethod(nameof(Machine.Grow))!, byRef), byRef), byRef), 3);
        yield return Of("Parameter without a name", Lambda(Parameter(typeof(int)) is var none ? none : A, none), 3);
        yield return Of("Invoke", (Func<int, int> f) => f(2), (Func<int, int>)Machine.Twice);
        yield return Of("Call", (string s) => s.Substring(1).Trim(), "abc");
        yield return Of("Call of a static method", (int a) => Machine.Twice(a), 3);
        yield return Of("Call of a generic method", (int[] array) => array.Select(i => i + 1).Sum(), new[] { 1, 2 });
        yield return Of("Call of an array", (int[,] array) => array[0, 0], new int[1, 1]);
        yield return Of(
            "MemberAccess", (Machine m) => m.Value + m.Field + m.Inner!.Items.Count, new Machine { Value = 1, Inner = new Machine() });
        yield return Of("MemberAccess of a static member", () => string.Empty);
        yield return Of("Index", Lambda(MakeIndex(M, typeof(Machine).GetProperty("Item"), [A]), M, A), new Machine(), 3);
        yield return Of("Index of an array", Lambda(ArrayAccess(Array, A), Array, A), new[] { 1, 2 }, 1);
        yield return Of("New", () => new Machine());
        yield return Of("New value", Lambda(New(typeof(Guid))));
        yield return Of("New with members", (int a) => new { First = a, Second = "s" }, 3);
        yield return Of("NewArrayInit", (int a) => new[] { a, a + 1 }, 3);
        yield return Of("NewArrayBounds", (int a) => new string[a, 2], 3);
        yield return Of(
            "MemberInit", (int a) => new Machine { Value = a, Field = 2, Spare = { Value = 1, Items = { 4 } }, Items = { 1, a } }.Value, 3);
        yield return Of(
            "MemberInit of all kinds", (int a) => new Machine { Value = a, Inner = new Machine { Items = { 1, a } }, Items = { 5 } }, 3);
        yield return Of("ListInit", (int a) => new Dictionary<string, int> { { "a", a }, { "b", 2 } }, 3);

        yield return Of("Block", Lambda(Block([B], Assign(B, Add(A, Constant(1))), Multiply(B, B)), A), 3);
        yield return Of("Block of another type", Lambda(Block(typeof(object), [B], Constant("s"))));
        yield return Of("Block of nothing", Lambda(Block(typeof(void), A, Empty()), A), 3);
        yield return Of("Default", Lambda(Default(typeof(DateTime))));
        LabelTarget end = Label(typeof(int), "end"), again = Label("again");
        yield return Of("Goto", Lambda(Block(Goto(end, A), Label(end, Constant(0))), A), 3);
        yield return Of("Goto return", Lambda(Block(Return(end, A, typeof(int)), Label(end, Constant(0))), A), 3);
        yield return Of("Label", Lambda(Label(end, A), A), 3);
        yield return Of(
            "Loop",
            Lambda(Loop(IfThenElse(LessThan(PostIncrementAssign(A), Constant(10)), Continue(again), Break(end, A)), end, again), A),
            3);
        yield return Of("Switch", Lambda(Expression.Switch(
            A, Constant("other"), SwitchCase(Constant("one"), Constant(1)), SwitchCase(Constant("few"), Constant(2), Constant(3))), A), 3);
        yield return Of("Switch by method", Lambda(Expression.Switch(
            typeof(string),
            A,
            Constant("other"),
            typeof(Machine).GetMethod(nameof(Machine.Same)),
            SwitchCase(Constant("one"), Constant(1))), A), 1);
        yield return Of(
            "Switch of strings",
            Lambda(Expression.Switch(Call(A, "ToString", null), Constant(0), SwitchCase(Constant(1), Constant("1"))), A),
            1);
        yield return Of(
            "Try", Lambda(TryCatchFinally(Divide(A, B), Assign(A, B), Catch(typeof(DivideByZeroException), Constant(-1))), A, B), 1, 0);
        ParameterExpression error = Parameter(typeof(Exception), "error");
        yield return Of("Try with a filter", Lambda(
            TryCatch(Divide(A, B), Catch(error, Constant(-2), TypeEqual(error, typeof(OverflowException))), Catch(error, Constant(-3))),
            A,
            B), 1, 0);
        yield return Of("Try with a fault", Lambda(Block(TryFault(A, Assign(A, B)), A), A, B), 1, 2);
        yield return Of("TypeIs", (object o) => o is string, "s");
        yield return Of("TypeEqual", Lambda(TypeEqual(O, typeof(string)), O), "s");
        yield return Of("RuntimeVariables", Lambda(Property(RuntimeVariables(A, B), "Count"), A, B), 1, 2);
        SymbolDocumentInfo document = SymbolDocument("a.cs", Guid.NewGuid(), Guid.NewGuid(), Guid.NewGuid());
        yield return Of("DebugInfo", Lambda(Block(DebugInfo(document, 1, 2, 3, 4), A, ClearDebugInfo(document), A), A), 3);
        yield return Of("a part used twice", Lambda(Add(A, B) is var sum ? Multiply(sum, sum) : null!, A, B), 3, 4);
    }

    private static ExpressionSample Of(string name, LambdaExpression lambda, params object?[] arguments) => new(name, lambda, arguments);

    private static ExpressionSample Of<TResult>(string name, Expression<Func<TResult>> lambda) => new(name, lambda, []);

    private static ExpressionSample Of<TArgument, TResult>(string name, Expression<Func<TArgument, TResult>> lambda, TArgument argument) =>
        new(name, lambda, [argument]);
}
