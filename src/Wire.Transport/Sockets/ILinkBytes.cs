using System.Buffers;

namespace Wire.Transport.Sockets;

/// <summary>
/// Receives and sends bytes, plain or through TLS: one receive and one send at a time, and nothing is allocated for them.
/// </summary>
internal interface ILinkBytes : IDisposable
{
    /// <summary>Receives what has come, or waits for it; 0 when the other side has closed.</summary>
    ValueTask<int> ReceiveAsync(Memory<byte> buffer);

    /// <summary>The socket has been closed: releases all that wait for it. From any thread, any number of times.</summary>
    void Abort();

    /// <summary>Gets whether a thread can wait for bytes with <see cref="Receive"/>, without more threads being woken for it.</summary>
    bool ReceivesOnThread { get; }

    /// <summary>The same as <see cref="ReceiveAsync"/>, and the thread waits.</summary>
    int Receive(Memory<byte> buffer);

    /// <summary>Sends the whole sequence in few calls.</summary>
    ValueTask SendAsync(ReadOnlySequence<byte> bytes);

    /// <summary>The same, and the thread waits.</summary>
    void Send(ReadOnlySequence<byte> bytes);
}
