using System.Diagnostics;
using System.Reflection;
using Wire.Benchmarks.Peers;

namespace Wire.Benchmarks.Quoted.Peers;

/// <summary>A library that is restored as a package, with a row in each scenario.</summary>
internal abstract class PackagePeer : Peer
{
    /// <summary>Who takes part, in the order of the tables.</summary>
    public static new IReadOnlyList<PackagePeer> All { get; } =
        [new MessagePackPeer(), new MemoryPackPeer(), new NerdbankPeer(), new ProtobufNetPeer(), new OrleansPeer(), new HyperionPeer()];

    /// <summary>The release that takes part. What it was built from may stand behind it.</summary>
    public string Version => FileVersionInfo.GetVersionInfo(Assembly.Location).ProductVersion!.Split('+', ' ')[0].TrimEnd('.');

    /// <summary>The library.</summary>
    protected abstract Assembly Assembly { get; }

    /// <summary>How the library writes and reads a class; made anew, as in a program that begins.</summary>
    public abstract ICodec<T> Codec<T>()
        where T : class;
}

/// <summary>For libraries that read from memory only: the payload is copied into memory that is used again.</summary>
internal sealed class PayloadMemory
{
    private byte[] _copy = new byte[1024];

    /// <summary>The payload.</summary>
    public ReadOnlyMemory<byte> Of(ReadOnlySpan<byte> payload)
    {
        if (_copy.Length < payload.Length)
        {
            _copy = new byte[payload.Length];
        }

        payload.CopyTo(_copy);
        return _copy.AsMemory(0, payload.Length);
    }
}
