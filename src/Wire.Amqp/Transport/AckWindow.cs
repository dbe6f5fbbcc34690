using System.Diagnostics;
using System.Numerics;

namespace Wire.Amqp.Transport;

/// <summary>What the broker is told of a delivery.</summary>
internal enum Settlement : byte
{
    /// <summary>It is done.</summary>
    Ack,

    /// <summary>It cannot be handled: to the dead-letter exchange.</summary>
    Reject,

    /// <summary>Back to the queue.</summary>
    Requeue,
}

/// <summary>One thing to tell the broker: of one delivery, or of all up to it that it has not been told of.</summary>
internal readonly record struct Notice(ulong Tag, Settlement Settlement, bool Multiple);

/// <summary>
/// The deliveries of a channel that the broker has not been told of, which end in any order: turns those that have ended into as few notices as
/// can be. The oldest ones that have ended, up to the first that has not, go with a single one. Not thread-safe.
/// </summary>
/// <remarks>
/// <code>
/// tag      41   42    43   44    45   46
/// state    ack  told  ack  open  ack  open      notices: ack up to 43, ack 45
///          ^ _first                    ^ _next - 1
/// </code>
/// A notice of several names a delivery of which the broker has not been told yet: it closes the channel otherwise.
/// </remarks>
internal sealed class AckWindow
{
    private State[] _ring;
    private ulong _first = 1;
    private ulong _next = 1;
    private int _toNack;

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

    /// <summary>How many have not ended.</summary>
    public int Open { get; private set; }

    /// <summary>How many have ended, and the broker has to be told.</summary>
    public int Ended { get; private set; }

    /// <summary>A delivery came.</summary>
    /// <param name="tag">Its tag: one more than that of the last one, from 1.</param>
    public void Deliver(ulong tag)
    {
        if (tag != _next)
        {
            throw new InvalidOperationException($"The delivery has the tag {tag} and not {_next}: something else consumes on the channel.");
        }

        if (_next - _first == (ulong)_ring.Length)
        {
            Grow();
        }

        At(_next++) = State.Open;
        Open++;
    }

    /// <summary>A delivery has ended.</summary>
    public void End(ulong tag, Settlement settlement)
    {
        Debug.Assert(tag >= _first && tag < _next && At(tag) == State.Open, "A delivery ends once.");
        At(tag) = settlement switch
        {
            Settlement.Ack => State.ToAck,
            Settlement.Reject => State.ToReject,
            _ => State.ToRequeue,
        };
        Open--;
        Ended++;
        _toNack += settlement == Settlement.Ack ? 0 : 1;
    }

    /// <summary>Takes the notices of all that have ended, to be sent in this order.</summary>
    public void Take(List<Notice> notices)
    {
        // Those that go alone come first: an acknowledgement of several would otherwise take a rejected one among them with it.
        TakeNacks(notices);
        TakePrefix(notices);
        TakeBehind(notices);
    }

    private void TakeNacks(List<Notice> notices)
    {
        for (ulong tag = _first; _toNack > 0; tag++)
        {
            ref State state = ref At(tag);
            if (state is State.ToReject or State.ToRequeue)
            {
                notices.Add(new Notice(tag, state == State.ToReject ? Settlement.Reject : Settlement.Requeue, Multiple: false));
                state = State.Told;
                _toNack--;
                Ended--;
            }
        }
    }

    private void TakePrefix(List<Notice> notices)
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
            notices.Add(new Notice(last, Settlement.Ack, Multiple: acks > 1));
            Ended -= acks;
        }
    }

    private void TakeBehind(List<Notice> notices)
    {
        for (ulong tag = _first + 1; Ended > 0; tag++)
        {
            ref State state = ref At(tag);
            if (state == State.ToAck)
            {
                notices.Add(new Notice(tag, Settlement.Ack, Multiple: false));
                state = State.Told;
                Ended--;
            }
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
