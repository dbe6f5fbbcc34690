using System.Buffers;
using System.Net.Sockets;
using Wire.Amqp;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>
/// A socket that speaks AMQP 0-9-1 with one channel, for one thread, by calls that block: what is measured over it is written and read by
/// hand.
/// </summary>
internal sealed class HandConnection : IDisposable
{
    public const int FrameMax = PublishedMessage.FrameMax;

    private readonly AmqpBuffer _output = new();

    public HandConnection(Uri uri)
    {
        Socket.Connect(uri.Host, uri.Port);
        ProtocolHeader.Version091.Write(_output);
        Await(MethodId.ConnectionStart);
        string[] user = uri.UserInfo.Split(':');
        Write(0, new ConnectionStartOk { Mechanism = "PLAIN", Response = $"\0{user[0]}\0{user[1]}", Locale = "en_US" });
        Await(MethodId.ConnectionTune);
        Write(0, new ConnectionTuneOk { ChannelMax = 2047, FrameMax = FrameMax });
        Write(0, new ConnectionOpen { VirtualHost = "/" });
        Await(MethodId.ConnectionOpenOk);
        Call(new ChannelOpen(), MethodId.ChannelOpenOk);
    }

    public Socket Socket { get; } = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    /// <summary>Where what comes is received.</summary>
    public byte[] Received { get; } = new byte[256 * 1024];

    /// <summary>How many bytes of it have come and have not been taken yet.</summary>
    public int Length { get; private set; }

    /// <summary>Sends a method and waits for its answer.</summary>
    public void Call<TMethod>(in TMethod method, MethodId answer)
        where TMethod : struct, IMethod<TMethod>
    {
        Write(PublishedMessage.Channel, in method);
        Await(answer);
    }

    /// <summary>Sends all of it.</summary>
    public void Send(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            bytes = bytes[Socket.Send(bytes)..];
        }
    }

    /// <summary>Sends all that has been written to a buffer, and clears it.</summary>
    public void Send(AmqpBuffer buffer)
    {
        foreach (ReadOnlyMemory<byte> part in buffer.Written)
        {
            Send(part.Span);
        }

        buffer.Clear();
    }

    /// <summary>Receives something more.</summary>
    public void Receive() => Length += Socket.Receive(Received.AsSpan(Length)) is > 0 and int count
        ? count
        : throw new InvalidOperationException("The server has closed the connection.");

    /// <summary>Takes what has been read: the rest moves to the front.</summary>
    public void Take(int bytes)
    {
        Length -= bytes;
        Received.AsSpan(bytes, Length).CopyTo(Received);
    }

    public void Dispose()
    {
        Write(0, new ConnectionClose { ReplyCode = 200, ReplyText = "" });
        Await(MethodId.ConnectionCloseOk);
        Socket.Dispose();
        _output.Dispose();
    }

    private void Write<TMethod>(ushort channel, in TMethod method)
        where TMethod : struct, IMethod<TMethod> => FrameWriter.Write(_output, channel, in method);

    private void Await(MethodId expected)
    {
        Send(_output);
        while (!TakeTo(expected))
        {
            Receive();
        }
    }

    private bool TakeTo(MethodId expected)
    {
        var frames = new FrameReader(Received.AsMemory(0, Length), FrameMax);
        bool found = false;
        while (!found && frames.TryRead(out Frame frame))
        {
            found = frame.MethodId == expected;
            if (frame.MethodId is MethodId.ConnectionClose or MethodId.ChannelClose)
            {
                throw new InvalidOperationException(
                    "The server refuses: " + (frame.MethodId == MethodId.ChannelClose
                        ? frame.ReadMethod<ChannelClose>().ReplyText
                        : frame.ReadMethod<ConnectionClose>().ReplyText));
            }
        }

        Take((int)frames.Consumed);
        return found;
    }
}
