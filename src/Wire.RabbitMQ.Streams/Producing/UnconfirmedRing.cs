using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The entries that are not confirmed, in the order of their ids, which ascend. Confirms usually come in that order, and each is found
/// where the last one ended; others are searched. Not thread-safe.
/// </summary>
internal sealed class UnconfirmedRing
{
    // Marks an entry that was confirmed before an older one.
    private static readonly PendingOperation Done = new PendingSend();

    private SequenceRing<Slot> _ring = new(0, 64);

    // Of the latest entry; null where no messages of it have a task in common.
    private EntrySend? _shared;

    /// <summary>The position of the oldest entry.</summary>
    public ulong Head => _ring.First;

    /// <summary>The position behind the latest entry.</summary>
    public ulong Tail => _ring.Next;

    /// <summary>Gets the time that the oldest entry, which must exist, was added with; 0 for none.</summary>
    public uint HeadTime => _ring[Head].Time;

    /// <summary>Gets the number of messages. Those confirmed before an older one count until that is confirmed.</summary>
    public int Messages { get; private set; }

    /// <summary>Adds an entry with one message.</summary>
    public void Add(ulong id, PendingOperation? send, uint time = 0)
    {
        ref Slot slot = ref _ring.Add();
        slot.Id = id;
        slot.Count = 1;
        slot.Sends = send;
        slot.Time = time;
        _shared = null;
        Messages++;
    }

    /// <summary>
    /// The task of the latest message, which it has in common with the messages of its entry that come next. The message was added without
    /// one.
    /// </summary>
    public ValueTask Share()
    {
        ref Slot slot = ref _ring[Tail - 1];
        if (_shared is null)
        {
            _shared = new EntrySend(slot.Id - (ulong)(slot.Count - 1)) { Previous = slot.Sends };
            slot.Sends = _shared;
        }

        return _shared.Add(slot.Id);
    }

    /// <summary>Adds a message to the latest entry, whose id becomes that of the message.</summary>
    public void Extend(ulong id, PendingOperation? send)
    {
        ref Slot slot = ref _ring[Tail - 1];
        slot.Id = id;
        slot.Count++;
        Messages++;
        if (send is not null)
        {
            send.Previous = slot.Sends;
            slot.Sends = send;
        }
    }

    /// <summary>Entries are confirmed.</summary>
    /// <param name="ids">Their ids: 8 bytes each, most significant first. Unknown ones were confirmed before.</param>
    /// <param name="limit">The position from which on nothing has been sent, and nothing can be confirmed.</param>
    /// <param name="sends">The callers that wait for one.</param>
    /// <param name="confirmed">Called for the first and last id of each run; may be null.</param>
    /// <returns>The number of their messages.</returns>
    public long Confirm(ReadOnlySpan<byte> ids, ulong limit, ref OperationQueue<PendingOperation> sends, Action<ulong, ulong>? confirmed)
    {
        (ulong first, ulong last, ulong behind) = (0, 0, 0);
        long count = 0;
        ulong next = Head;
        for (; ids.Length >= sizeof(ulong); ids = ids[sizeof(ulong)..])
        {
            ulong id = BinaryPrimitives.ReadUInt64BigEndian(ids);
            if ((next >= limit || next < Head || _ring[next].Id != id) && !TryFind(id, limit, out next))
            {
                continue;
            }

            bool isNext = last != 0 && next == behind;
            if (!TrySettle(next, ref sends, out ulong firstId))
            {
                continue;
            }

            if (!isNext)
            {
                if (last != 0)
                {
                    confirmed?.Invoke(first, last);
                }

                first = firstId;
            }

            count += (long)(id - firstId + 1);
            last = id;
            behind = ++next;
        }

        if (last != 0)
        {
            confirmed?.Invoke(first, last);
        }

        return count;
    }

    /// <summary>Finds the time that the first of some entries was added with; 0 for none.</summary>
    public uint TimeOf(ReadOnlySpan<byte> ids, ulong limit) =>
        ids.Length >= sizeof(ulong) && TryFind(BinaryPrimitives.ReadUInt64BigEndian(ids), limit, out ulong position)
            ? _ring[position].Time
            : 0;

    /// <summary>Removes the entry with an id.</summary>
    /// <returns>True if it was found.</returns>
    public bool TryTake(ulong id, ulong limit, ref OperationQueue<PendingOperation> sends, out ulong firstId)
    {
        firstId = 0;
        return TryFind(id, limit, out ulong position) && TrySettle(position, ref sends, out firstId);
    }

    /// <summary>Removes the oldest entry, which must exist.</summary>
    public void TakeFirst(ref OperationQueue<PendingOperation> sends, out ulong firstId, out ulong lastId)
    {
        lastId = _ring[Head].Id;
        TrySettle(Head, ref sends, out firstId);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TrySettle(ulong position, ref OperationQueue<PendingOperation> sends, out ulong firstId)
    {
        ref Slot slot = ref _ring[position];
        firstId = slot.Id - (ulong)(slot.Count - 1);
        PendingOperation? waiting = slot.Sends;
        if (waiting is not null)
        {
            if (waiting == Done)
            {
                return false;
            }

            slot.Sends = null;
            sends.AddLinked(waiting);
        }

        if (position == Head)
        {
            Messages -= slot.Count;
            _ring.RemoveFirst();
            DropDone();
        }
        else
        {
            slot.Sends = Done;
        }

        return true;
    }

    private void DropDone()
    {
        while (Head < Tail)
        {
            ref Slot slot = ref _ring[Head];
            if (slot.Sends != Done)
            {
                return;
            }

            slot.Sends = null;
            Messages -= slot.Count;
            _ring.RemoveFirst();
        }
    }

    private bool TryFind(ulong id, ulong limit, out ulong position)
    {
        (ulong low, ulong high) = (Head, limit);
        while (low < high)
        {
            ulong middle = low + ((high - low) / 2);
            ulong found = _ring[middle].Id;
            if (found == id)
            {
                position = middle;
                return true;
            }

            (low, high) = found < id ? (middle + 1, high) : (low, middle);
        }

        position = low;
        return false;
    }

    private struct Slot
    {
        // The publishing id of the entry's last message, and the number of messages.
        public ulong Id;
        public PendingOperation? Sends;
        public int Count;
        public uint Time;
    }
}
