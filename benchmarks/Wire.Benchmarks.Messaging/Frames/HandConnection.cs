using System.Buffers;
using System.Net.Sockets;
using Wire.Amqp;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;

namespace Wire.Benchmarks.Messaging.Frames;

/// <summary>A socket that speaks AMQP 0-9-1 with one channel, for one thread, by calls that block: what is measured over it is written and read by hand.</summary>
internal sealed class HandConnection : IDisposable
{
    public const int FrameMax = PublishedMessage.FrameMax;

    private readonly AmqpBuffer _output = new();
    private readonly byte[] _answer = new byte[64 * 1024];
    private int _received;

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

    /// <summary>Sends a method and waits for its answer.</summary>
    public void Call<TMethod>(in TMethod method, MethodId answer)
        where TMethod : struct, IMethod<TMethod>
    {
        Write(PublishedMessage.Channel, in method);
        Await(answer);
    }

    /// <summary>Sends a method whose answer, if it has one, is received with all else.</summary>
    public void Post<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        Write(PublishedMessage.Channel, in method);
        Send(_output);
    }

    /// <summary>Ends the connection without a word, as after <see cref="Post"/>.</summary>
    public void Abort()
    {
        Socket.Dispose();
        _output.Dispose();
    }

    /// <summary>Takes what has been received behind the last answer.</summary>
    /// <returns>How many bytes.</returns>
    public int TakeRest(Span<byte> rest)
    {
        int taken = _received;
        _answer.AsSpan(0, taken).CopyTo(rest);
        _received = 0;
        return taken;
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

    /// <summary>Sends all of it without a thread that waits.</summary>
    public async ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        foreach (ReadOnlyMemory<byte> part in bytes)
        {
            for (ReadOnlyMemory<byte> rest = part; rest.Length > 0;)
            {
                rest = rest[await Socket.SendAsync(rest)..];
            }
        }
    }

    /// <summary>Receives something.</summary>
    public int Receive(Span<byte> buffer) =>
        Socket.Receive(buffer) is > 0 and int count ? count : throw new InvalidOperationException("The server has closed the connection.");

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
        while (!Take(expected))
        {
            _received += Receive(_answer.AsSpan(_received));
        }
    }

    private bool Take(MethodId expected)
    {
        var frames = new FrameReader(_answer.AsMemory(0, _received), FrameMax);
        bool found = false;
        while (!found && frames.TryRead(out Frame frame))
        {
            found = frame.MethodId == expected;
            if (frame.MethodId is MethodId.ConnectionClose or MethodId.ChannelClose)
            {
                throw new InvalidOperationException($"The server refuses: {(frame.MethodId == MethodId.ChannelClose ? frame.ReadMethod<ChannelClose>().ReplyText : frame.ReadMethod<ConnectionClose>().ReplyText)}");
            }
        }

        int consumed = (int)frames.Consumed;
        _received -= consumed;
        _answer.AsSpan(consumed, _received).CopyTo(_answer);
        return found;
    }
}
