using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Wire.Format;

namespace Wire.Sessions;

/// <summary>
/// Continues with one value on a fresh stack. The writer or reader stays where it is, on the stack of the thread that waits.
/// </summary>
internal static unsafe class FreshStack
{
    // Hashing or comparing one level of a key takes less.
    private const int LevelSize = 1 << 10;

    private const int Step = 16;

    /// <summary>Says whether the stack bears going down so many levels of a key.</summary>
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

        // .NET tells only whether there is enough for a few: so go down, and ask again.
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
    /// <param name="location">The value: a variable on the stack of the thread that waits.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ref WireWriter writer, ObjectWriter write, ref byte location)
    {
        void* place = Unsafe.AsPointer(ref writer);
        byte* value = (byte*)Unsafe.AsPointer(ref location);
        writer.Session.Path.RunOnFreshStack(() => write(ref Unsafe.AsRef<WireWriter>(place), ref *value));
    }

    /// <param name="reader">The reader.</param>
    /// <param name="read">Reads the value.</param>
    /// <param name="location">Where the value goes: a variable on the stack of the thread that waits.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Read(ref WireReader reader, ObjectReader read, ref byte location)
    {
        void* place = Unsafe.AsPointer(ref reader);
        byte* value = (byte*)Unsafe.AsPointer(ref location);
        reader.Session.Path.RunOnFreshStack(() => read(ref Unsafe.AsRef<WireReader>(place), ref *value));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Skip(ref WireReader reader, Shape shape, Skipper.Levels? above)
    {
        void* place = Unsafe.AsPointer(ref reader);
        reader.Session.Path.RunOnFreshStack(() => Skipper.SkipHere(ref Unsafe.AsRef<WireReader>(place), shape, above));
    }

    /// <summary>Runs the action on a thread with a stack of its own, while this one waits. Exceptions come through.</summary>
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
            // Nothing waited on the other thread: then it is this one's again.
            Thread.CurrentThread.Interrupt();
        }

        failure?.Throw();
    }

    // The worker continues with what lies on the stack of this thread, so that nothing but its end ends the wait: who interrupts
    // this thread means what it waits for.
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
