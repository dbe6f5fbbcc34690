using System.Runtime.CompilerServices;
using Wire.Copying;

namespace Wire.Sessions;

/// <summary>
/// The cached sessions of one serializer, a pair per thread. The serializer holds them, and threads hold only their number: so they live as
/// long as the serializer, and a thread that ends leaves its pair to the next one with its number.
/// </summary>
internal sealed class ThreadSessions
{
    private readonly Lock _gate = new();
    private Pair?[] _pairs = [];

    /// <summary>Gets the pair of the current thread.</summary>
    public Pair Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ulong thread = ThreadNumber.Current;
            Pair?[] pairs = _pairs;
            uint number = (uint)thread;
            return number < (uint)pairs.Length && pairs[number] is { } pair && pair.Owner == thread ? pair : Add();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Pair Add()
    {
        ulong thread = ThreadNumber.Assign();
        uint number = (uint)thread;
        lock (_gate)
        {
            if (number >= _pairs.Length)
            {
                Array.Resize(ref _pairs, (int)(number + 1 + (number >> 1)));
            }

            Pair pair = _pairs[number] ??= new Pair();
            if (pair.Owner != thread)
            {
                pair.MoveTo(thread);
            }

            return pair;
        }
    }

    /// <summary>The cached sessions of one thread, which are made on first use.</summary>
    internal sealed class Pair
    {
        /// <summary>Gets the thread, as <see cref="ThreadNumber.Current"/> names it.</summary>
        public ulong Owner { get; private set; }

        public SerializerSession? Writing { get; set; }

        public DeserializerSession? Reading { get; set; }

        /// <summary>Gets or sets the table for the next graph that is copied; null while it is in use.</summary>
        public CopiedObjects? Copied { get; set; }

        /// <summary>Hands the sessions of an ended thread to another one, whose stack is elsewhere.</summary>
        public void MoveTo(ulong thread)
        {
            Owner = thread;
            Writing?.Path.Start(sameThread: false);
            Reading?.Path.Start(sameThread: false);
        }
    }
}
