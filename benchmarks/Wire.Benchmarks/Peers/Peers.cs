namespace Wire.Benchmarks;

/// <summary>Who takes part. Those of Peers/Extra are compiled on request only, with <c>-p:Peers=all</c>.</summary>
internal static class Peers
{
    /// <summary>In the order of the tables; the code written by hand comes first.</summary>
    public static IReadOnlyList<Peer> All { get; } =
    [
        new ByHand(),
        new WirePeer(),
        new GoogleProtobuf(),
        new SystemTextJson(),
        new NewtonsoftJson(),
#if PEERS_ALL
        new MemoryPackPeer(),
        new NinoPeer(),
        new ApexPeer(),
        new HyperionPeer(),
        new MessagePackPeer(),
        new ProtobufNetPeer(),
        new OrleansPeer(),
        new BondPeer(),
        new NetSerializerPeer(),
        new CerasPeer(),
#endif
    ];
}
