namespace Wire.Migration.Reading;

/// <summary>Takes values that exist already. In the bytes each is one that says nothing.</summary>
/// <param name="next">Returns the next one.</param>
internal sealed class GivenSerializer<T>(Func<object?> next) : ValueSerializer<T>
{
    public override void Write(ref WireWriter writer, T value) =>
        throw new NotSupportedException("What takes values that exist already is never written with.");

    public override T Read(ref WireReader reader)
    {
        reader.ReadByte();
        return (T)next()!;
    }
}
