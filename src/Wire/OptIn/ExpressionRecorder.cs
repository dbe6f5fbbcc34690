using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Runtime;
using Wire.Sessions;

namespace Wire.OptIn;

/// <summary>Makes the record of one expression, or of a part of one.</summary>
/// <param name="references">The maker of records of members.</param>
/// <param name="maxDepth">The maximal depth of nested parts.</param>
/// <param name="path">The path to the expression.</param>
/// <param name="own">A callback for the delegate types that a reader makes for lambdas, by signature: they count as the program's.</param>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class ExpressionRecorder(MemberReferences references, int maxDepth, GraphPath path, Action<Type[], Type> own)
{
    private readonly List<Type> _types = [];
    private readonly List<MemberInfo> _members = [];
    private readonly List<ExpressionNode> _nodes = [];
    private readonly Dictionary<object, int> _numbers = new(ReferenceEqualityComparer.Instance);
    private int _depth;

    public ExpressionRecord Record(object whole)
    {
        Part(whole);

        // An empty array would be one object shared by all records, and written as a reference between them.
        return new([.. _types], _members.Count == 0 ? null : [.. _members.Select(references.Describe)], [.. _nodes]);
    }

    private int Part(object? part)
    {
        if (part is null)
        {
            return 0;
        }

        if (_numbers.TryGetValue(part, out int number))
        {
            return number;
        }

        if (++_depth > maxDepth)
        {
            throw new ObjectGraphException(
                $"An expression is deeper than Limits.MaxDepth = {maxDepth}. Raise the limit if it is meant to be that deep.", "");
        }

        if (RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            number = Add(part);
        }
        else
        {
            path.RunOnFreshStack(() => number = Add(part));
        }

        _depth--;
        _numbers.Add(part, number);
        return number;
    }

    private int Add(object part)
    {
        if (Node(part) is { } node)
        {
            _nodes.Add(node);
            return _nodes.Count;
        }

        return part is Expression { CanReduce: true } and not DynamicExpression
            ? Part(((Expression)part).ReduceAndCheck())
            : throw new UnsupportedTypeException(part.GetType(), part is DynamicExpression
                ? "a dynamic expression has a binder, which is code of its own."
                : "it is an expression of its own kind that cannot be reduced to others.");
    }

    private ExpressionNode? Node(object part) => part switch
    {
        UnaryExpression e => new(NodeForm.Unary, (byte)e.NodeType, Type: TypeOf(e), Member: Member(e.Method), Parts: [Part(e.Operand)]),
        BinaryExpression e => new(
            NodeForm.Binary,
            (byte)e.NodeType,
            e.IsLiftedToNull ? 1 : 0,
            Member: Operator(e),
            Parts: [Part(e.Left), Part(e.Right), Part(e.Conversion)]),
        ConditionalExpression e => new(NodeForm.Conditional, Type: Type(e.Type), Parts: [Part(e.Test), Part(e.IfTrue), Part(e.IfFalse)]),
        ConstantExpression e => new(NodeForm.Constant, Type: Type(e.Type), Value: e.Value),
        ParameterExpression e => new(NodeForm.Parameter, Number: e.IsByRef ? 1 : 0, Type: Type(e.Type), Name: e.Name),
        LambdaExpression e => new(
            NodeForm.Lambda,
            Number: e.TailCall ? 1 : 0,
            Type: DelegateType(e),
            Parts: [Part(e.Body), .. Parts(e.Parameters)],
            Name: e.Name),
        InvocationExpression e => new(NodeForm.Invocation, Parts: [Part(e.Expression), .. Parts(e.Arguments)]),
        MethodCallExpression e => new(NodeForm.Call, Member: Member(e.Method), Parts: [Part(e.Object), .. Parts(e.Arguments)]),
        MemberExpression e => new(NodeForm.Member, Member: Member(e.Member), Parts: [Part(e.Expression)]),
        IndexExpression e => new(NodeForm.Index, Member: Member(e.Indexer), Parts: [Part(e.Object), .. Parts(e.Arguments)]),
        NewExpression e => new(
            NodeForm.New,
            Type: Type(e.Type),
            Member: Member(e.Constructor),
            Parts: Parts(e.Arguments),
            Value: e.Members?.Select(Member).ToArray()),
        NewArrayExpression e => new(NodeForm.NewArray, (byte)e.NodeType, Type: Type(e.Type.GetElementType()!), Parts: Parts(e.Expressions)),
        MemberInitExpression e => new(NodeForm.MemberInit, Parts: [Part(e.NewExpression), .. Parts(e.Bindings)]),
        ListInitExpression e => new(NodeForm.ListInit, Parts: [Part(e.NewExpression), .. Parts(e.Initializers)]),
        BlockExpression e =>
            new(NodeForm.Block, Number: e.Variables.Count, Type: Type(e.Type), Parts: [.. Parts(e.Variables), .. Parts(e.Expressions)]),
        GotoExpression e => new(NodeForm.Goto, Number: (int)e.Kind, Type: Type(e.Type), Parts: [Part(e.Target), Part(e.Value)]),
        LabelExpression e => new(NodeForm.Label, Parts: [Part(e.Target), Part(e.DefaultValue)]),
        LoopExpression e => new(NodeForm.Loop, Parts: [Part(e.Body), Part(e.BreakLabel), Part(e.ContinueLabel)]),
        SwitchExpression e => new(
            NodeForm.Switch,
            Type: Type(e.Type),
            Member: Member(e.Comparison),
            Parts: [Part(e.SwitchValue), Part(e.DefaultBody), .. Parts(e.Cases)]),
        TryExpression e =>
            new(NodeForm.Try, Type: Type(e.Type), Parts: [Part(e.Body), Part(e.Finally), Part(e.Fault), .. Parts(e.Handlers)]),
        DefaultExpression e => new(NodeForm.Default, Type: Type(e.Type)),
        TypeBinaryExpression e => new(NodeForm.TypeBinary, (byte)e.NodeType, Type: Type(e.TypeOperand), Parts: [Part(e.Expression)]),
        RuntimeVariablesExpression e => new(NodeForm.RuntimeVariables, Parts: Parts(e.Variables)),
        DebugInfoExpression e => new(
            NodeForm.DebugInfo,
            Number: e.IsClear ? 1 : 0,
            Parts: [Part(e.Document)],
            Value: new[] { e.StartLine, e.StartColumn, e.EndLine, e.EndColumn }),
        LabelTarget e => new(NodeForm.LabelTarget, Type: Type(e.Type), Name: e.Name),
        SwitchCase e => new(NodeForm.SwitchCase, Parts: [Part(e.Body), .. Parts(e.TestValues)]),
        CatchBlock e => new(NodeForm.CatchBlock, Type: Type(e.Test), Parts: [Part(e.Variable), Part(e.Body), Part(e.Filter)]),
        ElementInit e => new(NodeForm.ElementInit, Member: Member(e.AddMethod), Parts: Parts(e.Arguments)),
        MemberAssignment e => new(NodeForm.MemberAssignment, Member: Member(e.Member), Parts: [Part(e.Expression)]),
        MemberMemberBinding e => new(NodeForm.MemberMemberBinding, Member: Member(e.Member), Parts: Parts(e.Bindings)),
        MemberListBinding e => new(NodeForm.MemberListBinding, Member: Member(e.Member), Parts: Parts(e.Initializers)),
        SymbolDocumentInfo e => new(NodeForm.SymbolDocument, Name: e.FileName, Value: Ids(e)),
        _ => null,
    };

    private int[] Parts(IEnumerable<object> parts) => [.. parts.Select(Part)];

    private int Type(Type type) => type == typeof(void) ? 0 : Number(_types, type);

    // For all others the type follows from the operand.
    private int TypeOf(UnaryExpression e) =>
        e.NodeType is ExpressionType.Convert
            or ExpressionType.ConvertChecked
            or ExpressionType.TypeAs
            or ExpressionType.Unbox
            or ExpressionType.Throw ? Type(e.Type) : 0;

    // One made from a name alone is of exactly this class.
    private static Guid[]? Ids(SymbolDocumentInfo document) => document.GetType() == typeof(SymbolDocumentInfo)
        ? null
        : [document.Language, document.LanguageVendor, document.DocumentType];

    private int Member(MemberInfo? member) => member is null ? 0 : Number(_members, member);

    private int Operator(BinaryExpression e) => ExpressionBuilder.IsPower(e) ? 0 : Member(e.Method);

    // For most lambdas the delegate type follows from the parameters.
    private int DelegateType(LambdaExpression lambda)
    {
        Type[] signature = ExpressionBuilder.Signature(lambda.Body, lambda.Parameters);
        if (Expression.GetDelegateType(signature) != lambda.Type)
        {
            return Type(lambda.Type);
        }

        own(signature, lambda.Type);
        return 0;
    }

    private static int Number<T>(List<T> table, T item)
    {
        int at = table.IndexOf(item);
        if (at < 0)
        {
            at = table.Count;
            table.Add(item);
        }

        return at + 1;
    }
}
