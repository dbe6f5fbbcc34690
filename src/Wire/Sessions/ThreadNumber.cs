using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// A small number for each living thread that uses a serializer, for arrays by thread. The number of a thread that has ended is used again,
/// with another generation.
/// </summary>
internal sealed class ThreadNumber
{
    /// <summary>The number of a thread that has none: beyond every array.</summary>
    private const uint None = uint.MaxValue;

    private static readonly Lock Gate = new();
    private static readonly List<uint> Free = [];
    private static uint _count;
    private static uint _generation;

    // The complement, so that zero means none. A value is read faster than an object.
    [ThreadStatic]
    private static ulong _complement;

    // Kept alive by its thread alone.
    [ThreadStatic]
    private static ThreadNumber? _own;

    private readonly uint _number;

    private ThreadNumber(uint number) => _number = number;

    /// <summary>Returns the number to the next thread: runs when its thread has ended.</summary>
    ~ThreadNumber()
    {
        lock (Gate)
        {
            Free.Add(_number);
        }
    }

    /// <summary>
    /// Gets the number of the current thread in the lower half, and a generation in the upper one, so that no two threads have the same.
    /// The number is <see cref="None"/> until <see cref="Assign"/>.
    /// </summary>
    public static ulong Current
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ~_complement;
    }

    /// <summary>Returns <see cref="Current"/>, after assigning a number on first use.</summary>
    public static ulong Assign()
    {
        if ((uint)Current == None)
        {
            lock (Gate)
            {
                uint number = _count;
                if (Free.Count > 0)
                {
                    number = Free[^1];
                    Free.RemoveAt(Free.Count - 1);
                }
                else
                {
                    _count++;
                }

                _own = new ThreadNumber(number);
                _complement = ~(((ulong)++_generation << 32) | number);
            }
        }

        return Current;
    }
}
