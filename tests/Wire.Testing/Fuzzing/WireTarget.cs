using System.Text;
using Wire.Comparing;

namespace Wire.Testing.Fuzzing;

/// <summary>A serializer with some options, and a way of reading with it.</summary>
/// <param name="name">The name.</param>
/// <param name="options">The options to read with.</param>
/// <param name="route">The way of reading.</param>
/// <param name="seeds">Good inputs; they are made when the target is first used.</param>
public sealed class WireTarget<T>(string name, SerializerOptions options, Route<T> route, Func<IEnumerable<Seed>> seeds)
    : Target(name, route.Format)
{
    /// <summary>The flag in the header of payloads with references (docs/format.md, clause 1).</summary>
    private const byte References = 0x02;

    private const int MaxProbes = 20;

    private const int MostCollections = 10;

    // What lies in the order of hash codes: writing it, reading it and writing it again need not give the same bytes, because the
    // order inside a bucket depends on the order of adding, and the hash codes of objects are made up anew.
    private static readonly byte[][] Unordered =
    [
        .. new[]
        {
            "ConcurrentDictionary", "Hashtable", "HybridDictionary", "StringDictionary", "Immutable", "Frozen", "DictionaryBase",
            "GoldenOldDictionary",
        }.Select(Encoding.ASCII.GetBytes),
    ];

    private readonly Serializer _copies = new(options with { PreserveObjectReferences = false });
    private readonly Serializer _references = new(options with { PreserveObjectReferences = true });
    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);
    private List<(Seed Seed, byte[] Written)>? _probes;
    private int _probe;

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    public override bool IsClosed => route.IsClosed;

    // Every message of a session may be refused, each by an exception of its own.
    public override long Allowance(byte[] input) => (Format == Routes.Messages ? 5 : 1) * base.Allowance(input);

    public override object? Read(byte[] input) => route.Read(Of(input), input);

    /// <summary>
    /// What was read finds its own keys, and can be written, and that be read again: the same graph comes of it, and the same bytes.
    /// </summary>
    public override void Check(byte[] input, object? value)
    {
        Serializer serializer = Of(input);
        object? target = TargetOf(value);
        Hold("keys", "What was read", () => GraphAssert.FindsItsKeys(value));
        byte[] written;
        try
        {
            written = Write(serializer, value);
        }
        catch (BrokenPromiseException e) when (
                e.InnerException is NotSupportedException { InnerException: WireFormatException { Error: WireFormatError.Manifest } })
        {
            // A type that is named deep enough has a schema that is too deep for a payload, and can be read with a smaller one.
            return;
        }

        T? again;
        object? targetAgain;
        try
        {
            // The collector may come just before the target is held, but not each time.
            int left = MostCollections;
            do
            {
                again = route.Read(serializer, written);
                targetAgain = TargetOf(again);
            }
            while (target is not null && targetAgain is null && left-- > 0);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.Limit)
        {
            // What converts a value while it is read may make it deeper than it was in the bytes.
            return;
        }
        catch (Exception e)
        {
            throw new BrokenPromiseException(
                "unreadable", $"What was read is written as {Convert.ToHexString(written)}, which cannot be read.", e);
        }

        // Messages may each have references or not.
        bool? sharing = Format == Routes.Messages ? null : ReferenceEquals(serializer, _references);
        Hold(
            "different",
            $"What was read, and written as {Convert.ToHexString(written)},",
            () => GraphAssert.Same(value, again, sharing, withLeftOut: !options.UseSerializationCallbacks));
        byte[] twice = Write(serializer, again);
        GC.KeepAlive(target);
        GC.KeepAlive(targetAgain);
        if (!written.AsSpan().SequenceEqual(twice) && !Array.Exists(Unordered, name => written.AsSpan().IndexOf(name) >= 0))
        {
            throw new BrokenPromiseException("unstable", $"What was read is written as {Convert.ToHexString(
                written)}, and that, when it has been read, as {Convert.ToHexString(twice)}.")
            {
                Place = LastTypeBefore(written, written.AsSpan().CommonPrefixLength(twice)),
            };
        }
    }

    public override void Probe()
    {
        _probes ??= Probes();
        if (_probes.Count == 0)
        {
            return;
        }

        (Seed seed, byte[] written) = _probes[_probe++ % _probes.Count];
        Serializer serializer = Of(seed.Bytes);
        byte[] now;
        try
        {
            now = route.Write(serializer, route.Read(serializer, seed.Bytes));
        }
        catch (Exception e)
        {
            throw new BrokenPromiseException("probe", $"The seed {seed} is not read any more.", e);
        }

        if (!written.AsSpan().SequenceEqual(now))
        {
            throw new BrokenPromiseException(
                "probe", $"The seed {seed} was read as {Convert.ToHexString(written)}, and now as {Convert.ToHexString(now)}.");
        }
    }

    // What a weak reference leads to would be collected before it is compared.
    private static object? TargetOf(object? value)
    {
        if (value is WeakReference weak)
        {
            return weak.Target;
        }

        if (value?.GetType() is not { IsConstructedGenericType: true } type || type.GetGenericTypeDefinition() != typeof(WeakReference<>))
        {
            return null;
        }

        object?[] arguments = [null];
        type.GetMethod(nameof(WeakReference<>.TryGetTarget))!.Invoke(value, arguments);
        return arguments[0];
    }

    private static void Hold(string kind, string what, Action check)
    {
        try
        {
            check();
        }
        catch (GraphDifferenceException e)
        {
            throw new BrokenPromiseException(kind, $"{what} is not as it should be: {e.Message}") { Place = e.Kind };
        }
    }

    // Values that are written with references keep the cycles and the sharing that they were read with.
    private Serializer Of(byte[] input)
    {
        int header = Format == Routes.Messages ? sizeof(uint) : 0;
        return input.Length > header && (input[header] & References) != 0 ? _references : _copies;
    }

    // So that what goes wrong with one type is one finding, whatever it is found in.
    private static string LastTypeBefore(byte[] payload, int offset) => PayloadDump.Describe(payload).Split('\n')
        .Where(line => line.Contains("name: \"", StringComparison.Ordinal) && Convert.ToInt32(line[..6], 16) <= offset)
        .Select(line => line[line.IndexOf('"', StringComparison.Ordinal)..])
        .LastOrDefault("");

    private byte[] Write(Serializer serializer, object? value)
    {
        try
        {
            return route.Write(serializer, (T?)value);
        }
        catch (ObjectGraphException) when (Format == Routes.Messages && ReferenceEquals(serializer, _copies))
        {
            // One of the later messages had references.
            return route.Write(_references, (T?)value);
        }
        catch (Exception e) when (e is not BrokenPromiseException)
        {
            throw new BrokenPromiseException("unwritable", "What was read cannot be written.", e);
        }
    }

    private List<(Seed Seed, byte[] Written)> Probes()
    {
        var probes = new List<(Seed, byte[])>();
        int step = Math.Max(1, Seeds.Count / MaxProbes);
        foreach (Seed seed in Seeds.Where((_, i) => i % step == 0))
        {
            Serializer serializer = Of(seed.Bytes);
            byte[] written = route.Write(serializer, route.Read(serializer, seed.Bytes));
            if (written.AsSpan().SequenceEqual(route.Write(serializer, route.Read(serializer, seed.Bytes))))
            {
                probes.Add((seed, written));
            }
        }

        return probes;
    }
}
