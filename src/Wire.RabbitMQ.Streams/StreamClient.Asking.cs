using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamClient
{
    /// <summary>Asks the locator, and once more on another connection where that one is lost meanwhile: for what may be asked twice.</summary>
    /// <param name="request">What is asked.</param>
    /// <param name="what">What that is in words, as in "The broker refuses to ...".</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="StreamException">The broker refuses.</exception>
    internal async Task<TResponse> AskAsync<TRequest, TResponse>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse>
    {
        (StreamResponseCode code, TResponse response) = await TryAskAsync<TRequest, TResponse>(request, what, cancellationToken).ConfigureAwait(false);
        Refusal.ThrowUnlessOk(code, what);
        return response;
    }

    /// <summary>The same, and the caller looks at the code.</summary>
    internal Task<(StreamResponseCode Code, TResponse Response)> TryAskAsync<TRequest, TResponse>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse> => AskTwiceAsync(link => link.AskAsync<TRequest, TResponse>(request, cancellationToken), what, cancellationToken);

    private async Task<T> AskTwiceAsync<T>(Func<StreamLink, Task<T>> ask, string what, CancellationToken cancellationToken)
    {
        StreamLink link = await _links.LocatorAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ask(link).ConfigureAwait(false);
        }
        catch (StreamConnectionException) when (link.HasEnded)
        {
            // It may have been lost long ago, and nobody has noticed.
        }

        return await AskOnceAsync(ask, what, "", cancellationToken).ConfigureAwait(false);
    }

    // What does something is not asked twice: the second answer would be about the first one's effect.
    private Task<StreamResponseCode> ChangeAsync<TRequest>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, Nothing> => AskOnceAsync(
            async link => (await link.AskAsync<TRequest, Nothing>(request, cancellationToken).ConfigureAwait(false)).Code,
            what,
            " It may have done it: look whether it has.",
            cancellationToken);

    private async Task<T> AskOnceAsync<T>(Func<StreamLink, Task<T>> ask, string what, string hint, CancellationToken cancellationToken)
    {
        StreamLink link = await _links.LocatorAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ask(link).ConfigureAwait(false);
        }
        catch (StreamConnectionException e)
        {
            throw new StreamConnectionException($"The broker was asked {what}, and the connection ended before it answered.{hint} {e.Message}", e);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The broker was asked {what}, and has not answered.{hint} {e.Message}", e);
        }
    }

    private async Task RequireAsync(CommandKey command, string what, string version, string instead, CancellationToken cancellationToken)
    {
        StreamLink link = await _links.LocatorAsync(cancellationToken).ConfigureAwait(false);
        if (!link.Versions.ContainsKey(command))
        {
            throw new NotSupportedException($"The broker cannot be asked {what}: RabbitMQ knows that from {version} on, and {link.Endpoint} runs {link.ServerProperties.GetValueOrDefault("version", "an unknown version")}. {instead}");
        }
    }
}
