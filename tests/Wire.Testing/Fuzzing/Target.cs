namespace Wire.Testing.Fuzzing;

/// <summary>A good input of a target.</summary>
public sealed record Seed(string Name, byte[] Bytes)
{
    public override string ToString() => Name;
}

/// <summary>
/// Something that reads bytes from outside, as the fuzzer tries it: good inputs, how they are read, and what must hold for all
/// others. A reader of another format is a class that derives from this one, and a line in a table of targets.
/// </summary>
public abstract class Target(string name, string format)
{
    /// <summary>What the target is called in regression vectors: it must not change.</summary>
    public string Name { get; } = name;

    /// <summary>The format of the inputs: targets with the same one try each other's.</summary>
    public string Format { get; } = format;

    /// <summary>Inputs that are read without an error.</summary>
    public abstract IReadOnlyList<Seed> Seeds { get; }

    /// <summary>Whether a seed without its last bytes is no input any more.</summary>
    public virtual bool IsClosed => false;

    /// <summary>
    /// What reading an input may allocate: a fixed part, mostly for the exception and its path, and so much for each byte.
    /// </summary>
    /// <remarks>
    /// Of few characters of a pattern .NET makes megabytes. These are counted before, and MaxAllocation is their bound. A type of F# is
    /// looked at by FSharp.Core's reflection, for which 168 KB were counted where the type is not kept.
    /// </remarks>
    public virtual long Allowance(byte[] input) => input.AsSpan().IndexOf("RegularExpressions"u8) >= 0
        ? Limits.Default.MaxAllocation
        : ((input.AsSpan().IndexOf("FSharp"u8) >= 0 ? 256 : 128) << 10) + (256L * input.Length);

    /// <summary>Reads an input.</summary>
    public abstract object? Read(byte[] input);

    /// <summary>Whether this is how the reader refuses an input, rather than a fault of it.</summary>
    public virtual bool IsRefusal(Exception e) => e is WireFormatException;

    /// <summary>What must hold for a value that was read.</summary>
    /// <exception cref="BrokenPromiseException">It does not hold.</exception>
    public virtual void Check(byte[] input, object? value)
    {
    }

    /// <summary>The reader reads good input as rightly as before, whatever it has met in between.</summary>
    /// <exception cref="BrokenPromiseException">It does not.</exception>
    public virtual void Probe()
    {
    }

    public override string ToString() => Name;
}

/// <summary>A promise of a reader that an input breaks.</summary>
public sealed class BrokenPromiseException(string kind, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>Which promise, in one word.</summary>
    public string Kind { get; } = kind;

    /// <summary>Where, when no inner exception says it: findings of one kind at one place are one finding.</summary>
    public string Place { get; init; } = "";
}
