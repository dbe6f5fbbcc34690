using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Wire.AspNetCore.Buffers;
using Wire.AspNetCore.SignalR;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>The hub protocol "wire" of SignalR, for servers and clients of .NET. Thread-safe.</summary>
/// <remarks>
/// <para>
/// Each argument, item and result is a payload of its own, read as what the hub method, or the handler of the client, declares. A payload
/// may name that type, the types that its members declare, and what <see cref="SerializerOptions.TypeFilter"/> allows.
/// </para>
/// <para>
/// What cannot be read or written fails the one call, and the connection goes on: the caller gets a HubException. What a hub sends to
/// clients without waiting for an answer is left out by them when it cannot be written, and is an error in the server's log. A frame whose
/// own fields do not fit together, or that is larger than <see cref="Limits.MaxFrameBytes"/>, closes the connection. A server refuses
/// earlier what exceeds <c>HubOptions.MaximumReceiveMessageSize</c>, by default 32 KiB.
/// </para>
/// <para>
/// A server registers it with <c>AddWireProtocol</c>, and opens hubs for it with <c>AllowWireProtocol</c>. SignalR opens all hubs for a
/// protocol that is registered as a service by hand.
/// </para>
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireHubProtocol : IHubProtocol
{
    /// <summary>The name by which a client asks a server for the protocol.</summary>
    public const string ProtocolName = "wire";

    // From version 2 on, both sides of a hub protocol know acknowledgements.
    private const int WithAcknowledgements = 2;

    private readonly Serializer _serializer;
    private readonly ILogger _logger;
    private readonly MessageReader _reader;
    private readonly MessageWriter _writer;
    private readonly int _mostBytes;

    /// <summary>Makes a protocol.</summary>
    /// <param name="serializer">The serializer of arguments, items and results.</param>
    /// <param name="loggerFactory">The log of what fails, and of which the other side is told less; null is none.</param>
    public WireHubProtocol(Serializer serializer, ILoggerFactory? loggerFactory = null)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _serializer = serializer;
        _logger = (loggerFactory ?? NullLoggerFactory.Instance).CreateLogger<WireHubProtocol>();
        _reader = new MessageReader(serializer, isClient: false, _logger);
        _writer = new MessageWriter(serializer, isClient: false, _logger);
        _mostBytes = serializer.Options.Limits.MaxFrameBytes;
    }

    /// <summary>
    /// Gets whether the protocol is a client's, as <c>AddWireProtocol</c> sets it: then an item that cannot be read ends its stream with a
    /// HubException, which SignalR's client would leave out, and a call that cannot be written is the caller's exception.
    /// </summary>
    /// <remarks>
    /// An item that cannot be read or written ends the stream of the client alone. The hub goes on making items, which the client drops,
    /// until the token that the client gave <c>StreamAsync</c> is cancelled: cancel it when the stream throws.
    /// </remarks>
    public bool IsClient
    {
        get;
        init
        {
            field = value;
            _reader = new MessageReader(_serializer, value, _logger);
            _writer = new MessageWriter(_serializer, value, _logger);
        }
    }

    /// <inheritdoc/>
    public string Name => ProtocolName;

    /// <inheritdoc/>
    public int Version => WithAcknowledgements;

    /// <inheritdoc/>
    public TransferFormat TransferFormat => TransferFormat.Binary;

    /// <inheritdoc/>
    public bool IsVersionSupported(int version) => version is >= 1 and <= WithAcknowledgements;

    /// <summary>Reads the first message of the input, if it is there to its end.</summary>
    /// <exception cref="InvalidDataException">
    /// The input does not begin with a frame of this protocol, or with one that is too large.
    /// </exception>
    public bool TryParseMessage(ref ReadOnlySequence<byte> input, IInvocationBinder binder, [NotNullWhen(true)] out HubMessage? message)
    {
        ArgumentNullException.ThrowIfNull(binder);
        while (TryReadFrame(ref input, out ReadOnlySequence<byte> frame))
        {
            message = _reader.Read(frame, binder);
            if (message is not null)
            {
                return true;
            }
        }

        message = null;
        return false;
    }

    /// <summary>
    /// Writes a message as one frame. Instead of an answer that cannot be written, and of an item that a server cannot write, it is a
    /// completion with an error; instead of a call that a server cannot write, one whose arguments no client can read. Nothing is written
    /// when it throws.
    /// </summary>
    /// <exception cref="ArgumentException">The frame would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    /// <exception cref="UnsupportedTypeException">An argument or item of a client has a type that cannot be serialized.</exception>
    /// <exception cref="ObjectGraphException">An argument or item of a client is a graph with a cycle, or exceeds a limit.</exception>
    public void WriteMessage(HubMessage message, IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(output);
        using var buffer = PooledBuffer.Rent();
        _writer.Write(message, buffer);
        output.Write(buffer.Written.Span);
    }

    /// <summary>Makes the frame of a message, to be sent to many connections.</summary>
    /// <inheritdoc cref="WriteMessage"/>
    public ReadOnlyMemory<byte> GetMessageBytes(HubMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        using var buffer = PooledBuffer.Rent();
        _writer.Write(message, buffer);
        return buffer.Written.ToArray();
    }

    private bool TryReadFrame(ref ReadOnlySequence<byte> input, out ReadOnlySequence<byte> frame)
    {
        var reader = new SequenceReader<byte>(input);
        frame = default;
        if (!reader.TryReadLittleEndian(out int length))
        {
            return false;
        }

        // Before anything waits for it: nobody is made to collect what will be refused. A negative length is one of more than 31 bits.
        if (length <= 0 || length > _mostBytes - sizeof(int))
        {
            throw new InvalidDataException(
                $"A frame of {(uint)length} bytes is announced, and one may have from 1 to {_mostBytes - sizeof(int)}: these are no "
                + $"messages of the protocol '{ProtocolName}', or {nameof(Limits)}.{nameof(Limits.MaxFrameBytes)} is too small for them.");
        }

        if (reader.Remaining < length)
        {
            return false;
        }

        frame = reader.UnreadSequence.Slice(0, length);
        input = input.Slice(frame.End);
        return true;
    }
}
