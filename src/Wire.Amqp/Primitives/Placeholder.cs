
namespace Wire.Amqp.Primitives;

/// <summary>Bytes of a buffer that are filled in later.</summary>
/// <param name="Array">The array that has them.</param>
/// <param name="Start">Where.</param>
/// <param name="Length">How many.</param>
internal readonly record struct Placeholder(byte[] Array, int Start, int Length)
{
    public Span<byte> Span => Array.AsSpan(Start, Length);

    public Placeholder this[Range range]
    {
        get
        {
            (int start, int length) = range.GetOffsetAndLength(Length);
            return new Placeholder(Array, Start + start, length);
        }
    }
}
