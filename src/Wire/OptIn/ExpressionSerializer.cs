using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using System.Reflection;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire.OptIn;

/// <summary>An expression tree, or a part of one that is not itself an expression, as a list of parts.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class ExpressionSerializer<T>(TypeRegistry registry) : StandInSerializer<T, ExpressionRecord>(registry)
    where T : class
{
    // In the list passed to a factory, and in the copy that it makes.
    private const int PartSize = 16;

    private readonly TypeRegistry _registry = registry;
    private readonly MemberReferences _references = new(registry);

    private int MaxDepth => _registry.Options.Limits.MaxDepth;

    private protected override ExpressionRecord ToRecord(T value, GraphPath path) =>
        new ExpressionRecorder(
            _references, MaxDepth, path, (signature, type) => _registry.LambdaTypes.Own(typeof(Delegate), signature, type)).Record(value);

    private protected override long MemoryOf(ExpressionRecord record) =>
        (record.Nodes ?? []).Sum(node => (long)(node.Parts?.Length ?? 0) * PartSize);

    private protected override T FromRecord(ExpressionRecord record, bool trusted)
    {
        MemberInfo[] members = Array.ConvertAll(record.Members ?? [], member => _references.Resolve<MemberInfo>(member, trusted));
        return record.Types is { } types && !types.Contains(null) && record.Nodes is { } nodes
            ? new ExpressionBuilder(
                types,
                members,
                nodes,
                MaxDepth,
                signature => DelegateType(signature, trusted),
                member => _references.Judge(member, trusted)).Build<T>()
            : ThrowHelper.Format<T>(WireFormatError.InvalidValue, "Not a valid expression: it has no types or no parts.");
    }

    // The runtime keeps the types made for lambdas for ever. Those that a record names were counted when they were found, and there is only
    // one without parameters and result.
    private Type DelegateType(Type[] signature, bool trusted) => trusted || (signature is [var only] && only == typeof(void))
        ? Expression.GetDelegateType(signature)
        : _registry.LambdaTypes.Get(typeof(Delegate), signature, () => Expression.GetDelegateType(signature));
}
