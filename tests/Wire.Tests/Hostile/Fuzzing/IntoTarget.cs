using System.Collections;
using Wire.Comparing;
using Wire.Testing.Fuzzing;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// What is read into an object of the seed that an input was made of is what is read anew, and what is refused is refused with the same
/// error.
/// </summary>
internal sealed class IntoTarget(Func<IEnumerable<Seed>> seeds) : Target("into", Routes.Payload)
{
    // Most inputs begin as the seed does that they are made of.
    private const int Beginning = 24;

    private static readonly Serializer Serializer = new(Configuration.Options(references: false, tolerance: true, dynamicCode: true));
    private static readonly Serializer Copies = new(Configuration.Options(references: true, tolerance: true, dynamicCode: true));

    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);

    private ILookup<string, object>? _objects;

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // It is read three times, and an object is copied before.
    public override long Allowance(byte[] input) => 8 * base.Allowance(input);

    public override object? Read(byte[] input)
    {
        _objects ??= Objects();
        foreach (object seed in _objects[KeyOf(input)].Take(1))
        {
            Compare(input, Copies.Clone(seed));
        }

        return null;
    }

    private static void Compare(byte[] input, object there)
    {
        (object? expected, Exception? error) = Try(() => Serializer.Deserialize<object>(input));
        (object? actual, Exception? other) = Try(() => Serializer.Deserialize(input, into: there));
        bool isOther = other is WireFormatException { Error: WireFormatError.TypeMismatch };
        if (expected is not null && expected.GetType() != there.GetType())
        {
            Assert.True(isOther);
            return;
        }

        // An array has its length, and a set its comparer.
        if (error is null && isOther && there is IEnumerable)
        {
            return;
        }

        Assert.True(
            error?.GetType() == other?.GetType() && error?.Message == other?.Message
                && (error as WireFormatException)?.Offset == (other as WireFormatException)?.Offset,
            $"Anew: {error}. Into an object: {other}");
        if (error is null)
        {
            Assert.Same(there, actual);
            GraphAssert.Same(expected, actual, withLeftOut: false);
        }
    }

    private static (object? Value, Exception? Error) Try(Func<object?> read)
    {
        try
        {
            return (read(), null);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException or UnsupportedTypeException)
        {
            return (null, e);
        }
    }

    private static string KeyOf(byte[] input) => Convert.ToHexString(input.AsSpan(0, Math.Min(Beginning, input.Length)));

    // Those that can be read into.
    private ILookup<string, object> Objects() => _seeds.Value
        .Select(seed => (seed.Bytes, Value: Serializer.Deserialize<object>(seed.Bytes)))
        .Where(seed => seed.Value is not null && CanBeReadInto(seed.Value, seed.Bytes))
        .ToLookup(seed => KeyOf(seed.Bytes), seed => seed.Value!);

    private static bool CanBeReadInto(object value, byte[] payload)
    {
        try
        {
            object copy = Copies.Clone(value);
            return ReferenceEquals(Serializer.Deserialize(payload, into: copy), copy);
        }
        catch (Exception e) when (e is UnsupportedTypeException or WireFormatException { Error: WireFormatError.TypeMismatch })
        {
            return false;
        }
    }
}
