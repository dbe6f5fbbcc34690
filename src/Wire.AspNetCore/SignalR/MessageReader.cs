using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.Logging;
using Wire.AspNetCore.Logging;
using Wire.Runtime;

namespace Wire.AspNetCore.SignalR;

/// <summary>Reads messages from frames.</summary>
/// <remarks>
/// An argument, item or result that cannot be read becomes the message that SignalR has for it, and the connection goes on: its length says
/// where the next one begins. A frame whose own fields do not fit together is an <see cref="InvalidDataException"/>, and closes the
/// connection.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class MessageReader(Serializer serializer, bool isClient, ILogger logger)
{
    /// <summary>Reads the message of a frame; null is a kind that a later version of SignalR has.</summary>
    public HubMessage? Read(in ReadOnlySequence<byte> frame, IInvocationBinder binder)
    {
        var reader = new FrameReader(frame);
        HubMessage? message = (MessageKind)reader.ReadByte() switch
        {
            MessageKind.Invocation => ReadInvocation(ref reader, binder, isStream: false),
            MessageKind.StreamInvocation => ReadInvocation(ref reader, binder, isStream: true),
            MessageKind.StreamItem => ReadStreamItem(ref reader, binder),
            MessageKind.Completion => ReadCompletion(ref reader, binder),
            MessageKind.CancelInvocation => ReadCancellation(ref reader),
            MessageKind.Ping => PingMessage.Instance,
            MessageKind.Close => ReadClose(ref reader),
            MessageKind.Ack => new AckMessage(reader.ReadInt64()),
            MessageKind.Sequence => new SequenceMessage(reader.ReadInt64()),
            _ => null,
        };

        if (message is not null)
        {
            reader.CheckEnd();
        }

        return message;
    }

    private HubMessage ReadInvocation(ref FrameReader reader, IInvocationBinder binder, bool isStream)
    {
        Dictionary<string, string>? headers = reader.ReadHeaders();
        string? id = isStream ? reader.ReadName("invocation identifier") : reader.ReadText();
        id = id is "" ? null : id;
        string target = ReadTarget(ref reader, binder);
        FrameReader values = reader;
        reader.PassValues();
        string[]? streams = reader.ReadStreamIds();
        reader.CheckEnd(); // the frame fits together: what fails from here on is the call alone
        object?[] arguments;
        try
        {
            arguments = ReadArguments(ref values, binder.GetParameterTypes(target));
        }
        catch (Exception failure)
        {
            // Whoever called is told, by SignalR; the next call may be read.
            return new InvocationBindingFailureMessage(id, target, ExceptionDispatchInfo.Capture(failure));
        }

        return isStream
            ? new StreamInvocationMessage(id!, target, arguments, streams) { Headers = headers }
            : new InvocationMessage(id, target, arguments, streams) { Headers = headers };
    }

    private static string ReadTarget(ref FrameReader reader, IInvocationBinder binder)
    {
        if (!reader.TryReadUtf8(out ReadOnlySequence<byte> bytes) || bytes.IsEmpty)
        {
            throw new InvalidDataException("The target of the message is missing.");
        }

        // Hubs know the names of their methods, so that no string is made for each call.
        return (bytes.IsSingleSegment ? binder.GetTarget(bytes.FirstSpan) : null) ?? FrameReader.Decode(bytes);
    }

    private object?[] ReadArguments(ref FrameReader reader, IReadOnlyList<Type> types)
    {
        int count = reader.ReadCount();
        if (count != types.Count)
        {
            throw new InvalidDataException($"The message has {count} arguments, and the method takes {types.Count}.");
        }

        object?[] arguments = count == 0 ? [] : new object?[count];
        for (int i = 0; i < count; i++)
        {
            ReadOnlySequence<byte> payload = reader.ReadPayload();
            if (payload.IsEmpty)
            {
                throw new InvalidDataException($"Argument {i + 1} of {count}, a {types[i]}, could not be written by the sender.");
            }

            try
            {
                arguments[i] = serializer.Deserialize(types[i], payload);
            }
            catch (WireFormatException unreadable)
            {
                throw new InvalidDataException(
                    $"Argument {i + 1} of {count}, a {types[i]}, cannot be read: {unreadable.Message}", unreadable);
            }
        }

        return arguments;
    }

    private HubMessage ReadStreamItem(ref FrameReader reader, IInvocationBinder binder)
    {
        Dictionary<string, string>? headers = reader.ReadHeaders();
        string id = reader.ReadName("invocation identifier");
        ReadOnlySequence<byte> payload = reader.ReadPayload();
        try
        {
            return new StreamItemMessage(id, serializer.Deserialize(binder.GetStreamItemType(id), payload)) { Headers = headers };
        }
        catch (Exception failure) when (isClient)
        {
            // SignalR's client would leave the item out, and say so to its log alone.
            return CompletionMessage.WithError(id, $"An item of the stream cannot be read: {failure.Message}");
        }
        catch (Exception failure)
        {
            // Whoever sends the stream is told, by SignalR.
            return new StreamBindingFailureMessage(id, ExceptionDispatchInfo.Capture(failure));
        }
    }

    private CompletionMessage ReadCompletion(ref FrameReader reader, IInvocationBinder binder)
    {
        Dictionary<string, string>? headers = reader.ReadHeaders();
        string id = reader.ReadName("invocation identifier");
        CompletionMessage completion = (ResultKind)reader.ReadByte() switch
        {
            ResultKind.Error => new(id, reader.ReadText() ?? "", result: null, hasResult: false),
            ResultKind.None => CompletionMessage.Empty(id),
            ResultKind.Value => ReadResult(id, reader.ReadPayload(), FindReturnType(binder, id)),
            _ => throw new InvalidDataException("The message is of no kind that a completion has."),
        };
        completion.Headers = headers;
        return completion;
    }

    private CompletionMessage ReadResult(string id, in ReadOnlySequence<byte> payload, Type? type)
    {
        if (type is null)
        {
            return CompletionMessage.WithResult(id, null);
        }

        if (type == typeof(RawResult))
        {
            return CompletionMessage.WithResult(id, new RawResult(payload));
        }

        try
        {
            return CompletionMessage.WithResult(id, serializer.Deserialize(type, payload));
        }
        catch (Exception failure) when (isClient)
        {
            // Whoever waits for the result gets the text as the error of the call.
            return CompletionMessage.WithError(id, $"The result, a {type}, cannot be read: {failure.Message}");
        }
        catch (Exception failure)
        {
            // A hub that passes its HubException on sends the text to another client: what the program is made of is for the log.
            Log.ResultUnreadable(logger, type, failure);
            string what = failure is WireFormatException unreadable ? $": {unreadable.Error}" : "";
            return CompletionMessage.WithError(id, $"The result of the client cannot be read{what}.");
        }
    }

    // Binders throw for a call that nobody waits for any more, such as one that was cancelled: its result is not read.
    private static Type? FindReturnType(IInvocationBinder binder, string id)
    {
        try
        {
            return binder.GetReturnType(id);
        }
        catch (Exception)
        {
            return null;
        }
    }

    private static CancelInvocationMessage ReadCancellation(ref FrameReader reader)
    {
        Dictionary<string, string>? headers = reader.ReadHeaders();
        return new CancelInvocationMessage(reader.ReadName("invocation identifier")) { Headers = headers };
    }

    private static CloseMessage ReadClose(ref FrameReader reader)
    {
        string? error = reader.ReadText();
        return new CloseMessage(error, reader.ReadByte() switch
        {
            0 => false,
            1 => true,
            _ => throw new InvalidDataException("The message says neither that reconnecting is allowed nor that it is not."),
        });
    }
}
