using System.Numerics;

namespace Wire.Amqp.Primitives;

/// <summary>
/// The input that reading a value needs, for code that serves <see cref="AmqpReader"/>, whose input may be in segments and may not be
/// whole, and <see cref="ArrayReader"/>, which stays in registers.
/// </summary>
internal interface IByteReader
{
    /// <summary>Gets the number of bytes that are before the next one to be read.</summary>
    long Offset { get; }

    /// <summary>Gets the number of bytes that are left.</summary>
    long Remaining { get; }

    /// <summary>Reads a number of fixed width.</summary>
    T Read<T>()
        where T : unmanaged, IBinaryNumber<T>;

    /// <summary>Reads a number of fixed width without advancing.</summary>
    T Peek<T>()
        where T : unmanaged, IBinaryNumber<T>;

    /// <summary>Skips bytes.</summary>
    void Skip(long length);

    /// <summary>Takes bytes: the array that they are in, and where they begin.</summary>
    (byte[] Array, int Start) ReadArray(int length);

    /// <summary>Checks that the input has a stated length.</summary>
    void CheckRemaining(long length, string expected);
}
