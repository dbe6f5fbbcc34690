using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.Logging;
using Wire.AspNetCore.Buffers;
using Wire.AspNetCore.Logging;
using Wire.Runtime;

namespace Wire.AspNetCore.SignalR;

/// <summary>Writes messages as frames: four bytes of length, little-endian, a byte for the kind, and the fields of the kind.</summary>
/// <remarks>
/// SignalR closes the connection when its server cannot write a message, and for a message to many clients all their connections; its
/// client does not answer a call of the server whose result it cannot write. Another message is written instead of these. What else a
/// client cannot write is the exception of whoever sends it, and the connection goes on.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class MessageWriter(Serializer serializer, bool isClient, ILogger logger)
{
    /// <summary>Writes a message as one frame.</summary>
    /// <exception cref="ArgumentException">The frame would be larger than <see cref="Limits.MaxFrameBytes"/>.</exception>
    public void Write(HubMessage message, PooledBuffer buffer)
    {
        try
        {
            WriteFrame(message, buffer);
        }
        catch (Exception failure) when (InsteadOf(message) is { } instead)
        {
            Log.MessageUnwritable(logger, message.GetType().Name, (message as InvocationMessage)?.Target, failure);
            buffer.Clear();
            WriteFrame(instead, buffer);
        }
    }

    private HubMessage? InsteadOf(HubMessage message) => message switch
    {
        CompletionMessage { Error: not null } failed =>
            CompletionMessage.WithError(failed.InvocationId!, "The call has failed, and its error cannot be written."),
        CompletionMessage result => CompletionMessage.WithError(result.InvocationId!, "The result cannot be written."),
        StreamItemMessage item when !isClient =>
            CompletionMessage.WithError(item.InvocationId!, "An item of the stream cannot be written."),
        InvocationMessage call when !isClient =>
            new InvocationMessage(
                call.InvocationId, call.Target, [.. call.Arguments.Select(_ => UnwritableValue.Instance)], call.StreamIds),
        _ => null,
    };

    private void WriteFrame(HubMessage message, PooledBuffer buffer)
    {
        int position = buffer.ReserveLength();
        Write(message, new FrameWriter(buffer, serializer));
        int most = serializer.Options.Limits.MaxFrameBytes;
        if (buffer.Length > most)
        {
            throw new ArgumentException(
                $"The message takes {buffer.Length} bytes, and a frame may have {most}: send less, or raise {nameof(Limits)}."
                + $"{nameof(Limits.MaxFrameBytes)} on both sides.",
                nameof(message));
        }

        buffer.SetLength(position);
    }

    private static void Write(HubMessage message, FrameWriter writer)
    {
        switch (message)
        {
            case InvocationMessage invocation:
                writer.WriteByte((byte)MessageKind.Invocation);
                Write(invocation, writer);
                break;
            case StreamInvocationMessage invocation:
                writer.WriteByte((byte)MessageKind.StreamInvocation);
                Write(invocation, writer);
                break;
            case StreamItemMessage item:
                writer.WriteByte((byte)MessageKind.StreamItem);
                writer.WriteHeaders(item.Headers);
                writer.WriteText(item.InvocationId);
                writer.WriteValue(item.Item);
                break;
            case CompletionMessage completion:
                Write(completion, writer);
                break;
            case CancelInvocationMessage cancel:
                writer.WriteByte((byte)MessageKind.CancelInvocation);
                writer.WriteHeaders(cancel.Headers);
                writer.WriteText(cancel.InvocationId);
                break;
            case PingMessage:
                writer.WriteByte((byte)MessageKind.Ping);
                break;
            case CloseMessage close:
                writer.WriteByte((byte)MessageKind.Close);
                writer.WriteText(close.Error);
                writer.WriteByte(close.AllowReconnect ? (byte)1 : (byte)0);
                break;
            case AckMessage ack:
                writer.WriteByte((byte)MessageKind.Ack);
                writer.WriteInt64(ack.SequenceId);
                break;
            case SequenceMessage sequence:
                writer.WriteByte((byte)MessageKind.Sequence);
                writer.WriteInt64(sequence.SequenceId);
                break;
            default:
                throw new ArgumentException($"A message of type {message.GetType()} is not known to this protocol.", nameof(message));
        }
    }

    private static void Write(HubMethodInvocationMessage invocation, FrameWriter writer)
    {
        writer.WriteHeaders(invocation.Headers);
        writer.WriteText(invocation.InvocationId);
        writer.WriteText(invocation.Target);
        writer.WriteArguments(invocation.Arguments);
        writer.WriteStreamIds(invocation.StreamIds);
    }

    private static void Write(CompletionMessage completion, FrameWriter writer)
    {
        writer.WriteByte((byte)MessageKind.Completion);
        writer.WriteHeaders(completion.Headers);
        writer.WriteText(completion.InvocationId);
        if (completion.Error is { } error)
        {
            writer.WriteByte((byte)ResultKind.Error);
            writer.WriteText(error);
        }
        else if (completion.HasResult)
        {
            writer.WriteByte((byte)ResultKind.Value);
            writer.WriteValue(completion.Result);
        }
        else
        {
            writer.WriteByte((byte)ResultKind.None);
        }
    }
}
