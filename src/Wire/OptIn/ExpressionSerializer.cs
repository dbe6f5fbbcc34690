using System.Collections.Concurrent;
using System.Linq.Expressions;
using System.Reflection;

namespace Wire;

/// <summary>An expression tree, as a list of its parts.</summary>
internal sealed class ExpressionSerializer(TypeRegistry registry) : StandInSerializer<Expression, ExpressionRecord>(registry)
{
    private const int MaxDelegateTypes = 4096;

    private readonly TypeRegistry _registry = registry;
    private readonly MemberReferences _references = new(registry);
    private readonly ConcurrentDictionary<Type, bool> _delegateTypes = new();

    private protected override ExpressionRecord ToRecord(Expression value, GraphPath path) =>
        new ExpressionRecorder(_references, _registry.Options.Limits.MaxDepth, path).Record(value);

    private protected override Expression FromRecord(ExpressionRecord record, bool trusted)
    {
        MemberInfo[] members = Array.ConvertAll(record.Members ?? [], member => _references.Resolve<MemberInfo>(member, trusted));
        return record.Types is { } types && !types.Contains(null) && record.Nodes is { } nodes
            ? new ExpressionBuilder(types, members, nodes, _registry.Options.Limits.MaxDepth, type => CheckDelegate(type, trusted), member => _references.Judge(member, trusted)).Build()
            : Throw.Format<Expression>(WireFormatError.InvalidValue, "Not a valid expression: it has no types or no parts.");
    }

    // The runtime keeps the types that are made for lambdas for ever, so that made-up ones must not come without end. Those that
    // are not generic, or that this program has itself written, are there already.
    private void CheckDelegate(Type type, bool trusted)
    {
        if (!trusted && type is { IsCollectible: false, IsConstructedGenericType: true } && !_delegateTypes.ContainsKey(type))
        {
            if (_delegateTypes.Count >= MaxDelegateTypes)
            {
                Throw.Format(WireFormatError.Limit, $"Payloads have named more than {MaxDelegateTypes} types of lambdas.");
            }

            _delegateTypes.TryAdd(type, true);
        }
    }
}
