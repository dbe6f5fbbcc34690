using System.Buffers;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Testing;

/// <summary>The broker's side of one connection, step by step, as a test says.</summary>
public sealed class AmqpPeer(LoopbackConnection connection)
{
    private const int EnvelopeStart = 7;

    // The messages of which a part has come, by their channels.
    private readonly Dictionary<ushort, ContentReader> _incomplete = [];

    public Stream Stream => connection.Stream;

    /// <summary>Lets a client in. What is given is sent together with the last answer.</summary>
    public async Task GreetAsync(params byte[][] behind)
    {
        await StartAsync();
        await SendAsync(0, new ConnectionTune());
        await ReadAsync<ConnectionTuneOk>();
        await ReadAsync<ConnectionOpen>();
        await SendAsync([FrameOf(0, new ConnectionOpenOk()), .. behind]);
    }

    /// <summary>Up to where the client has said who it is.</summary>
    public Task<ConnectionStartOk> StartAsync() =>
        StartAsync(new ConnectionStart { VersionMinor = 9, Mechanisms = "PLAIN", Locales = "en_US" });

    /// <summary>The same with another offer.</summary>
    public async Task<ConnectionStartOk> StartAsync(ConnectionStart start)
    {
        await OfferAsync(start);
        return await ReadAsync<ConnectionStartOk>();
    }

    /// <summary>Waits for the header that a client begins with, and answers it.</summary>
    public async Task OfferAsync(ConnectionStart start)
    {
        byte[] header = new byte[ProtocolHeader.Size];
        await Stream.ReadExactlyAsync(header);
        if (!ProtocolHeader.TryRead(new ReadOnlySequence<byte>(header), out ProtocolHeader found) || found != ProtocolHeader.Version091)
        {
            throw new InvalidOperationException("The client does not begin with the header of AMQP 0-9-1.");
        }

        await SendAsync(0, start);
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

    /// <summary>Answers a method that a channel is opened with, however many are opened at a time; does nothing with others.</summary>
    public Task AnswerOpeningAsync(ushort channel, MethodId? method) => method switch
    {
        MethodId.ChannelOpen => SendAsync(channel, default(ChannelOpenOk)),
        MethodId.BasicQos => SendAsync(channel, default(BasicQosOk)),
        MethodId.ConfirmSelect => SendAsync(channel, default(ConfirmSelectOk)),
        _ => Task.CompletedTask,
    };

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
        (ushort channel, MethodId? method) = await NextMethodAsync();
        return method == TMethod.Id
            ? channel
            : throw new InvalidOperationException($"Expected {TMethod.Id}, found {method?.ToString() ?? "a frame of another type"}.");
    }

    /// <summary>Waits for whatever is next; heartbeats are passed over.</summary>
    /// <returns>Its channel, and which method it is; null where it is none.</returns>
    public async Task<(ushort Channel, MethodId? Method)> NextMethodAsync()
    {
        (byte[] frame, MethodId? method) = await NextAsync();
        return (NetworkOrder.Read<ushort>(frame.AsSpan(1)), method);
    }

    /// <summary>Waits for a method in the same way.</summary>
    /// <returns>The method.</returns>
    public async Task<TMethod> ReadAsync<TMethod>()
        where TMethod : struct, IMethod<TMethod>
    {
        (byte[] frame, _) = await NextAsync();
        return MethodOf<TMethod>(frame);
    }

    /// <summary>Waits for a message that is published.</summary>
    /// <returns>Its body.</returns>
    public async Task<byte[]> PublishedAsync() => (await MessageAsync()).Body;

    /// <summary>Waits for a message that is published.</summary>
    public async Task<ReceivedMessage> MessageAsync()
    {
        var content = new ContentReader();
        while (!Add(content, (await NextAsync()).Frame))
        {
        }

        return new ReceivedMessage(content);
    }

