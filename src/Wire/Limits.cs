using Wire.Diagnostics;
using Wire.Format;

namespace Wire;

/// <summary>
/// Limits of what a payload, or an object graph, may cost. Immutable. What a serializer writes, one with the same limits and types can
/// read: a graph beyond a limit is refused on write with <see cref="ObjectGraphException"/>, a payload beyond it on read with <see
/// cref="WireFormatException"/> and <see cref="WireFormatError.Limit"/>. docs/limits.md has all of them in one table.
/// </summary>
public sealed record Limits
{
    /// <summary>The limits of <see cref="SerializerOptions.Default"/>.</summary>
    public static Limits Default { get; } = new();

    /// <summary>
    /// Gets the depth to which objects may contain objects, on write and read. At least 1; 1,000 by default, deeper than graphs without a
    /// chain of objects are. Any depth is safe for the stack of the serializer itself; hash codes and comparisons of keys that your own
    /// classes define are theirs.
    /// </summary>
    public int MaxDepth { get; init; } = 1000;

    /// <summary>
    /// Gets the number of elements that one collection may have, or of bytes of a big integer, on write and read. At least 0. By default
    /// 2,147,483,591, as many as an array can have: an element takes at least a byte of input, and <see cref="MaxAllocation"/> bounds the
    /// memory, so that a smaller default would refuse honest blobs and stop no one.
    /// </summary>
    public int MaxElements { get; init; } = Array.MaxLength;

    /// <summary>
    /// Gets the number of objects that one message may have, on write and read: all that are written with a type, a tag for an array or for
    /// <see cref="object"/>, or as their variable's type. Strings, boxed built-in values and what lies inside other objects are not
    /// counted. At least 1; 16,777,216 by default, which take 400 MB when they are the smallest that there are, and as much again when <see
    /// cref="SerializerOptions.PreserveObjectReferences"/> numbers them.
    /// </summary>
    public int MaxObjects { get; init; } = 1 << 24;

    /// <summary>
    /// Gets the number of bytes of memory that one message may take when it is read, on write and read, as estimated before it is
    /// allocated: for each object its fields, for each collection its elements and what the collection keeps beside them, for strings of 64
    /// characters and more these. At least 1; 1,073,741,824 by default: ten times an honest 100 MB, and what a server can bear. Not counted
    /// are shorter strings and boxed values, which take less than 24 bytes for each byte of the payload; nor what user code, such as
    /// constructors and surrogates, allocates, or what grows by doubling throws away.
    /// </summary>
    public long MaxAllocation { get; init; } = 1 << 30;

    /// <summary>
    /// Gets the number of characters (UTF-16 code units) that one string may have, on write and read. At least 64, so that short strings
    /// need no check. By default 1,073,741,791, as many as .NET allows and the most that can be set: a character takes at least a byte of
    /// input, and <see cref="MaxAllocation"/> bounds the memory.
    /// </summary>
    public int MaxStringLength { get; init; } = StringFormat.MaxLength;

    /// <summary>
    /// Gets the number of bytes that a payload may have, on write and read. At least 1; 2,147,483,647 by default: no array of .NET holds
    /// more.
    /// </summary>
    public long MaxBytes { get; init; } = int.MaxValue;

    /// <summary>
    /// Gets the number of bytes that a frame of a framed stream may have, on write and read; a larger one is refused on write with <see
    /// cref="ArgumentException"/>. At least 1; 67,108,864 by default, because a whole frame lies in memory before it is read.
    /// </summary>
    public int MaxFrameBytes { get; init; } = 1 << 26;

    /// <summary>
    /// Gets the number of types that one session, or one payload outside of a session, may define, on write and read. From 1 to 65,536,
    /// which is as many as the format has numbers for; 4,096 by default: more than programs send.
    /// </summary>
    public int MaxManifests { get; init; } = 4096;

    /// <summary>
    /// Gets the number of bytes of the definitions of types that a session may know, over all its messages, or that one payload outside of
    /// a session has; on write and read. At least 1; 4,194,304 by default: a kilobyte for each of <see cref="MaxManifests"/> types. A
    /// session keeps each definition until it ends, in up to sixty times its bytes of memory, which <see cref="MaxAllocation"/> does not
    /// count: 250 MB at most.
    /// </summary>
    public int MaxManifestBytes { get; init; } = 1 << 22;

    /// <summary>
    /// Gets the number of schemas of one type, other than the program's own, for which a serializer keeps readers. At least 0; 64 by
    /// default: more versions of a type than run at the same time. The last ones are kept: a further one takes the place of the oldest, for
    /// which a reader is made again when it comes again. Nothing is refused, so that write and read need no check.
    /// </summary>
    public int MaxSchemas { get; init; } = 64;

    /// <summary>
    /// Gets the number of generic types and arrays, not used by the program itself, that payloads may name to one serializer; as many
    /// generic methods of delegates, members and expressions, signatures of lambdas, and cultures that the machine does not list. At least
    /// 0; 4,096 by default. The runtime keeps these for ever. Not counted, and read whatever payloads have named before, is what the
    /// program has written with the serializer, what the types that it asks for declare, and what the options name.
    /// </summary>
    public int MaxConstructedTypes { get; init; } = 4096;

    /// <summary>
    /// Gets the number of collisions in hash tables that the keys of one payload's collections may have, beyond a few per key. At least 0;
    /// 1,048,576 by default, which takes a few milliseconds: a collection of about 1,400 keys with one and the same hash code is still
    /// read. Keys that are made to collide would otherwise take a time that grows with the square of their number. Strings are not counted
    /// where .NET hashes them with a secret of the process. An <see cref="System.Dynamic.ExpandoObject"/> compares each member's name with
    /// all those before it, so that this is also what it may have: some 1,400 members.
    /// </summary>
    public long MaxCollisions { get; init; } = 1 << 20;

    /// <summary>Lists what differs from <see cref="Default"/>, on one line: for logs.</summary>
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
