using System.Buffers;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Consuming;

/// <summary>
/// The delivery behind an <see cref="AmqpDelivery"/>: assembles a message from the frames of a channel and holds their memory until it is
/// released. Then it serves the next message; the generation distinguishes handles of different messages.
/// </summary>
/// <remarks>
/// Frames are added by the receive loop, and it has one reader at a time; settling, keeping and releasing are thread-safe.
/// </remarks>
internal sealed class PooledDelivery(DeliveryPool pool) : IDisposable
{
    // In one word with the generation, so that concurrent calls concern the same message.
    private const long Settled = 1;
    private const long Kept = 2;
    private const long NextGeneration = 4;

    /// <summary>The approximate memory of a message in addition to its body.</summary>
    public const int CostOfMessage = 1 << 10;

    private readonly Lease _lease = new();
    private ContentReader _content = new(pool.MaxBodySize);
    private IDeliveryOwner? _owner;
    private long _state;
    private bool _isCopied;
    private long _waiting;

    private DeliveryMethod _method;
    private bool _hasProperties;
    private BasicProperties _properties;

    /// <summary>Gets the handle of this message.</summary>
    public AmqpDelivery Handle => new(this, Generation);

    /// <summary>Gets the generation: another one for each message that it serves.</summary>
    public long Generation => Volatile.Read(ref _state) & -NextGeneration;

    /// <summary>Gets the method that brings the message: basic.deliver, get-ok or return.</summary>
    public MethodId Kind { get; private set; }

    /// <summary>Gets the arguments of the message's method, whichever it is.</summary>
    public ref readonly DeliveryMethod DeliveryMethod => ref _method;

    /// <summary>Gets the tag that users see.</summary>
    public ulong DeliveryTag => _method.DeliveryTag is var tag and not 0 ? tag + (_owner?.TagsBefore ?? 0) : 0;

    /// <summary>The body.</summary>
    /// <exception cref="AmqpFormatException">It is larger than the options allow, and was skipped.</exception>
    public ReadOnlySequence<byte> Body => _content.IsTooLarge ? throw TooLarge() : _content.Body;

    /// <summary>Gets the number of bytes that the body has, or had.</summary>
    public long BodySize => _content.BodySize;

    /// <summary>Gets whether the body is larger than the options allow, and was skipped.</summary>
    public bool IsTooLarge => _content.IsTooLarge;

    /// <summary>Gets the number of segments of received bytes that it holds.</summary>
    public int LeasedSegments => _lease.Count;

    /// <summary>Gets the properties, which are read when they are needed.</summary>
    public ref readonly BasicProperties Properties
    {
        get
        {
            if (!_hasProperties)
            {
                _properties = _content.Header.ReadContentHeader().Properties;
                _hasProperties = true;
            }

            return ref _properties;
        }
    }

    /// <summary>Assigns it to a message of this channel.</summary>
    public void Open(IDeliveryOwner? owner) => _owner = owner;

    /// <summary>Starts with the frame of the method, which has been read and not consumed.</summary>
    /// <exception cref="AmqpFormatException">The method is damaged.</exception>
    public void BeginMessage(ReceiveBuffer buffer, in Frame method)
    {
        _content.BeginMessage(in method);
        Kind = method.MethodId;
        _lease.Add(buffer, in method);
        _method = DeliveryMethod.Parse(in method);
    }

    /// <summary>Takes the next frame of the channel, which has been read and not consumed.</summary>
    /// <returns>True if the message is complete.</returns>
    /// <exception cref="AmqpFormatException">
    /// The frame is not the one that must follow, or is damaged: the connection cannot continue.
    /// </exception>
    public bool Add(ReceiveBuffer buffer, in Frame frame)
    {
        bool isComplete = _content.Add(in frame);
        if (frame.PayloadLength > 0 && (frame.Type == FrameType.Header || !_content.IsTooLarge))
        {
            _lease.Add(buffer, in frame);
        }

        if (_lease.IsExcessive)
        {
            Copy();
        }
        else if (isComplete && _lease.IsOfLittle && buffer.IsStrained && !_content.IsTooLarge)
        {
            CopyTogether();
        }

        return isComplete;
    }

    /// <summary>
    /// Counts it among those that wait for a handler without another bound. On the receive loop, before it is shared.
    /// </summary>
    public void Wait()
    {
        _waiting = BodySize + CostOfMessage;
        pool.Unhandled.Add(_waiting);
    }

    /// <summary>Reads the body.</summary>
    public T? Read<T>() => pool.Body.Read<T>(in Properties, Body);

