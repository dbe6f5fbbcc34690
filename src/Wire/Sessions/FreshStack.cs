using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Wire.Sessions;

/// <summary>
/// Continues one value on a fresh stack. The writer or reader stays on the stack of the waiting thread.
/// </summary>
internal static unsafe class FreshStack
{
    // Hashing or comparing one level of a key takes less.
    private const int LevelSize = 1 << 10;

    private const int Step = 16;

    /// <summary>Returns whether the stack has room for that many levels of a key.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static bool IsNotNeededFor(int levels)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return false;
        }

        if (levels <= 2 * Step)
        {
            return true;
        }

        // .NET reports only whether there is room for a few: so descend, and ask again.
        byte* space = stackalloc byte[Step * LevelSize];
        *space = 0;
        return IsNotNeededFor(levels - Step);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ref WireWriter writer, ValueSerializer serializer, object value)
    {
        void* place = Unsafe.AsPointer(ref writer);
        writer.Session.Path.RunOnFreshStack(() => serializer.WriteObject(ref Unsafe.AsRef<WireWriter>(place), value));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static object Read(ref WireReader reader, ValueSerializer serializer)
    {
        void* place = Unsafe.AsPointer(ref reader);
        object? value = null;
        reader.Session.Path.RunOnFreshStack(() => value = serializer.ReadObject(ref Unsafe.AsRef<WireReader>(place)));
        return value!;
    }

    /// <param name="writer">The writer.</param>
    /// <param name="write">Writes the value.</param>
    /// <param name="location">The value: a variable, or an element of an array, which must not move meanwhile.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ref WireWriter writer, ObjectWriter write, ref byte location)
    {
        void* place = Unsafe.AsPointer(ref writer);
        fixed (byte* pinned = &location)
        {
            byte* value = pinned;
            writer.Session.Path.RunOnFreshStack(() => write(ref Unsafe.AsRef<WireWriter>(place), ref *value));
        }
    }

    /// <param name="reader">The reader.</param>
    /// <param name="read">Reads the value.</param>
    /// <param name="location">The destination: a variable, or an element of an array, which must not move meanwhile.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Read(ref WireReader reader, ObjectReader read, ref byte location)
    {
        void* place = Unsafe.AsPointer(ref reader);
        fixed (byte* pinned = &location)
        {
            byte* value = pinned;
            reader.Session.Path.RunOnFreshStack(() => read(ref Unsafe.AsRef<WireReader>(place), ref *value));
        }
    }

    /// <summary>Runs the action on a separate thread while this one waits. Exceptions are rethrown.</summary>
    public static void Run(ThreadStart action)
    {
        const int StackSize = 64 << 20;
        ExceptionDispatchInfo? failure = null;
        var worker = new Thread(
            () =>
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    failure = ExceptionDispatchInfo.Capture(e);
                }
            },
            StackSize)
        { IsBackground = true, Name = "Wire: deep graph" };
        worker.Start();
        if (Wait(worker) && failure?.SourceException is not ThreadInterruptedException)
        {
            // Nothing was deferred on the other thread: the state returns to this one.
            Thread.CurrentThread.Interrupt();
        }

        failure?.Throw();
    }

    // The worker uses variables on the stack of this thread, so only its end may end the wait: an interrupt of this thread is passed on to
    // the worker.
    private static bool Wait(Thread worker)
    {
        bool interrupted = false;
        while (true)
        {
            try
            {
                worker.Join();
                return interrupted;
            }
            catch (ThreadInterruptedException)
            {
                interrupted = true;
                worker.Interrupt();
            }
        }
    }
}
