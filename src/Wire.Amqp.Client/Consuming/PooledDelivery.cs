using System.Buffers;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Consuming;

/// <summary>
/// The delivery behind an <see cref="AmqpDelivery"/>: puts a message together from the frames of a channel and holds the memory that they
/// lie in, until it is given back. Then it serves the next message, and the generation tells handles of the one before from those of the
/// next.
/// </summary>
/// <remarks>
/// Frames are added by the receive loop, and it has one reader at a time; settling, keeping and giving back are thread-safe.
/// </remarks>
internal sealed class PooledDelivery(DeliveryPool pool) : IDisposable
{
    // Beside the generation, in one word: what happens at the same time happens to the same message.
    private const long Settled = 1;
    private const long Kept = 2;
    private const long NextGeneration = 4;

    /// <summary>The memory of a message beside its body, about, where memory is counted.</summary>
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

    /// <summary>The handle of this message, and of no other that it serves.</summary>
    public AmqpDelivery Handle => new(this, Generation);

    /// <summary>Another one for each message that it serves.</summary>
    public long Generation => Volatile.Read(ref _state) & -NextGeneration;

    /// <summary>Gets the method that brings the message: basic.deliver, get-ok or return.</summary>
    public MethodId Kind { get; private set; }

    /// <summary>Gets the arguments of the message's method, whichever it is.</summary>
    public ref readonly DeliveryMethod DeliveryMethod => ref _method;

    /// <summary>The tag as users see it.</summary>
    public ulong DeliveryTag => _method.DeliveryTag is var tag and not 0 ? tag + (_owner?.TagsBefore ?? 0) : 0;

    /// <summary>The body.</summary>
    /// <exception cref="AmqpFormatException">It is larger than the options allow, and was passed over.</exception>
    public ReadOnlySequence<byte> Body => _content.IsTooLarge ? throw TooLarge() : _content.Body;

    /// <summary>Gets the number of bytes that the body has, or had.</summary>
    public long BodySize => _content.BodySize;

    /// <summary>Says whether the body is larger than the options allow, and was passed over.</summary>
    public bool IsTooLarge => _content.IsTooLarge;

    /// <summary>Gets the number of segments of received bytes that it holds.</summary>
    public int LeasedSegments => _lease.Count;

    /// <summary>The properties, which are read when someone asks for them.</summary>
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

    /// <summary>Is for a message of this channel now.</summary>
    public void Open(IDeliveryOwner? owner) => _owner = owner;

    /// <summary>Begins with the frame of the method, which has been read and not consumed.</summary>
    /// <exception cref="AmqpFormatException">The method is damaged.</exception>
    public void BeginMessage(ReceiveBuffer buffer, in Frame method)
    {
        _content.BeginMessage(in method);
        Kind = method.MethodId;
        _lease.Add(buffer, in method);
        _method = DeliveryMethod.Parse(in method);
    }

    /// <summary>Takes the next frame of the channel, which has been read and not consumed.</summary>
    /// <returns>Whether the message is complete.</returns>
    /// <exception cref="AmqpFormatException">
    /// The frame is another than has to follow, or a damaged one: the connection cannot continue.
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
    /// Counts it among those that wait for a handler without another bound. On the receive loop, before anyone else has it.
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
        // Read before the state says that it is still of this message.
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

    /// <summary>
    /// The holder of the handle releases the message, and not the caller of the handler; false when it was released.
    /// </summary>
    public bool TryKeep(long generation) => TryAdd(Kept, generation) >= 0;

    /// <summary>Says whether the holder of the handle releases the message.</summary>
    public bool IsKept(long generation) =>
        Volatile.Read(ref _state) is var state && (state & -NextGeneration) == generation && (state & Kept) != 0;

    /// <summary>The handler has ended: the message is given back unless it is kept.</summary>
    public void EndHandler(long generation)
    {
        if (IsKept(generation))
        {
            // The program's, which knows how much it keeps.
            EndWait();
        }

        Release(generation, unless: Kept);
    }

    /// <summary>Releases the message of this generation. When that has happened before, nothing does.</summary>
    public void Release(long generation) => Release(generation, unless: 0);

    /// <summary>Gives memory of its own back to the pool: it serves no message any more.</summary>
    public void Dispose() => _content.Dispose();

    // What the state was before; -1 when it is of another generation.
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
            // What was copied was memory of its own: others have use for it.
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

    // A message that is complete, to as much memory as it takes and no more: there may be many such.
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

    // One that may have more to come. The texts of the method are views of what is let go.
    private void Copy()
    {
        _content.Keep();
        _method = DeliveryMethod.Parse(_content.Method);
        _isCopied = true;
        _lease.Release();
    }
}
