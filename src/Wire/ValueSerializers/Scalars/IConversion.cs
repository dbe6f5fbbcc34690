namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// How values of a type are turned into values of another one that says the same, and back. The two methods may throw what
/// <see cref="ConvertedSerializer{T, TWritten}"/> turns into a <see cref="WireFormatException"/>, and nothing else for bad bytes.
/// </summary>
internal interface IConversion<T, TWritten>
{
    static abstract TWritten To(T value);

    static abstract T From(TWritten written);

    /// <summary>About how many bytes of memory making the value takes, beside its own fields and what is written.</summary>
    static virtual long Overhead(TWritten written) => 0;

    /// <summary>Whether null says something, too.</summary>
    static virtual bool NullIsValue => false;
}

/// <summary>A type that is written by a conversion.</summary>
internal sealed class ConversionSerializer<T, TWritten, TConversion>(ValueSerializer<TWritten> slot)
    : ConvertedSerializer<T, TWritten>(slot, TConversion.To, TConversion.From, TConversion.NullIsValue)
    where TConversion : IConversion<T, TWritten>
{
    private protected override long OverheadOf(TWritten written) => TConversion.Overhead(written);

    private protected override ValueSerializer With(ValueSerializer<TWritten> adapted) => new ConversionSerializer<T, TWritten, TConversion>(adapted);
}
