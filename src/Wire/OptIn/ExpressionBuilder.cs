using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.OptIn;

/// <summary>Makes an expression, or a part of one, from its record in one pass: each part consists of earlier ones only.</summary>
/// <param name="types">The types; number 0 is void.</param>
/// <param name="members">The members, which have been checked; number 0 is none.</param>
/// <param name="nodes">The nodes.</param>
/// <param name="maxDepth">The maximal depth of nested parts.</param>
/// <param name="delegateType">Returns the delegate type of a lambda, by its parameter types and return type.</param>
/// <param name="judge">Checks the members that the factories find themselves.</param>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class ExpressionBuilder(
    Type[] types, MemberInfo[] members, ExpressionNode[] nodes, int maxDepth, Func<Type[], Type> delegateType, Action<MemberInfo> judge)
{
    private readonly object[] _made = new object[nodes.Length];
    private readonly int[] _depths = new int[nodes.Length];
    private int _next;

    /// <summary>The parameter types and return type of a lambda, which determine its delegate type when it is not given.</summary>
    public static Type[] Signature(Expression body, IEnumerable<ParameterExpression> parameters) =>
        [.. parameters.Select(p => p.IsByRef ? p.Type.MakeByRefType() : p.Type), body.Type];

    /// <summary>Returns whether it is a power by <see cref="Math.Pow"/>, the default.</summary>
    public static bool IsPower(BinaryExpression e) =>
        e is { NodeType: ExpressionType.Power or ExpressionType.PowerAssign, Method.Name: nameof(Math.Pow) }
            && e.Method.DeclaringType == typeof(Math);

    public T Build<T>()
        where T : class
    {
        for (; _next < nodes.Length; _next++)
        {
            ExpressionNode node = nodes[_next];
            int depth = 1 +
                (node.Parts ?? []).Where(part => (uint)(part - 1) < (uint)_next).Select(part => _depths[part - 1]).DefaultIfEmpty().Max();
            if (depth > maxDepth)
            {
                ThrowHelper.Limit(nameof(Limits.MaxDepth), maxDepth, "The depth of an expression");
            }

            _depths[_next] = depth;
            _made[_next] = Make(node);
        }

        return _made is [.., T last] ? last : Invalid<T>($"its last part is not a {typeof(T).Name}");
    }

    private object Make(ExpressionNode node) => node.Form switch
    {
        NodeForm.Unary => Unary(node),
        NodeForm.Binary => Binary(node, Need<Expression>(node, 0), Need<Expression>(node, 1)),
        NodeForm.Conditional =>
            Expression.Condition(Need<Expression>(node, 0), Need<Expression>(node, 1), Need<Expression>(node, 2), TypeOf(node)),
        NodeForm.Constant => Expression.Constant(node.Value, TypeOf(node)),
        NodeForm.Parameter => Expression.Parameter(node.Number == 1 ? TypeOf(node).MakeByRefType() : TypeOf(node), node.Name),
        NodeForm.Lambda => Lambda(node, Need<Expression>(node, 0), All<ParameterExpression>(node, 1)),
        NodeForm.Invocation => Invoke(Need<Expression>(node, 0), All<Expression>(node, 1)),
        NodeForm.Call => Call(At<Expression>(node, 0), NeedMember<MethodInfo>(node), All<Expression>(node, 1)),
        NodeForm.Member => Expression.MakeMemberAccess(At<Expression>(node, 0), NeedMember<MemberInfo>(node)),
        NodeForm.Index => Expression.MakeIndex(Need<Expression>(node, 0), Member<PropertyInfo>(node), All<Expression>(node, 1)),
        NodeForm.New => New(node, All<Expression>(node, 0)),
        NodeForm.NewArray => (ExpressionType)node.Operator switch
        {
            ExpressionType.NewArrayBounds => Expression.NewArrayBounds(TypeOf(node), All<Expression>(node, 0)),
            ExpressionType.NewArrayInit => Expression.NewArrayInit(TypeOf(node), All<Expression>(node, 0)),
            _ => Invalid<Expression>("{(ExpressionType)node.Operator} does not make an array"),
        },
        NodeForm.MemberInit => Expression.MemberInit(Need<NewExpression>(node, 0), All<MemberBinding>(node, 1)),
        NodeForm.ListInit => Expression.ListInit(Need<NewExpression>(node, 0), All<ElementInit>(node, 1)),
        NodeForm.Block =>
            Expression.Block(TypeOf(node), All<ParameterExpression>(node, 0, node.Number), All<Expression>(node, node.Number)),
        NodeForm.Goto =>
            Expression.MakeGoto((GotoExpressionKind)node.Number, Need<LabelTarget>(node, 0), At<Expression>(node, 1), TypeOf(node)),
        NodeForm.Label => Expression.Label(Need<LabelTarget>(node, 0), At<Expression>(node, 1)),
        NodeForm.Loop => Expression.Loop(Need<Expression>(node, 0), At<LabelTarget>(node, 1), At<LabelTarget>(node, 2)),
        NodeForm.Switch => Switch(node),
        NodeForm.Try => Expression.MakeTry(
            TypeOf(node), Need<Expression>(node, 0), At<Expression>(node, 1), At<Expression>(node, 2), All<CatchBlock>(node, 3)),
        NodeForm.Default => Expression.Default(TypeOf(node)),
        NodeForm.TypeBinary => (ExpressionType)node.Operator switch
        {
            ExpressionType.TypeEqual => Expression.TypeEqual(Need<Expression>(node, 0), TypeOf(node)),
            ExpressionType.TypeIs => Expression.TypeIs(Need<Expression>(node, 0), TypeOf(node)),
            _ => Invalid<Expression>("{(ExpressionType)node.Operator} does not test a type"),
        },
        NodeForm.RuntimeVariables => Expression.RuntimeVariables(All<ParameterExpression>(node, 0)),
        NodeForm.DebugInfo => DebugInfo(Need<SymbolDocumentInfo>(node, 0), node),
        NodeForm.LabelTarget => Expression.Label(TypeOf(node), node.Name),
        NodeForm.SwitchCase => Expression.SwitchCase(Need<Expression>(node, 0), All<Expression>(node, 1)),
        NodeForm.CatchBlock =>
            Expression.MakeCatchBlock(TypeOf(node), At<ParameterExpression>(node, 0), Need<Expression>(node, 1), At<Expression>(node, 2)),
        NodeForm.ElementInit => ElementInit(NeedMember<MethodInfo>(node), All<Expression>(node, 0)),
        NodeForm.MemberAssignment => Bind(NeedMember<MemberInfo>(node), Need<Expression>(node, 0)),
        NodeForm.MemberMemberBinding => Expression.MemberBind(NeedMember<MemberInfo>(node), All<MemberBinding>(node, 0)),
        NodeForm.MemberListBinding => Expression.ListBind(NeedMember<MemberInfo>(node), All<ElementInit>(node, 0)),
        NodeForm.SymbolDocument when node is { Name: { } name, Value: null } => Expression.SymbolDocument(name),
        NodeForm.SymbolDocument when node is { Name: { } name, Value: Guid[] { Length: 3 } ids } =>
            Expression.SymbolDocument(name, ids[0], ids[1], ids[2]),
        _ => Invalid<object>($"{node.Form} does not fit its parts"),
    };

    private UnaryExpression Unary(ExpressionNode node)
    {
        var made = Expression.MakeUnary((ExpressionType)node.Operator, At<Expression>(node, 0)!, TypeOf(node), Member<MethodInfo>(node));
        NeedNamed(node, made.Method);
        if (made.NodeType is ExpressionType.PreIncrementAssign
            or ExpressionType.PreDecrementAssign
            or ExpressionType.PostIncrementAssign
            or ExpressionType.PostDecrementAssign)
        {
            JudgeWritten(made.Operand);
        }

        return made;
    }

    private SwitchExpression Switch(ExpressionNode node)
    {
        var made = Expression.Switch(
            TypeOf(node), Need<Expression>(node, 0), At<Expression>(node, 1), Member<MethodInfo>(node), All<SwitchCase>(node, 2));
        NeedNamed(node, made.Comparison);
        return made;
    }

    // Where the writer's comparison called no method, this one must not find one.
    private BinaryExpression Binary(ExpressionNode node, Expression left, Expression right)
    {
        var method = Member<MethodInfo>(node);
        bool isReference = method is null && !left.Type.IsValueType && !right.Type.IsValueType;
        BinaryExpression made = (ExpressionType)node.Operator switch
        {
            ExpressionType.Equal when isReference => Expression.ReferenceEqual(left, right),
            ExpressionType.NotEqual when isReference => Expression.ReferenceNotEqual(left, right),
            ExpressionType kind => Expression.MakeBinary(kind, left, right, node.Number == 1, method, At<LambdaExpression>(node, 2)),
        };
        if (!IsPower(made))
        {
            NeedNamed(node, made.Method);
        }

        // Only assignments and compound assignments use a property's setter, and these are at the end of the list.
        if (made.NodeType is ExpressionType.Assign or (>= ExpressionType.AddAssign and <= ExpressionType.SubtractAssignChecked))
        {
            JudgeWritten(made.Left);
        }

        if (made is { NodeType: ExpressionType.AndAlso or ExpressionType.OrElse, Method.DeclaringType: { } declaring })
        {
            JudgeTruth(declaring);
        }

        return made;
    }

    // The factories search for an operator when no method is given. A writer names every method that is called, so it has been checked; one
    // found only here has not.
    private static void NeedNamed(ExpressionNode node, MethodInfo? called)
    {
        if (node.Member == 0 && called is not null)
        {
            Invalid<MethodInfo>($"its operator calls {called.Name} of {called.DeclaringType}, which it does not name");
        }
    }

    private MethodCallExpression Call(Expression? on, MethodInfo method, Expression[] arguments)
    {
        JudgeByReference(method, arguments);
        return Expression.Call(on, method, arguments);
    }

    private InvocationExpression Invoke(Expression called, Expression[] arguments)
    {
        var made = Expression.Invoke(called, arguments);
        Type type = typeof(LambdaExpression).IsAssignableFrom(called.Type) ? called.Type.GetGenericArguments()[0] : called.Type;
        JudgeByReference(type.GetMethod("Invoke")!, arguments);
        return made;
    }

    private ElementInit ElementInit(MethodInfo method, Expression[] arguments)
    {
        JudgeByReference(method, arguments);
        return Expression.ElementInit(method, arguments);
    }

    private MemberAssignment Bind(MemberInfo member, Expression value)
    {
        JudgeSetter(member as PropertyInfo);
        return Expression.Bind(member, value);
    }

    // A property passed by reference is assigned when the call returns.
    private void JudgeByReference(MethodBase method, Expression[] arguments)
    {
        ParameterInfo[] parameters = method.GetParameters();
        for (int i = 0; i < Math.Min(parameters.Length, arguments.Length); i++)
        {
            if (parameters[i].ParameterType.IsByRef)
            {
                JudgeWritten(arguments[i]);
            }
        }
    }

    private void JudgeWritten(Expression target) => JudgeSetter(target switch
    {
        MemberExpression { Member: PropertyInfo property } => property,
        IndexExpression { Indexer: { } indexer } => indexer,
        _ => null,
    });

    // A property may be named for reading only: its setter is then a separate member that has not been checked.
    private void JudgeSetter(PropertyInfo? property)
    {
        if (property?.GetSetMethod(nonPublic: true) is { } setter)
        {
            judge(setter);
        }
    }

    // The true and false operators of a short circuit are found by name, in the class of its operator or a base class.
    private void JudgeTruth(Type declaring)
    {
        for (Type? type = declaring; type is not null; type = type.BaseType)
        {
            foreach (MemberInfo operation
                in type.GetMembers(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                if (operation.Name is "op_True" or "op_False")
                {
                    judge(operation);
                }
            }
        }
    }

    private LambdaExpression Lambda(ExpressionNode node, Expression body, ParameterExpression[] parameters)
    {
        Type type = node.Type == 0 ? delegateType(Signature(body, parameters)) : TypeOf(node);
        return Expression.Lambda(type, body, node.Name, node.Number == 1, parameters);
    }

    private NewExpression New(ExpressionNode node, Expression[] arguments)
    {
        if (Member<ConstructorInfo>(node) is { } constructor)
        {
            JudgeByReference(constructor, arguments);
            return node.Value is int[] set
                ? Expression.New(constructor, arguments, Array.ConvertAll(set, number => members[Index(number, members.Length)]))
                : Expression.New(constructor, arguments);
        }

        return TypeOf(node).IsValueType && arguments.Length == 0
            ? Expression.New(TypeOf(node))
            : Invalid<NewExpression>("a new object has no constructor");
    }

    private static DebugInfoExpression DebugInfo(SymbolDocumentInfo document, ExpressionNode node) =>
        node.Number == 1 ? Expression.ClearDebugInfo(document)
        : node.Value is int[] { Length: 4 } at ? Expression.DebugInfo(document, at[0], at[1], at[2], at[3])
        : Invalid<DebugInfoExpression>("debug information has no lines");

    private Type TypeOf(ExpressionNode node) => node.Type == 0 ? typeof(void) : types[Index(node.Type, types.Length)];

    private T? Member<T>(ExpressionNode node)
        where T : MemberInfo =>
            node.Member == 0 ? null : members[Index(node.Member, members.Length)] as T ?? Invalid<T>("a member is of the wrong kind");

    private T NeedMember<T>(ExpressionNode node)
        where T : MemberInfo => Member<T>(node) ?? Invalid<T>("a member is missing");

    private T? At<T>(ExpressionNode node, int part)
        where T : class => node.Parts is { } parts && part < parts.Length && parts[part] != 0 ? Made<T>(parts[part]) : null;

    private T Need<T>(ExpressionNode node, int part)
        where T : class => At<T>(node, part) ?? Invalid<T>($"{node.Form} lacks a part");

    private T[] All<T>(ExpressionNode node, int from, int count = int.MaxValue)
        where T : class => (uint)from <= (uint)(node.Parts ?? []).Length
            ? [.. (node.Parts ?? []).Skip(from).Take(count).Select(Made<T>)]
            : Invalid<T[]>($"{node.Form} lacks parts");

    private T Made<T>(int number)
        where T : class => _made[Index(number, _next)] as T ?? Invalid<T>($"a part is not a {typeof(T).Name}");

    private static int Index(int number, int count) =>
        (uint)(number - 1) < (uint)count ? number - 1 : Invalid<int>($"there is no part, type or member {number} here");

    private static T Invalid<T>(string reason) => ThrowHelper.Format<T>(WireFormatError.InvalidValue, $"Not a valid expression: {reason}.");
}
