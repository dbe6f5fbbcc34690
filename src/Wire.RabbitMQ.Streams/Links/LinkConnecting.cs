using System.Globalization;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>Connects to nodes: directly, or through load balancers.</summary>
internal sealed class LinkConnecting(StreamClientOptions options)
{
    // Behind a load balancer each attempt reaches a random node. With three nodes, that many attempts miss one of them once in two million
    // times.
    private const int MostAttempts = 36;

    /// <summary>Connects to the first endpoint that answers.</summary>
    public async Task<StreamLink> ToAnyAsync(CancellationToken cancellationToken)
    {
        BrokerEndpoint[] endpoints = options.Broker.EndpointsInTurn();
        for (int i = 0; ; i++)
        {
            try
            {
                return await StreamLink.ConnectAsync(options, endpoints[i], cancellationToken).ConfigureAwait(false);
            }
            catch (StreamConnectionException) when (i < endpoints.Length - 1)
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

        BrokerEndpoint[] endpoints = options.Broker.EndpointsInTurn();
        int attempts = Math.Max(MostAttempts, endpoints.Length);
        StreamConnectionException? last = null;
        bool anyAnswers = false;
        for (int i = 0; i < attempts; i++)
        {
            try
            {
                StreamLink link =
                    await StreamLink.ConnectAsync(options, endpoints[i % endpoints.Length], cancellationToken).ConfigureAwait(false);
                if (Advertised(link) is not { } reached || reached == node)
                {
                    return link;
                }

                anyAnswers = true;
                last = new StreamConnectionException($"The last one was {reached}.");
                await link.CloseAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (StreamConnectionException e) when (anyAnswers || i < endpoints.Length - 1)
            {
                // Others may answer.
                last = e;
            }
        }

        throw new StreamConnectionException(
            $"The node {node} was not reached in {attempts} attempts " +
            $"through {string.Join(", ", options.Endpoints)}. {last?.Message} Check that it is among the nodes behind these, or " +
            $"turn {nameof(StreamClientOptions.UseEndpointsOnly)} off.", last);
    }

    // Null if unknown.
    private static BrokerEndpoint? Advertised(StreamLink link) =>
        link.ConnectionProperties.TryGetValue("advertised_host", out string? host)
        && link.ConnectionProperties.TryGetValue("advertised_port", out string? port)
        && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out int number)
            && host.Length > 0
            && number is > 0 and <= ushort.MaxValue
            ? new BrokerEndpoint(host, number)
            : null;
}
