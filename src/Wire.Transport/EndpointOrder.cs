namespace Wire.Transport;

/// <summary>The order in which endpoints are tried.</summary>
public enum EndpointOrder
{
    /// <summary>
    /// Tries them in a random order, a new one for each round, so that the clients of a cluster spread over its nodes.
    /// </summary>
    Shuffled,

    /// <summary>Tries them in the given order, from the first: for a preferred node.</summary>
    AsGiven,
}