    /// <summary>
    /// Waits for a message that is published, on any of several channels, and answers what they are opened and closed with meanwhile.
    /// </summary>
    /// <returns>The message; null when the connection is closed by the client, which is answered too, or has been closed.</returns>
    public async Task<ReceivedMessage?> NextMessageAsync()
    {
        while (true)
        {
            (byte[] frame, MethodId? method) = await NextAsync();
            ushort channel = NetworkOrder.Read<ushort>(frame.AsSpan(1));
            switch (method)
            {
                case MethodId.ChannelOpen:
                    await SendAsync(channel, default(ChannelOpenOk));
                    break;
                case MethodId.BasicQos:
                    await SendAsync(channel, default(BasicQosOk));
                    break;
                case MethodId.ConfirmSelect:
                    await SendAsync(channel, default(ConfirmSelectOk));
                    break;
                case MethodId.ChannelClose:
                    await SendAsync(channel, default(ChannelCloseOk));
                    break;
                case MethodId.ConnectionClose:
                    await SendAsync(channel, default(ConnectionCloseOk));
                    return null;
                case MethodId.ConnectionCloseOk:
                    return null;
                default:
                    if (!_incomplete.Remove(channel, out ContentReader? content))
                    {
                        content = new ContentReader();
                    }

                    if (Add(content, frame))
                    {
                        return new ReceivedMessage(content);
                    }

                    _incomplete.Add(channel, content);
                    break;
            }
        }
    }

    public Task SendAsync<TMethod>(ushort channel, TMethod method)
        where TMethod : struct, IMethod<TMethod> => SendAsync(FrameOf(channel, method));

    public async Task SendAsync(params byte[][] parts) => await Stream.WriteAsync((byte[])[.. parts.SelectMany(part => part)]);

    /// <summary>Waits until the client has ended the connection, in order or not.</summary>
    public Task DrainAsync() => connection.DrainAsync();

    /// <summary>Answers the end in order.</summary>
    public async Task CloseAsync()
    {
        await AnswerAsync<ConnectionClose, ConnectionCloseOk>();
        await DrainAsync();
    }

    /// <summary>Ends it without a word.</summary>
    public void Reset() => connection.Reset();

    public static byte[] FrameOf<TMethod>(ushort channel, TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, in method);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>A content header without properties.</summary>
    public static byte[] HeaderOf(ushort channel, ulong size)
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.WriteContentHeader(output, channel, size, default);
        return output.WrittenSpan.ToArray();
    }

    private static TMethod MethodOf<TMethod>(byte[] bytes)
        where TMethod : struct, IMethod<TMethod> => FrameIn(bytes).ReadMethod<TMethod>();

    // Refuses any frame that does not belong there.
    private static bool Add(ContentReader content, byte[] bytes)
    {
        Frame frame = FrameIn(bytes);
        if (content.IsIncomplete)
        {
            return content.Add(in frame);
        }

        frame.ReadMethod<BasicPublish>();
        content.BeginMessage(in frame);
        return false;
    }

    private static Frame FrameIn(byte[] bytes)
    {
        var frames = new FrameReader(bytes, frameMax: 0);
        return frames.TryRead(out Frame frame) ? frame : throw new InvalidOperationException("The bytes are no frame.");
    }

    private async Task<(byte[] Frame, MethodId? Method)> NextAsync()
    {
        while (true)
        {
            byte[] start = new byte[EnvelopeStart];
            await Stream.ReadExactlyAsync(start);
            byte[] frame = [.. start, .. new byte[NetworkOrder.Read<int>(start.AsSpan(3)) + 1]];
            await Stream.ReadExactlyAsync(frame.AsMemory(EnvelopeStart));
            var type = (FrameType)start[0];
            if (type != FrameType.Heartbeat)
            {
                return (frame, type == FrameType.Method ? (MethodId)NetworkOrder.Read<uint>(frame.AsSpan(EnvelopeStart)) : null);
            }
        }
    }
}
