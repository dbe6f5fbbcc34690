#if PEERS_ALL
using Wire.Benchmarks.Peers.Extra;
#endif

namespace Wire.Benchmarks.Peers;

/// <summary>Who takes part. Those of Peers/Extra are compiled on request only, with <c>-p:Peers=all</c>.</summary>
internal static class AllPeers
{
    /// <summary>In the order of the tables; the code written by hand comes first.</summary>
    public static IReadOnlyList<Peer> InOrder { get; } =
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
#endif
    ];
}
