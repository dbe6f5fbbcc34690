using System.Buffers;
using System.Net.Sockets;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.Transport;

/// <summary>The broker's side of one connection, step by step.</summary>
internal sealed class ScriptedPeer(Stream stream, Socket socket)
{
    private const int EnvelopeStart = 7;

    public Stream Stream => stream;

    /// <summary>Lets a client in. What is given is sent together with the last answer.</summary>
    public async Task GreetAsync(params byte[][] behind)
    {
        await StartAsync();
        await SendAsync(0, new ConnectionTune());
        await ExpectAsync<ConnectionTuneOk>();
        await ExpectAsync<ConnectionOpen>();
        await SendAsync([FrameOf(0, new ConnectionOpenOk()), .. behind]);
    }

    /// <summary>Up to where the client has said who it is.</summary>
    public async Task StartAsync()
    {
        await stream.ReadExactlyAsync(new byte[8]);
        await SendAsync(0, new ConnectionStart { VersionMinor = 9, Mechanisms = "PLAIN", Locales = "en_US" });
        await ExpectAsync<ConnectionStartOk>();
    }

    /// <summary>Answers what a channel is opened with. What is given is sent together with the last answer.</summary>
    public async Task<ushort> OpenChannelAsync(bool confirms = true, Func<ushort, byte[]>? behind = null)
    {
        ushort channel = await AnswerAsync<ChannelOpen, ChannelOpenOk>();
        if (!confirms)
        {
            await ExpectAsync<BasicQos>();
            await SendAsync(FrameOf(channel, new BasicQosOk()), behind?.Invoke(channel) ?? []);
            return channel;
        }

        await AnswerAsync<BasicQos, BasicQosOk>();
        await ExpectAsync<ConfirmSelect>();
        await SendAsync(FrameOf(channel, new ConfirmSelectOk()), behind?.Invoke(channel) ?? []);
        return channel;
    }

    /// <summary>Waits for a method and answers it.</summary>
    public async Task<ushort> AnswerAsync<TMethod, TOk>(TOk answer = default)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk>
    {
        ushort channel = await ExpectAsync<TMethod>();
        await SendAsync(channel, answer);
        return channel;
    }

    /// <summary>Waits for a method, which has to be the next one; heartbeats are passed over.</summary>
    /// <returns>Its channel.</returns>
    public async Task<ushort> ExpectAsync<TMethod>()
        where TMethod : struct, IMethod<TMethod>
    {
        (byte type, ushort channel, byte[] payload) = await NextAsync();
        Assert.Equal((1, TMethod.Id), (type, (MethodId)NetworkOrder.Read<uint>(payload)));
        return channel;
    }

    /// <summary>Waits for a message that is published.</summary>
    /// <returns>Its body.</returns>
    public async Task<byte[]> PublishedAsync()
    {
        await ExpectAsync<BasicPublish>();
        (_, _, byte[] header) = await NextAsync();
        ulong size = NetworkOrder.Read<ulong>(header.AsSpan(4));
        var body = new MemoryStream();
        while ((ulong)body.Length < size)
        {
            (byte type, _, byte[] part) = await NextAsync();
            Assert.Equal(3, type);
            body.Write(part);
        }

        return body.ToArray();
    }

    public Task SendAsync<TMethod>(ushort channel, TMethod method)
        where TMethod : struct, IMethod<TMethod> => SendAsync(FrameOf(channel, method));

    public async Task SendAsync(params byte[][] parts) => await stream.WriteAsync((byte[])[.. parts.SelectMany(part => part)]);

    /// <summary>Waits until the client has ended the connection, in order or not.</summary>
    public Task DrainAsync() => Loopback.DrainAsync(stream);

    /// <summary>Answers the end in order.</summary>
    public async Task CloseAsync()
    {
        await AnswerAsync<ConnectionClose, ConnectionCloseOk>();
        await DrainAsync();
    }

    /// <summary>Ends it without a word.</summary>
    public void Reset() => socket.Close(0);

    public static byte[] FrameOf<TMethod>(ushort channel, TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, in method);
        return output.WrittenSpan.ToArray();
    }

    private async Task<(byte Type, ushort Channel, byte[] Payload)> NextAsync()
    {
        while (true)
        {
            byte[] start = new byte[EnvelopeStart];
            await stream.ReadExactlyAsync(start);
            byte[] rest = new byte[NetworkOrder.Read<int>(start.AsSpan(3)) + 1];
            await stream.ReadExactlyAsync(rest);
            if (start[0] != 8)
            {
                return (start[0], NetworkOrder.Read<ushort>(start.AsSpan(1)), rest[..^1]);
            }
        }
    }
}
