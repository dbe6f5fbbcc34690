using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire.OptIn;

/// <summary>A delegate: its type, and its methods with their targets.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class DelegateSerializer(TypeRegistry registry) : StandInSerializer<Delegate, DelegateRecord>(registry)
{
    private readonly MemberReferences _references = new(registry);

    private protected override DelegateRecord ToRecord(Delegate value, GraphPath path) =>
        new(value.GetType(), Array.ConvertAll(value.GetInvocationList(), Describe));

    private protected override Delegate FromRecord(DelegateRecord record, bool trusted)
    {
        if (record.Type is not { IsAbstract: false, ContainsGenericParameters: false } type
            || !type.IsSubclassOf(typeof(MulticastDelegate))
            || record.Calls is not [_, ..])
        {
            return ThrowHelper.Format<Delegate>(
                WireFormatError.InvalidValue, "Not a valid delegate: its type is not a type of delegates, or it has no method.");
        }

        return Delegate.Combine(Array.ConvertAll(record.Calls, call => Bind(type, call, trusted)))!;
    }

    private CallRecord Describe(Delegate call)
    {
        MethodInfo method = call.Method;
        return new(_references.Describe(method), ReferenceEquals(call.Target, Singleton(method)) ? null : call.Target);
    }

    // The runtime checks that the method's signature and target fit the type of the delegate.
    private Delegate Bind(Type type, CallRecord call, bool trusted)
    {
        MethodInfo method = _references.Resolve<MethodInfo>(call.Method, trusted);
        bool isOpen = type.GetMethod("Invoke")!.GetParameters().Length != method.GetParameters().Length;
        object? target = call.Target ?? (isOpen ? null : Singleton(method));
        return target is null && !isOpen && !method.IsStatic
            ? ThrowHelper.Format<Delegate>(
                WireFormatError.InvalidValue, $"Not a valid delegate: '{method.Name}' needs a target object and has none.")
            : Delegate.CreateDelegate(type, target, method);
    }

    // The singleton to which the C# compiler binds lambdas that capture nothing.
    private static object? Singleton(MethodInfo method) =>
        !method.IsStatic && method.DeclaringType is { ContainsGenericParameters: false } type && type.IsClosure()
            ? type.GetField("<>9", BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)?.GetValue(null)
            : null;
}
