using System.Net.Mime;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Filters;

namespace Wire.AspNetCore.Http;

/// <summary>Answers a request of MVC whose body was not read for another reason than what is in it, in place of the action.</summary>
internal sealed class FailureActionFilter : IActionFilter, IOrderedFilter
{
    // Before MVC's own, of number -2000, makes status 400 of the error of the model.
    private const int BeforeOthers = -2100;

    /// <summary>Gets the filter.</summary>
    public static FailureActionFilter Instance { get; } = new();

    /// <inheritdoc/>
    public int Order => BeforeOthers;

    /// <inheritdoc/>
    public void OnActionExecuting(ActionExecutingContext context)
    {
        if (context.HttpContext.Features.Get<BodyFailure>() is { } failure)
        {
            var problem = new ProblemDetails { Status = failure.StatusCode, Detail = failure.Text };
            context.Result = new ObjectResult(problem)
            {
                StatusCode = failure.StatusCode,
                ContentTypes = { MediaTypeNames.Application.ProblemJson },
            };
        }
    }

    /// <inheritdoc/>
    public void OnActionExecuted(ActionExecutedContext context)
    {
    }
}
