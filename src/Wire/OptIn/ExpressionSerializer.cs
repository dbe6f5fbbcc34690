using System.Linq.Expressions;
using System.Reflection;

namespace Wire;

/// <summary>An expression tree, as a list of its parts.</summary>
internal sealed class ExpressionSerializer(TypeRegistry registry) : StandInSerializer<Expression, ExpressionRecord>(registry)
{
    // In the list that a factory is given, and in the one that it makes of it.
    private const int PartSize = 16;

    private readonly TypeRegistry _registry = registry;
    private readonly MemberReferences _references = new(registry);
    private readonly Constructed _delegateTypes = new(registry.Options.Limits.MaxConstructedTypes, "signatures of lambdas");

    private protected override ExpressionRecord ToRecord(Expression value, GraphPath path) =>
        new ExpressionRecorder(_references, _registry.Options.Limits.MaxDepth, path, (signature, type) => _delegateTypes.Own(typeof(Delegate), signature, type)).Record(value);

    private protected override long MemoryOf(ExpressionRecord record) => (record.Nodes ?? []).Sum(node => (long)(node.Parts?.Length ?? 0) * PartSize);

    private protected override Expression FromRecord(ExpressionRecord record, bool trusted)
    {
        MemberInfo[] members = Array.ConvertAll(record.Members ?? [], member => _references.Resolve<MemberInfo>(member, trusted));
        return record.Types is { } types && !types.Contains(null) && record.Nodes is { } nodes
            ? new ExpressionBuilder(types, members, nodes, _registry.Options.Limits.MaxDepth, signature => DelegateType(signature, trusted), member => _references.Judge(member, trusted)).Build()
            : Throw.Format<Expression>(WireFormatError.InvalidValue, "Not a valid expression: it has no types or no parts.");
    }

    // The runtime keeps the types that are made for lambdas for ever. Those that a record names itself have been counted when they
    // were found, and of those without parameters and a result there is one.
    private Type DelegateType(Type[] signature, bool trusted) => trusted || (signature is [var only] && only == typeof(void))
        ? Expression.GetDelegateType(signature)
        : _delegateTypes.Get(typeof(Delegate), signature, () => Expression.GetDelegateType(signature));
}
