using System.Numerics;

namespace Wire.Transport.Pending;

/// <summary>The decision about a delivery.</summary>
internal enum Settlement : byte
{
    /// <summary>It is done.</summary>
    Ack,

    /// <summary>It cannot be handled: to the dead-letter exchange.</summary>
    Reject,

    /// <summary>Back to the queue.</summary>
    Requeue,
}

/// <summary>A command to the broker: about one delivery, or about all up to it that are not settled.</summary>
internal readonly record struct AckCommand(ulong Tag, Settlement Settlement, bool Multiple);

/// <summary>
/// The unsettled deliveries of a channel, which end in any order: turns those that have ended into as few commands as possible. The oldest
/// ones that have ended, up to the first that has not, are settled by a single one. Not thread-safe.
/// </summary>
/// <remarks>
/// <code>
/// tag      41   42    43   44    45   46
/// state    ack  told  ack  open  ack  open      notices: ack up to 43, ack 45
///          ^ _first                    ^ _next - 1
/// </code>
/// A notice of several names an unsettled delivery: the broker closes the channel otherwise.
/// </remarks>
internal sealed class AckWindow
{
    private State[] _ring;
    private ulong _first = 1;
    private ulong _next = 1;
    private int _toNack;

    // No delivery before it has ended without its acknowledgement: one that is held for long costs those behind it nothing.
    private ulong _oldestEnded = ulong.MaxValue;

    /// <summary>A window that grows when it has to.</summary>
    /// <param name="capacity">How many deliveries it holds without growing: the prefetch count.</param>
    public AckWindow(int capacity) => _ring = new State[(int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(capacity, 1))];

    private enum State : byte
    {
        Open,
        ToAck,
        ToReject,
        ToRequeue,
        Told,
    }

    /// <summary>Gets the number of items that have not ended.</summary>
    public int Open { get; private set; }

    /// <summary>Gets the number that have ended and are not acknowledged yet.</summary>
    public int Ended { get; private set; }

    /// <summary>The tag of the last delivery; 0 before the first.</summary>
    public ulong Latest => _next - 1;

    /// <summary>Adds a delivery.</summary>
    /// <param name="tag">Its tag: one more than that of the last one, from 1.</param>
    public void Deliver(ulong tag)
    {
        Check(tag);
        if (_next - _first == (ulong)_ring.Length)
        {
            Grow();
        }

        At(_next++) = State.Open;
        Open++;
    }

    /// <summary>Adds a delivery that needs no acknowledgement.</summary>
    /// <param name="tag">Its tag: one more than that of the last one, from 1.</param>
    public void Skip(ulong tag)
    {
        if (_first == _next)
        {
            Check(tag);
            _first = ++_next;
            return;
        }

        Deliver(tag);
        At(tag) = State.Told;
        Open--;
    }

    /// <summary>Settles all deliveries up to one that are not settled.</summary>
    /// <param name="tag">The last of them; 0 for all.</param>
    /// <param name="settlement">How.</param>
    /// <returns>False when there was none to settle.</returns>
    public bool EndUpTo(ulong tag, Settlement settlement)
    {
        if (tag > Latest)
        {
            return false;
        }

        ulong last = tag == 0 ? Latest : tag;
        bool any = false;
        for (ulong i = _first; i <= last; i++)
        {
            any |= Settle(i, settlement);
        }

        return any;
    }

    /// <summary>Drops all deliveries, also those that have ended and of which nothing was said yet.</summary>
    public void Drop()
    {
        _first = _next;
        _oldestEnded = ulong.MaxValue;
        (Open, Ended, _toNack) = (0, 0, 0);
    }

    /// <summary>A delivery has ended.</summary>
    /// <returns>False when it is settled already, or needs no acknowledgement.</returns>
    public bool Settle(ulong tag, Settlement settlement)
    {
        if (tag < _first || tag >= _next || At(tag) != State.Open)
        {
            return false;
        }

        At(tag) = settlement switch
        {
            Settlement.Ack => State.ToAck,
            Settlement.Reject => State.ToReject,
            _ => State.ToRequeue,
        };
        Open--;
        Ended++;
        _toNack += settlement == Settlement.Ack ? 0 : 1;
        _oldestEnded = Math.Min(_oldestEnded, tag);
        return true;
    }

    /// <summary>Takes the commands for all that have ended, to be sent in this order.</summary>
    public void Drain(List<AckCommand> notices)
    {
        // Single ones come first: an acknowledgement of several could otherwise include a rejected one.
        TakeNacks(notices);
        TakePrefix(notices);
        TakeBehind(notices);
        _oldestEnded = ulong.MaxValue;
    }

    private void TakeNacks(List<AckCommand> notices)
    {
        for (ulong tag = _oldestEnded; _toNack > 0; tag++)
        {
            ref State state = ref At(tag);
            if (state is State.ToReject or State.ToRequeue)
            {
                notices.Add(new AckCommand(tag, state == State.ToReject ? Settlement.Reject : Settlement.Requeue, Multiple: false));
                state = State.Told;
                _toNack--;
                Ended--;
            }
        }
    }

    private void TakePrefix(List<AckCommand> notices)
    {
        int acks = 0;
        ulong last = 0;
        for (; _first < _next && At(_first) != State.Open; _first++)
        {
            if (At(_first) == State.ToAck)
            {
                acks++;
                last = _first;
            }
        }

        if (acks > 0)
        {
            notices.Add(new AckCommand(last, Settlement.Ack, Multiple: acks > 1));
            Ended -= acks;
        }
    }

    private void TakeBehind(List<AckCommand> notices)
    {
        for (ulong tag = Math.Max(_first + 1, _oldestEnded); Ended > 0; tag++)
        {
            ref State state = ref At(tag);
            if (state == State.ToAck)
            {
                notices.Add(new AckCommand(tag, Settlement.Ack, Multiple: false));
                state = State.Told;
                Ended--;
            }
        }
    }

    private void Check(ulong tag)
    {
        if (tag != _next)
        {
            throw new InvalidOperationException($"The delivery has the tag {tag} and not {_next}: something else consumes on the channel.");
        }
    }

    private ref State At(ulong tag) => ref _ring[(int)(tag & (ulong)(_ring.Length - 1))];

    private void Grow()
    {
        State[] old = _ring;
        _ring = new State[old.Length * 2];
        for (ulong tag = _first; tag < _next; tag++)
        {
            At(tag) = old[(int)(tag & (ulong)(old.Length - 1))];
        }
    }
}
