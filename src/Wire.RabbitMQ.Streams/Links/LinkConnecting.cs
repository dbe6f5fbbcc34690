using System.Globalization;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>Connects to nodes: directly, or through addresses behind which there are several.</summary>
internal sealed class LinkConnecting(StreamClientOptions options)
{
    // Behind a balancer each attempt reaches one of the nodes. With three of them, all of so many miss one node once in two million times.
    private const int MostAttempts = 36;

    // Which endpoint is tried first: the one that answered last.
    private int _first;

    /// <summary>Connects to the first endpoint that answers.</summary>
    public async Task<StreamLink> ToAnyAsync(CancellationToken cancellationToken)
    {
        int first = Volatile.Read(ref _first);
        for (int i = 0; ; i++)
        {
            int index = (first + i) % options.Endpoints.Count;
            try
            {
                StreamLink link = await StreamLink.ConnectAsync(options, options.Endpoints[index], cancellationToken).ConfigureAwait(false);
                Volatile.Write(ref _first, index);
                return link;
            }
            catch (StreamConnectionException) when (i < options.Endpoints.Count - 1)
            {
                // The next one may answer.
            }
        }
    }

    /// <summary>Connects to a node.</summary>
    /// <param name="node">The address that the node advertises.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public async Task<StreamLink> ToAsync(BrokerEndpoint node, CancellationToken cancellationToken)
    {
        if (!options.UseEndpointsOnly)
        {
            return await StreamLink.ConnectAsync(options, node, cancellationToken).ConfigureAwait(false);
        }

        StreamConnectionException? last = null;
        bool anyAnswers = false;
        for (int i = 0; i < Math.Max(MostAttempts, options.Endpoints.Count); i++)
        {
            try
            {
                StreamLink link = await StreamLink.ConnectAsync(options, options.Endpoints[i % options.Endpoints.Count], cancellationToken).ConfigureAwait(false);
                if (Advertised(link) is not { } reached || reached == node)
                {
                    return link;
                }

                anyAnswers = true;
                last = new StreamConnectionException($"The last one was {reached}.");
                await link.CloseAsync().ConfigureAwait(false);
            }
            catch (StreamConnectionException e) when (anyAnswers || i < options.Endpoints.Count - 1)
            {
                // Others have answered, or may.
                last = e;
            }
        }

        throw new StreamConnectionException(
            $"The node {node} was not reached in {Math.Max(MostAttempts, options.Endpoints.Count)} attempts through {string.Join(", ", options.Endpoints)}. {last?.Message} Look whether it is among the nodes behind these, or do without {nameof(StreamClientOptions.UseEndpointsOnly)}.", last);
    }

    // Null where it does not say.
    private static BrokerEndpoint? Advertised(StreamLink link) =>
        link.ConnectionProperties.TryGetValue("advertised_host", out string? host)
        && link.ConnectionProperties.TryGetValue("advertised_port", out string? port)
        && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && host.Length > 0 && number is > 0 and <= ushort.MaxValue
            ? new BrokerEndpoint(host, number)
            : null;
}
