namespace Wire.Benchmarks;

/// <summary>One way to write and read a value. Implemented by structs, so that each row gets loops of its own, without interface calls.</summary>
/// <remarks>A codec for messages of nanoseconds should not be generic over their class: such code is shared by all classes, and slower for it.</remarks>
internal interface ICodec<T>
{
    /// <summary>Writes into memory that the codec reuses; the bytes are valid until the next call.</summary>
    ReadOnlySpan<byte> Write(T value);

    /// <summary>Reads a value back.</summary>
    T Read(ReadOnlySpan<byte> payload);
}