    /// <summary>Settles the message of this generation unless it is settled; false when it has been released.</summary>
    public bool TrySettle(long generation, Settlement settlement)
    {
        // Read before the state shows that it still belongs to this message.
        (IDeliveryOwner? owner, ulong tag, MethodId kind) = (_owner, DeliveryMethod.DeliveryTag, Kind);
        long before = TryAdd(Settled, generation);
        if (before < 0)
        {
            return false;
        }

        if (kind == MethodId.BasicReturn)
        {
            throw new InvalidOperationException(
                "A returned message cannot be acknowledged or rejected: publish it again or ignore it.");
        }

        if ((before & Settled) == 0)
        {
            owner?.Settle(tag, settlement);
        }

        return true;
    }

    /// <summary>Gets a token that fires when the broker takes it back; none where no channel has it.</summary>
    public CancellationToken Lost => _owner?.Lost ?? CancellationToken.None;

    /// <summary>
    /// The holder of the handle releases the message, and not the caller of the handler; false when it was released.
    /// </summary>
    public bool TryKeep(long generation) => TryAdd(Kept, generation) >= 0;

    /// <summary>Returns whether the holder of the handle releases the message.</summary>
    public bool IsKept(long generation) =>
        Volatile.Read(ref _state) is var state && (state & -NextGeneration) == generation && (state & Kept) != 0;

    /// <summary>Ends the handler: releases the message unless it is kept.</summary>
    public void EndHandler(long generation)
    {
        if (IsKept(generation))
        {
            // A kept message belongs to the program, which knows how much it keeps.
            EndWait();
        }

        Release(generation, unless: Kept);
    }

    /// <summary>Releases the message of this generation. Later calls do nothing.</summary>
    public void Release(long generation) => Release(generation, unless: 0);

    /// <summary>Returns its own memory to the pool: the message is finished.</summary>
    public void Dispose() => _content.Dispose();

    // The previous state; -1 if it is of another generation.
    private long TryAdd(long flag, long generation)
    {
        long state = Volatile.Read(ref _state);
        while ((state & -NextGeneration) == generation)
        {
            long found = Interlocked.CompareExchange(ref _state, state | flag, state);
            if (found == state)
            {
                return state;
            }

            state = found;
        }

        return -1;
    }

    private void Release(long generation, long unless)
    {
        long state = Volatile.Read(ref _state);
        while (true)
        {
            if ((state & -NextGeneration) != generation || (state & unless) != 0)
            {
                return;
            }

            long found = Interlocked.CompareExchange(ref _state, generation + NextGeneration, state);
            if (found == state)
            {
                break;
            }

            state = found;
        }

        EndWait();
        _owner = null;
        _method = default;
        if (_hasProperties)
        {
            _hasProperties = false;
            _properties = default;
        }

        if (_isCopied)
        {
            // The copy was in its own memory, which can be reused.
            _isCopied = false;
            _content.Dispose();
            _content = new ContentReader(pool.MaxBodySize);
        }
        else
        {
            _content.Clear();
        }

        _lease.Release();
        pool.Return(this);
    }

    private void EndWait()
    {
        if (_waiting != 0 && Interlocked.Exchange(ref _waiting, 0) is var waiting and not 0)
        {
            pool.Unhandled.Remove(waiting);
        }
    }

    private AmqpFormatException TooLarge() => new(
        AmqpFormatError.TooLarge,
        -1,
        $"The body of {BodySize:N0} bytes is larger than {nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.MaxBodySize)}, " +
        $"{pool.MaxBodySize:N0} bytes, and was not read. Raise the limit if such messages are expected.");

    // Copies a complete message to exactly as much memory as it takes: there may be many.
    private void CopyTogether()
    {
        (Frame method, Frame header, ReadOnlySequence<byte> body) = (_content.Method, _content.Header, _content.Body);
        byte[] copy = GC.AllocateUninitializedArray<byte>((int)(method.PayloadLength + header.PayloadLength + body.Length));
        int length = 0;
        Frame Next(in Frame frame, in ReadOnlySequence<byte> payload)
        {
            int start = length;
            payload.CopyTo(copy.AsSpan(start));
            length += (int)payload.Length;
            return new Frame(frame.Type, frame.Channel, copy, start, length - start, frame.Offset);
        }

        _content.BeginMessage(Next(in method, method.Payload));
        if (!_content.Add(Next(in header, header.Payload)))
        {
            _content.Add(Next(new Frame(FrameType.Body, header.Channel, default, header.Offset), in body));
        }

        _method = DeliveryMethod.Parse(_content.Method);
        _lease.Release();
    }

    // Copies an incomplete message. The texts of the method are views of the released memory.
    private void Copy()
    {
        _content.Keep();
        _method = DeliveryMethod.Parse(_content.Method);
        _isCopied = true;
        _lease.Release();
    }
}
