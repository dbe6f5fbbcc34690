using Microsoft.AspNetCore.Http;

namespace Wire.AspNetCore.Http;

/// <summary>Answers a request whose body was not read, in place of the endpoint's handler.</summary>
internal static class FailureFilter
{
    /// <summary>Keeps the failure for the filter, which runs when all parameters are bound.</summary>
    public static void Keep(HttpContext context, BodyFailure failure) => context.Features.Set(failure);

    /// <summary>Calls the next filter or the handler, unless a body was not read.</summary>
    public static ValueTask<object?> Invoke(EndpointFilterInvocationContext context, EndpointFilterDelegate next) =>
        context.HttpContext.Features.Get<BodyFailure>() is { } failure
            ? new(TypedResults.Problem(failure.Text, statusCode: failure.StatusCode))
            : next(context);
}
