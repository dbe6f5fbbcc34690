using System.Buffers;
using System.Runtime.ExceptionServices;
using Wire.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Testing.Fuzzing;

/// <summary>
/// A reader of AMQP that goes through the whole input and writes again what it has read. Whether the input lies in one piece or in
/// segments must not matter, and what was written must be written the same when it is read.
/// </summary>
/// <param name="name">The name.</param>
/// <param name="format">The format of the inputs.</param>
/// <param name="seeds">Good inputs; they are made when the target is first used.</param>
/// <param name="copy">Reads an input and writes what it has read.</param>
public sealed class AmqpTarget(string name, string format, Func<IEnumerable<Seed>> seeds, Func<ReadOnlySequence<byte>, byte[]> copy)
    : Target(name, format)
{
    private const int Segment = 3;

    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);
    private int _probe;

    /// <summary>What reading may allocate beside what each byte may.</summary>
    public long Fixed { get; init; }

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // Each segment is an object, and what lies across segments is copied.
    public override long Allowance(byte[] input) => Fixed + (2 * base.Allowance(input));

    public override bool IsRefusal(Exception e) => e is AmqpFormatException || base.IsRefusal(e);

    public override object? Read(byte[] input)
    {
        (byte[]? whole, Exception? refusal) = Try(new ReadOnlySequence<byte>(input));
        (byte[]? parts, Exception? otherRefusal) = Try(Fragments.Every(input, Segment));
        if (Describe(refusal) != Describe(otherRefusal))
        {
            throw new BrokenPromiseException("segments", $"In one piece: {Describe(refusal)}; in segments: {Describe(otherRefusal)}.");
        }

        if (refusal is not null)
        {
            ExceptionDispatchInfo.Throw(refusal);
        }

        return whole.AsSpan().SequenceEqual(parts)
            ? whole
            : throw new BrokenPromiseException(
                "segments", $"In one piece: {Convert.ToHexString(whole!)}; in segments: {Convert.ToHexString(parts!)}.");
    }

    public override void Check(byte[] input, object? value)
    {
        byte[] written = (byte[])value!;
        byte[] twice;
        try
        {
            twice = copy(new ReadOnlySequence<byte>(written));
        }
        catch (Exception e)
        {
            throw new BrokenPromiseException(
                "unreadable", $"What was read is written as {Convert.ToHexString(written)}, which cannot be read.", e);
        }

        if (!written.AsSpan().SequenceEqual(twice))
        {
            throw new BrokenPromiseException("unstable", $"What was read is written as {Convert.ToHexString(
                written)}, and that, when it has been read, as {Convert.ToHexString(twice)}.");
        }
    }

    public override void Probe()
    {
        Seed seed = Seeds[_probe++ % Seeds.Count];
        try
        {
            Check(seed.Bytes, Read(seed.Bytes));
        }
        catch (Exception e)
        {
            throw new BrokenPromiseException("probe", $"The seed {seed} is not read any more.", e);
        }
    }

    private (byte[]? Copy, Exception? Refusal) Try(in ReadOnlySequence<byte> input)
    {
        try
        {
            return (copy(input), null);
        }
        catch (Exception e) when (IsRefusal(e))
        {
            return (null, e);
        }
    }

    private static string Describe(Exception? refusal) => refusal switch
    {
        null => "no error",
        AmqpFormatException e => $"{e.Error} at {e.Offset}, {e.Missing} missing",
        WireFormatException e => $"{e.Error} at {e.Offset}",
        _ => refusal.Message,
    };
}
