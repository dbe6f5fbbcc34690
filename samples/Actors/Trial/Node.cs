using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Actors.Trial;

/// <summary>The numbers of nodes and actors that both processes know.</summary>
internal static class Numbers
{
    public const ushort Here = 0;
    public const ushort There = 1;

    public const uint Keeper = 1;
    public const uint Counter = 2;
    public const uint Clerk = 3;
    public const uint Producer = 4;
    public const uint Guest = 5;
}

/// <summary>The second process: its actors, and its connection to the first one.</summary>
internal static class Node
{
    /// <summary>Runs until the keeper is stopped by a message, or the first process is gone.</summary>
    /// <param name="codec">The name of the codec.</param>
    /// <param name="port">Where the first process listens.</param>
    /// <param name="blackBox">The path of the file for the counter's tally.</param>
    public static async Task RunAsync(string codec, string port, string blackBox)
    {
        var system = new ActorSystem(Numbers.There);
        using var box = new BlackBox(blackBox);
        system.Start(Numbers.Keeper, new Clerk(), out Task stopped);
        system.Start(Numbers.Counter, new TradeCounter(box), out _);
        system.Start(Numbers.Clerk, new Clerk(), out _);
        var peer = new Peer(system, CodecOf(codec, system), system.Connect(Numbers.Here));
        await Task.WhenAny(stopped, ConnectAsync(peer, int.Parse(port, CultureInfo.InvariantCulture)));
    }

    /// <summary>Makes the codec of a node.</summary>
    public static ICodec CodecOf(string name, ActorSystem system) => name switch
    {
        "wire" => new WireCodec(system),
        "json" => new JsonCodec(system),
        _ => throw new ArgumentException($"There are wire and json, and no {name}.", nameof(name)),
    };

    private static async Task ConnectAsync(Peer peer, int port)
    {
        try
        {
            while (true)
            {
                using var connection = new TcpClient();
                await connection.ConnectAsync(IPAddress.Loopback, port);
                await peer.RunAsync(connection);
            }
        }
        catch (SocketException)
        {
            // Nobody listens any more: the first process is gone.
        }
    }
}
