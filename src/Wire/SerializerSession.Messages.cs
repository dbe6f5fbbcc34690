using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Errors;
using Wire.Framing;
using Wire.Sessions;
using Wire.Values;

namespace Wire;

/// <content>Writing of one message to each kind of output, and the state after a failure.</content>
public sealed partial class SerializerSession
{
    /// <returns>The number of bytes written.</returns>
    internal long ToBufferWriter<TMessage>(in TMessage message, IBufferWriter<byte> output)
        where TMessage : struct, IMessage
    {
        CheckFree();
        var writer = new WireWriter(this, output);
        Write(message, ref writer);
        return writer.Offset;
    }

    internal byte[] ToArray<TMessage>(in TMessage message)
        where TMessage : struct, IMessage
    {
        int manifests = _told;
        WriteTo(message, _buffer);
        try
        {
            byte[] bytes = _buffer.Written.ToArray();
            _buffer.Reset();
            return bytes;
        }
        catch
        {
            // There is no memory for the array.
            Abandon(manifests);
            throw;
        }
    }

    /// <returns>The number of bytes written.</returns>
    internal long ToStream<TMessage>(in TMessage message, Stream stream)
        where TMessage : struct, IMessage
    {
        CheckFree();
        StreamOutput output = _stream ??= new StreamOutput(_buffer);
        output.Attach(stream);
        var writer = new WireWriter(this, output);
        Write(message, ref writer);
        output.Attach(null);
        _buffer.Reset();
        return writer.Offset;
    }

    /// <summary>Writes a message as a frame to a buffer writer, which gets nothing of a message that fails.</summary>
    /// <returns>The number of bytes of the frame.</returns>
    internal int ToFrame<TMessage>(in TMessage message, IBufferWriter<byte> output)
        where TMessage : struct, IMessage
    {
        int manifests = _told;
        WriteTo(message, _buffer);
        int length = _buffer.Written.Length;
        bool mayHaveSent = false;
        try
        {
            FrameHeader.Check(length, Limits.MaxFrameBytes);

            // The output is user code, and may call the serializer: the buffer is in use until it has received everything.
            _phase = Phase.Sending;
            FrameHeader.Write(ref output.GetSpan(FrameHeader.Size)[0], length);
            mayHaveSent = true;
            output.Advance(FrameHeader.Size);
            output.Write(_buffer.Written);
        }
        catch
        {
            if (mayHaveSent)
            {
                Break();
            }

            Abandon(manifests);
            throw;
        }

        _buffer.Reset();
        _phase = Phase.Free;
        if (_disposed)
        {
            TakeBack(0);
        }

        return FrameHeader.Size + length;
    }

    private void CheckFree()
    {
        if (_phase != Phase.Free || _closed)
        {
            Refuse();
        }
    }

    private void WriteTo<TMessage>(in TMessage message, Output output)
        where TMessage : struct, IMessage
    {
        CheckFree();
        var writer = new WireWriter(this, output);
        Write(message, ref writer);
    }

    // The caller's buffer writer or stream is user code: the session stays busy until it has received everything.
    private void Write<TMessage>(in TMessage message, ref WireWriter writer)
        where TMessage : struct, IMessage
    {
        _phase = Phase.Writing;
        try
        {
            Path.Start(_ownThread);
            message.Write(ref writer);
            Finish(ref writer);
        }
        catch (Exception e)
        {
            Fail(e, ref writer, message.RootType);
            throw;
        }

        EndMessage();
    }

    // Hands a complete message to its output.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Finish(ref WireWriter writer)
    {
        writer.CheckBytes();
        BeginSending();
        if (!writer.TryFinishBufferWriter())
        {
            Send(ref writer);
        }
    }

    private void EndMessage()
    {
        if (_ownThread || _disposed)
        {
            Types.Truncate(0);
        }
        else
        {
            _told = Types.Count;
        }

        if (TracksReferences)
        {
            Objects.Clear();
        }

        _phase = Phase.Free;
    }

    // Copies a message, or its end, from the session's buffer to the output: for streams, and for messages with a frame.
    private void Send(ref WireWriter writer)
    {
        writer.FinishOutput();
        if (_stream is { IsAttached: true } stream)
        {
            stream.Flush();
        }
        else if (writer.TrySendOn(_buffer.Written))
        {
            _buffer.Reset();
        }
    }

    private void Fail(Exception exception, ref WireWriter writer, Type? root)
    {
        if ((_phase == Phase.Sending && writer.HasBufferWriter) || _stream is { HasSent: true })
        {
            Break();
        }

        Locate(exception, ref writer, root);
        Abandon(_told);
    }

    // After a failure: undoes the definitions that the reader will never see, and keeps nothing of the message.
    private void Abandon(int manifests)
    {
        TakeBack(_disposed ? 0 : manifests);
        Objects.Abandon();
        _blocks?.Abandon();
        _stream?.Attach(null);
        _buffer.Reset();
        _phase = Phase.Free;
    }

    private void TakeBack(int manifests)
    {
        Types.Truncate(manifests);
        _told = manifests;
    }

    [DoesNotReturn]
    private void Refuse()
    {
        if (_disposed)
        {
            ThrowHelper.SessionEnded(this);
        }

        if (_closed || _phase == Phase.SendingFlat)
        {
            ThrowHelper.SessionBroken();
        }

        ThrowHelper.SessionInUse();
    }

    private void Locate(Exception exception, ref WireWriter writer, Type? root)
    {
        int member = writer.Member;
        if (exception is UnsupportedTypeException unsupported)
        {
            unsupported.Locate(Path.Describe(member, Serializer.Registry), Path.LastOwner(member, Serializer.Registry), root);
        }
        else if (exception is not ObjectGraphException)
        {
            ErrorLocation.Add(exception, () => Path.Describe(member, Serializer.Registry), null);
        }
    }

    private ObjectGraphException TooDeep(GraphPath path, int step)
    {
        string place = path.Describe(step, Serializer.Registry);
        if (Objects.FindWayBack(place) is { } leadsBack)
        {
            return leadsBack;
        }

        string hint = Serializer.Options.PreserveObjectReferences
            ? "Raise the limit if the graph is meant to be that deep."
            : "If the graph has a cycle, set SerializerOptions.PreserveObjectReferences; if it is meant to be that deep, raise the limit.";
        return new ObjectGraphException(
            $"The object graph is deeper than Limits.MaxDepth = {Limits.MaxDepth} at {place}. {hint}", place);
    }
}
