namespace Wire.Transport;

/// <summary>In which order endpoints are tried.</summary>
public enum EndpointOrder
{
    /// <summary>
    /// In a random order, a new one for each attempt over all of them: so the clients of a cluster spread over its nodes.
    /// </summary>
    Shuffled,

    /// <summary>In the order in which they are given, from the first: for a node that is to be preferred.</summary>
    AsGiven,
}
