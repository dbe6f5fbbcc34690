using Microsoft.AspNetCore.SignalR;

namespace Wire.AspNetCore.Tests.Testing;

/// <summary>Declares what a hub has declared: one method with some parameters, and what its results and streams are of.</summary>
internal sealed class Binder(params Type[] parameters) : IInvocationBinder
{
    public Type? ResultType { get; init; } = typeof(ShopEvent);

    public IReadOnlyList<Type> GetParameterTypes(string methodName) =>
        methodName == "Unknown" ? throw new InvalidOperationException("There is no such method.") : parameters;

    public Type GetReturnType(string invocationId) => ResultType ?? throw new InvalidOperationException("Nobody waits for it.");

    public Type GetStreamItemType(string streamId) => typeof(ShopEvent);
}
