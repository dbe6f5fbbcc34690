using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using Shop;
using Wire;

// Round trips of everything that a trimmer, a single file or code compiled beforehand could break. Each looks at types, values and
// sharing one by one; the exit code is the number of those that failed.
// bytes: writes a hash of what each has written. advice: goes on where a type is refused, so that one run tells of as many as it can.
if (args is ["first"])
{
    var first = new Serializer();
    Order order = first.Deserialize<Order>(first.Serialize(Order.Example()))!;
    Console.WriteLine($"{order.Number} {(DateTime.UtcNow - Process.GetCurrentProcess().StartTime.ToUniversalTime()).TotalMilliseconds:F0}");
    return 0;
}

int failed = 0;
Trips.GoesOn = args.Contains("advice");
foreach (bool dynamicCode in RuntimeFeature.IsDynamicCodeSupported ? new[] { true, false } : [false])
{
    var options = new SerializerOptions
    {
        DynamicCode = dynamicCode,
        TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop"),
        Types = Rows.Types,
    };
    foreach ((string name, Action<SerializerOptions> trip) in Trips.All)
    {
        try
        {
            // The second time by compiled code, where there is any.
            for (int i = 0; i < 2; i++)
            {
                trip(options);
            }

            if (Trips.Refused() is { } refused)
            {
                throw refused;
            }

            if (args.Contains("bytes"))
            {
                Console.WriteLine($"{name}: {Trips.Written()}");
            }
        }
        catch (Exception e)
        {
            failed++;
            Console.WriteLine($"FAILED {name}, DynamicCode = {dynamicCode}: {e.GetType().Name}: {e.Message}");
            Console.WriteLine(new StackTrace(e));
            Trips.Written();
            Trips.Refused();
        }
    }
}

Console.WriteLine($"{Trips.All.Length} round trips, {failed} failed");
return failed;

internal static partial class Trips
{
    private static IncrementalHash _written = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

    private static UnsupportedTypeException? _refused;

    /// <summary>Whether a trip goes on with what it has when a type is refused.</summary>
    public static bool GoesOn { get; set; }

    public static (string Name, Action<SerializerOptions> Run)[] All => [.. Graphs, .. Values, .. Messages];

    // The hash of all payloads since the last call.
    public static string Written() => Convert.ToHexStringLower(_written.GetHashAndReset().AsSpan(0, 8));

    // The first refusal since the last call, where trips go on.
    public static UnsupportedTypeException? Refused()
    {
        UnsupportedTypeException? refused = _refused;
        _refused = null;
        return refused;
    }

    // What is read, or rather a copy of that.
    private static T Copy<T>(SerializerOptions options, T value)
    {
        var serializer = new Serializer(options);
        try
        {
            return serializer.Clone(serializer.Deserialize<T>(Noted(serializer.Serialize(value))))!;
        }
        catch (UnsupportedTypeException e) when (GoesOn)
        {
            Console.WriteLine($"REFUSED {e.Message}");
            _refused ??= e;
            return value;
        }
    }

    private static byte[] Noted(byte[] payload)
    {
        _written.AppendData(payload);
        return payload;
    }

    private static void Same<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"{actual} instead of {expected}");
        }
    }
}

