using System.Collections.Concurrent;
using System.Diagnostics;
using System.Reflection;
using Wire.Comparing;

namespace Wire.Testing.Fuzzing;

/// <summary>A promise that an input breaks.</summary>
/// <param name="Target">The target.</param>
/// <param name="Kind">Which promise, in one word.</param>
/// <param name="Place">Where in the library, as far as that is known: findings of one kind at one place are one finding.</param>
/// <param name="Message">What has happened.</param>
public sealed record Finding(string Target, string Kind, string Place, string Message)
{
    public string Signature => $"{Kind} {Place}";
}

/// <summary>What became of an input.</summary>
public readonly record struct Verdict(Finding? Finding, bool IsRead);

/// <summary>
/// Tries an input on a target: what comes out is a value or a refusal, within bounds of time and memory; a value passes the
/// target's own checks; and no assembly that is not .NET's was loaded. Only stack overflows and endless loops are left to others.
/// </summary>
public static class Oracle
{
    // What a refusal may allocate for each method that it leaves: the runtime notes them, in arrays that grow.
    private const long AllowancePerFrame = 256;

    private const int Frames = 2;
    private const int Repeats = 5;

    /// <summary>How long a case may take. So long a time does not pass twice by chance.</summary>
    public static readonly TimeSpan Hang = TimeSpan.FromSeconds(5);

    private static readonly string Runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
    private static readonly ConcurrentQueue<(string Assembly, StackTrace By)> Loaded = new();

    static Oracle()
    {
        // What is compared with is here before any input is.
        GraphAssert.FindsItsKeys(null);
        AppDomain.CurrentDomain.AssemblyLoad += (_, e) =>
        {
            if (!e.LoadedAssembly.IsDynamic && Path.GetDirectoryName(e.LoadedAssembly.Location) != Runtime)
            {
                Loaded.Enqueue((e.LoadedAssembly.GetName().Name!, new StackTrace()));
            }
        };
    }

    public static Verdict Judge(Target target, byte[] input)
    {
        Loaded.Clear();
        Attempt attempt = Attempt.Make(target, input);
        long allowance = target.Allowance(input);
        for (int again = 1; again < (attempt.Taken > Hang ? 2 : Repeats) && !attempt.IsWithin(allowance); again++)
        {
            // A type or schema that is met for the first time costs more, once, and so does the runtime's own work in between.
            attempt = Attempt.Make(target, input);
        }

        if (attempt.Allocated > allowance && attempt.Failure is not null)
        {
            allowance += AllowancePerFrame * new StackTrace(attempt.Failure).FrameCount;
        }

        Finding? finding = attempt.Failure switch
        {
            BrokenPromiseException e => Broken(target, e),
            { } e when !target.IsRefusal(e) && !IsOfUser(e) => Thrown(target, "exception", e),
            _ when attempt.Allocated > allowance => new Finding(
                target.Name, "allocation", PlaceOf(attempt.Failure), $"{attempt.Allocated} bytes are allocated for {input.Length}."),
            _ when attempt.Taken > Hang => new Finding(target.Name, "time", PlaceOf(attempt.Failure), $"It takes {attempt.Taken}."),
            _ => null,
        };
        finding ??= attempt.Failure is null ? Check(target, input, attempt.Value) : null;
        if (finding is null && Loaded.TryDequeue(out (string Assembly, StackTrace By) loaded))
        {
            finding = new Finding(
                target.Name,
                "assembly",
                $"{loaded.Assembly} {PlaceOf(loaded.By)}",
                $"The assembly {loaded.Assembly} was loaded.\n{loaded.By}");
        }

        return new Verdict(finding, attempt.Failure is null);
    }

    /// <summary>Whether the target still reads good input.</summary>
    public static Finding? Probe(Target target)
    {
        try
        {
            target.Probe();
            return null;
        }
        catch (BrokenPromiseException e)
        {
            return Broken(target, e);
        }
    }

    // A value serializer, a callback, a property that an exception's message is made of: what such code throws comes out as it is.
    private static bool IsOfUser(Exception e) => new StackTrace(e).GetFrames()
        .Select(frame => frame.GetMethod()?.DeclaringType?.Assembly)
        .FirstOrDefault(assembly => assembly is not null && Path.GetDirectoryName(assembly.Location) != Runtime) is { } thrower
            && !IsLibrary(thrower);

    private static bool IsLibrary(Assembly assembly) =>
        assembly.GetName().Name
            is "Wire" or "Wire.Inspection" or "Wire.FSharp" or "Wire.Amqp" or "Wire.Transport" or "Wire.RabbitMQ.Streams";

    private static Finding? Check(Target target, byte[] input, object? value)
    {
        try
        {
            target.Check(input, value);
            return null;
        }
        catch (BrokenPromiseException e)
        {
            return e.InnerException is { } inner && IsOfUser(inner) ? null : Broken(target, e);
        }
        catch (Exception e)
        {
            return IsOfUser(e) ? null : Thrown(target, "check", e);
        }
    }

    private static Finding Broken(Target target, BrokenPromiseException e) =>
        e.InnerException is null
            ? new Finding(target.Name, e.Kind, e.Place, e.Message)
            : Thrown(target, e.Kind, e.InnerException) with { Message = $"{e.Message}\n{e.InnerException}" };

    private static Finding Thrown(Target target, string kind, Exception e) =>
        new(target.Name, kind, $"{e.GetType().Name} {PlaceOf(e)}", e.ToString());

    // The innermost methods of the library. Emitted code has no type and is passed over.
    private static string PlaceOf(Exception? e) => e is null ? "" : PlaceOf(new StackTrace(e));

    private static string PlaceOf(StackTrace trace)
    {
        IEnumerable<string> places =
            from frame in trace.GetFrames()
            let method = frame.GetMethod()
            let type = method?.DeclaringType
            where type is not null && IsLibrary(type.Assembly) && type != typeof(WireFormatException) && type.Name != "Throw"
            select $"{(type.IsGenericType ? type.Name.Split('`')[0] : type.Name)}.{method.Name}";
        return string.Join(" < ", places.Take(Frames));
    }

    private readonly record struct Attempt(object? Value, Exception? Failure, long Allocated, TimeSpan Taken)
    {
        public bool IsWithin(long allowance) => Allocated <= allowance && Taken <= Hang;

        public static Attempt Make(Target target, byte[] input)
        {
            long start = Stopwatch.GetTimestamp();
            long before = GC.GetAllocatedBytesForCurrentThread();
            object? value = null;
            Exception? failure = null;
            try
            {
                value = target.Read(input);
            }
            catch (Exception e)
            {
                failure = e;
            }

            return new Attempt(value, failure, GC.GetAllocatedBytesForCurrentThread() - before, Stopwatch.GetElapsedTime(start));
        }
    }
}
