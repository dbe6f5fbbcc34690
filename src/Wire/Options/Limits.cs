using Wire.Configuring;
using Wire.Values;

namespace Wire;

/// <summary>
/// Limits on the cost of a payload or an object graph. Immutable. A serializer with the same limits and types can read whatever another one
/// writes: a graph beyond a limit is refused on write with <see cref="ObjectGraphException"/>, a payload beyond it on read with <see
/// cref="WireFormatException"/> and <see cref="WireFormatError.Limit"/>. docs/limits.md in the package lists them in one table.
/// </summary>
public sealed record Limits
{
    /// <summary>The limits of <see cref="SerializerOptions.Default"/>.</summary>
    public static Limits Default { get; } = new();

    /// <summary>
    /// Gets the depth to which objects may contain objects, on write and read. At least 1; 1,000 by default, which only long chains of
    /// objects exceed. The serializer itself never overflows the stack, at any depth; your own classes' hash codes and comparisons of keys
    /// might.
    /// </summary>
    public int MaxDepth { get; init; } = 1000;

    /// <summary>
    /// Gets the number of elements that one collection may have, or of bytes of a big integer, on write and read. At least 0. By default
    /// 2,147,483,591, the most that an array can have: each element takes at least a byte of input, and <see cref="MaxAllocation"/> bounds
    /// the memory, so a smaller default would refuse valid data and stop no attack.
    /// </summary>
    public int MaxElements { get; init; } = Array.MaxLength;

    /// <summary>
    /// Gets the number of objects that one message may have, on write and read: every instance of a class, array or boxed struct. Strings,
    /// boxed built-in values and structs inside other objects are not counted. At least 1; 16,777,216 by default, which take 400 MB if they
    /// are of the smallest size, and as much again when <see cref="SerializerOptions.PreserveObjectReferences"/> numbers them.
    /// </summary>
    public int MaxObjects { get; init; } = 1 << 24;

    /// <summary>
    /// Gets the number of bytes of memory that one message may take when it is read, on write and read, estimated before each allocation:
    /// the fields of each object, the elements and the overhead of each collection, the characters of strings of 64 characters or more. At
    /// least 1; 1,073,741,824 by default: ten times a legitimate 100 MB, and bearable for a server. Not counted are shorter strings and
    /// boxed values, which take less than 24 bytes for each byte of the payload; nor memory that user code, such as constructors and
    /// surrogates of your own, allocates; nor arrays that growing collections discard.
    /// </summary>
    public long MaxAllocation { get; init; } = 1 << 30;

    /// <summary>
    /// Gets the number of characters (UTF-16 code units) that one string may have, on write and read. At least 64, so that short strings
    /// need no check. By default 1,073,741,791, the most that .NET allows and that can be set: a character takes at least a byte of input,
    /// and <see cref="MaxAllocation"/> bounds the memory.
    /// </summary>
    public int MaxStringLength { get; init; } = StringFormat.MaxLength;

    /// <summary>
    /// Gets the number of bytes that a payload may have, on write and read. At least 1; 2,147,483,647 by default: no .NET array holds more.
    /// </summary>
    public long MaxBytes { get; init; } = int.MaxValue;

    /// <summary>
    /// Gets the number of bytes that a frame of a framed stream may have, on write and read; a larger one is refused on write with <see
    /// cref="ArgumentException"/>. At least 1; 67,108,864 by default, because a whole frame lies in memory before it is read.
    /// </summary>
    public int MaxFrameBytes { get; init; } = 1 << 26;

    /// <summary>
    /// Gets the number of types that one session, or one payload outside of a session, may define, on write and read. From 1 to 65,536, the
    /// most that the format can number; 4,096 by default: more than programs send.
    /// </summary>
    public int MaxManifests { get; init; } = 4096;

    /// <summary>
    /// Gets the number of bytes that the type definitions of a session, over all its messages, or of one payload outside of a session may
    /// take, on write and read. At least 1; 4,194,304 by default: a kilobyte for each of <see cref="MaxManifests"/> types. A session keeps
    /// each definition until it ends, in up to sixty times its bytes of memory, which <see cref="MaxAllocation"/> does not count: 250 MB at
    /// most.
    /// </summary>
    public int MaxManifestBytes { get; init; } = 1 << 22;

    /// <summary>
    /// Gets the number of schemas of one type, other than the program's own, for which a serializer keeps readers. At least 0; 64 by
    /// default: more versions of a type than run at the same time. A further schema replaces the oldest, whose reader is made again when
    /// needed. Nothing is refused.
    /// </summary>
    public int MaxSchemas { get; init; } = 64;

    /// <summary>
    /// Gets the number of constructed generic types and arrays that payloads may make one serializer load, beyond those that the program
    /// uses; the same number applies to generic methods of delegates, members and expressions, to signatures of lambdas, and to cultures
    /// that the machine does not list. At least 0; 4,096 by default. The runtime never frees these. Types that the program has written with
    /// the serializer, that the requested types declare, or that the options name are not counted and are always read.
    /// </summary>
    public int MaxConstructedTypes { get; init; } = 4096;

    /// <summary>
    /// Gets the number of collisions in hash tables that the keys of one payload's collections may have, beyond a few per key. At least 0;
    /// 1,048,576 by default, which takes a few milliseconds: a collection of about 1,400 keys with the same hash code can still be read.
    /// Without this limit, keys chosen to collide would take time that grows with the square of their number. Strings are not counted where
    /// .NET hashes them with a secret of the process. An <see cref="System.Dynamic.ExpandoObject"/> compares each member's name with all
    /// earlier ones, so it can have about 1,400 members; and with <see cref="FrameworkSurrogates"/>, a collection or container of cookies
    /// 4,096 of these.
    /// </summary>
    public long MaxCollisions { get; init; } = 1 << 20;

    /// <summary>Lists the values that differ from <see cref="Default"/> on one line, for logs.</summary>
    public override string ToString() => OptionsText.Describe(this, Default);

    internal void Validate()
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDepth, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxElements);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxObjects, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxAllocation, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxStringLength, StringFormat.MaxUncounted + 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxStringLength, StringFormat.MaxLength);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxBytes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxFrameBytes, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxManifests, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxManifests, ushort.MaxValue + 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxManifestBytes, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxSchemas);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxConstructedTypes);
        ArgumentOutOfRangeException.ThrowIfNegative(MaxCollisions);
    }
}
