namespace Wire.Benchmarks.Peers;

/// <summary>A library that Wire is compared with, with a row or more in each scenario that it can do.</summary>
internal abstract class Peer
{
    /// <summary>Who takes part, in the order of the tables.</summary>
    public static IReadOnlyList<Peer> All { get; } =
    [
        new GoogleProtobuf(),
        new SystemTextJson(),
        new NewtonsoftJson(),
#if PEER_NINO
        new NinoPeer(),
#endif
#if PEER_MEMORYPACK
        new MemoryPackPeer(),
#endif
#if PEER_APEX
        new ApexPeer(),
#endif
#if PEER_BOND
        new BondPeer(),
#endif
#if PEER_ORIGINALWIRE
        new OriginalWirePeer(),
#endif
#if PEER_NETSERIALIZER
        new NetSerializerPeer(),
#endif
    ];

    /// <summary>The library's name; the names of its rows begin with it.</summary>
    public abstract string Name { get; }

    /// <summary>
    /// Its rows: <see cref="Typing.Static"/> and <see cref="Typing.Polymorphic"/> where it has both. What it has no codec for here is left
    /// out; what it cannot do is a <see cref="Scenario{T}.Cannot"/> with the reason, which the table shows as a dash. Nothing is made here
    /// but codecs.
    /// </summary>
    public abstract IEnumerable<Row> Rows<T>(Scenario<T> scenario)
        where T : class;

    /// <summary>Its rows where each message is written and read by itself, as <see cref="Rows{T}"/>.</summary>
    public virtual IEnumerable<Row> Rows(Traffic traffic) => [];
}
