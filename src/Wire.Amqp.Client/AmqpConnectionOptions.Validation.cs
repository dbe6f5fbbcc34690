using Wire.Transport.Addresses;

namespace Wire.Amqp.Client;

public sealed partial record AmqpConnectionOptions
{
    /// <summary>The options that every protocol has.</summary>
    internal BrokerOptions Broker => new()
    {
        Endpoints = Endpoints,
        ResolveEndpoints = ResolveEndpoints,
        EndpointOrder = EndpointOrder,
        UsualTlsPort = DefaultTlsPort,
        VirtualHost = VirtualHost,
        UserName = UserName,
        Password = Password,
        Credentials = Credentials,
        Authentication = Authentication,
        Tls = Tls,
        RequestedHeartbeat = RequestedHeartbeat,
        RequestedFrameMax = RequestedFrameMax,
        RequestedChannelMax = RequestedChannelMax,
        ConnectTimeout = ConnectTimeout,
        Recovery = Recovery,
    };

    /// <summary>Refuses what is out of range, as connecting does: for programs that want to know before.</summary>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentException">An option is out of range: the message names it and its range.</exception>
    public AmqpConnectionOptions Validate()
    {
        Broker.Validate();
        BrokerOptions.Require(
            ClientProperties is not null, nameof(ClientProperties), ClientProperties, "is a dictionary, which may be empty");
        BrokerOptions.Require(Enum.IsDefined(Writing), nameof(Writing), Writing, "is Background or Inline");
        BrokerOptions.Require(
            CallTimeout > TimeSpan.Zero && CallTimeout.TotalMilliseconds <= int.MaxValue, nameof(CallTimeout), CallTimeout,
            "is more than zero and at most 24 days");
        BrokerOptions.Require(
            SpinTime >= TimeSpan.Zero && SpinTime.TotalMilliseconds <= 10, nameof(SpinTime), SpinTime, "is zero or more, at most 10 ms");
        BrokerOptions.Require(MaxUnsentBytes >= 1 << 16, nameof(MaxUnsentBytes), MaxUnsentBytes, "is 65,536 bytes or more");
        BrokerOptions.Require(StreamAbove >= BrokerOptions.LeastFrameMax, nameof(StreamAbove), StreamAbove, "is 4,096 bytes or more");
        BrokerOptions.Require(MaxBodySize >= 0, nameof(MaxBodySize), MaxBodySize, "is 0 bytes or more");
        BrokerOptions.Require(Body is not null, nameof(Body), Body, "serializes objects and is not null");
        return this;
    }
}
