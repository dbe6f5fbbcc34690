using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Compilation.Flat.Parts;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.ValueSerializers;

namespace Wire;

/// <summary>
/// Generated code that writes and reads the members of one class or struct. Only what the generator prints derives from it, and its members
/// may change with any release. It runs only where it <see cref="Fits"/> the plan of the type, so that it can write no other bytes than
/// other code does. The position stays in a local of it: each part takes that, and returns the one behind its value.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
public abstract partial class MemberCode : FlatRoot
{
    // Those that are being asked for.
    private WireMember[] _members = [];
    private FlatParts? _parts;

    // Those that it would ask for, while it tells them.
    private List<ToldMember>? _told;

    // Of the objects that it reads.
    private Func<object>? _create;
    private Lazy<bool>? _tracks;

    /// <summary>Returns a row with the code for the members of its type.</summary>
    /// <param name="row">The row.</param>
    /// <param name="create">Makes the code, a new object each time: each serializer and each kind of flat messages keeps its own.</param>
    /// <param name="hasOwnName">True if the sources of the type show that it has no <see cref="WireNameAttribute"/>.</param>
    /// <exception cref="ArgumentNullException">One of them is null.</exception>
    public static WireTypeRow Add(WireTypeRow row, Func<MemberCode> create, bool hasOwnName = false)
    {
        ArgumentNullException.ThrowIfNull(row);
        ArgumentNullException.ThrowIfNull(create);
        if (hasOwnName && !RuntimeFeature.IsDynamicCodeSupported)
        {
            NativeType.Of(row.Type).TellNoGivenName();
        }

        return row.With(new Maker(create));
    }

    private List<ToldMember>? Tell(int count)
    {
        _told = [];
        return Fits(count) ? _told : null;
    }

    private BodyReader Objects(Func<object> create, Lazy<bool> tracks)
    {
        var code = (MemberCode)MemberwiseClone();
        (code._create, code._tracks) = (create, tracks);
        return code.ReadObject;
    }

    private bool Takes(WireMember[] members, FlatParts? parts)
    {
        _members = members;
        _parts = parts;
        bool fits = Fits(members.Length) && (parts is null || FitsFlat());
        (_members, _parts) = ([], null);
        return fits;
    }

    /// <summary>Asks for each member, and so takes what it needs to know of it.</summary>
    /// <param name="count">The number of members.</param>
    /// <returns>False if they are not those that the code was generated for.</returns>
    protected abstract bool Fits(int count);

    /// <summary>Writes the members.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="variable">Where the struct is, or the reference to the object.</param>
    protected abstract void Write(ref WireWriter writer, ref byte variable);

    /// <summary>Reads the members, in place.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="variable">Where the struct is, or the reference to the object.</param>
    protected abstract void Read(ref WireReader reader, ref byte variable);

    /// <summary>Reads an object of the class, and its members.</summary>
    /// <param name="reader">The reader.</param>
    protected virtual object ReadObject(ref WireReader reader) => throw new NotSupportedException();

    /// <summary>Makes an object of the class, without its members.</summary>
    /// <param name="reader">The reader.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected object Create(ref WireReader reader)
    {
        object made = _create!();
        if (reader.Session.IsTracking && _tracks!.Value)
        {
            reader.Track(made);
        }

        return made;
    }

    /// <summary>Asks for a value of a fixed number of bytes, in the layout that its type always has.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="index">The place among the members.</param>
    /// <param name="owner">The type that declares the field.</param>
    /// <param name="field">The name of the field.</param>
    /// <param name="size">The number of bytes that the code counts for it.</param>
    /// <param name="number">The number by which errors find the member.</param>
    /// <param name="name">The name that the program gives it in payloads; null where it has that of what declares it.</param>
    protected bool Fixed<T>(int index, Type owner, string field, int size, out int number, string? name = null)
        where T : unmanaged =>
        Find(index, owner, field, typeof(T), name, out number) is ValueSerializer<T> and IFixedSerializer { FixedSize: var own }
            ? own == StandardFormat<T>.Size && own == size
            : _told is not null;

    /// <summary>Asks for such a value that may be null.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <inheritdoc cref="Fixed{T}"/>
    protected bool Nullable<T>(int index, Type owner, string field, int size, out int number, string? name = null)
        where T : unmanaged =>
        Find(index, owner, field, typeof(T?), name, out number) is NullableSerializer<T> slot
            ? ((IWindowSlot)slot).InWindow is not null && StandardFormat<T>.Size == size
            : _told is not null;

    /// <summary>Asks for a string.</summary>
    /// <param name="index">The place among the members.</param>
    /// <param name="owner">The type that declares the field.</param>
    /// <param name="field">The name of the field.</param>
    /// <param name="number">The number by which errors find the member.</param>
    /// <param name="name">The name that the program gives it in payloads; null where it has that of what declares it.</param>
    protected bool Text(int index, Type owner, string field, out int number, string? name = null) =>
        Find(index, owner, field, typeof(string), name, out number) is StringSerializer || _told is not null;

    /// <summary>Asks for a value that its value serializer writes and reads, whatever that is.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="index">The place among the members.</param>
    /// <param name="owner">The type that declares the field.</param>
    /// <param name="field">The name of the field.</param>
    /// <param name="number">The number by which errors find the member.</param>
    /// <param name="slot">The value serializer.</param>
    /// <param name="name">The name that the program gives it in payloads; null where it has that of what declares it.</param>
    protected bool Value<T>(
        int index, Type owner, string field, out int number, [NotNullWhen(true)] out ValueSerializer<T>? slot, string? name = null)
    {
        slot = Find(index, owner, field, typeof(T), name, out number) as ValueSerializer<T>;
#pragma warning disable CS8762 // What tells its members writes none.
        return slot is not null || _told is not null;
#pragma warning restore CS8762
    }

    private ValueSerializer? Find(int index, Type owner, string field, Type type, string? name, out int number)
    {
        if (_told is not null)
        {
            _told.Add(new ToldMember(owner, field, type, name));
            number = 0;
            return null;
        }

        WireMember member = _members[index];
        number = member.Number;
        return member.Field is { } own && own.Name == field && own.DeclaringType == owner ? member.Slot : null;
    }

    /// <summary>Returns the position of a writer.</summary>
    /// <param name="writer">The writer.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Begin(scoped ref WireWriter writer) => ref writer.Position;

    /// <summary>Returns the position of a reader.</summary>
    /// <param name="reader">The reader.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Begin(scoped ref WireReader reader) => ref reader.Position;

    /// <summary>Moves a writer to a position, for other code.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static void End(scoped ref WireWriter writer, [UnscopedRef] ref byte at) => writer.GoTo(ref at);

    /// <summary>Moves a reader to a position, for other code.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static void End(scoped ref WireReader reader, [UnscopedRef] ref byte at) => reader.GoTo(ref at);

    /// <summary>Returns the position behind members of fixed size.</summary>
    /// <param name="at">The position of the first one.</param>
    /// <param name="size">Their bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Behind([UnscopedRef] ref byte at, int size) => ref Unsafe.Add(ref at, size);

    /// <summary>Makes room for members of fixed size.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    /// <param name="size">Their bytes.</param>
    /// <param name="member">The number of the first one.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Ensure(scoped ref WireWriter writer, [UnscopedRef] ref byte at, int size, int member) =>
        ref writer.EnsureAt(ref at, size, member);

    /// <summary>Makes members of fixed size readable.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    /// <param name="size">Their bytes.</param>
    /// <param name="member">The number of the first one.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Ensure(scoped ref WireReader reader, [UnscopedRef] ref byte at, int size, int member) =>
        ref reader.EnsureAt(ref at, size, member);

    /// <summary>Stores a value of fixed size where there is room.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="at">The position of the first of such values.</param>
    /// <param name="offset">How many bytes behind it.</param>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static void Store<T>(ref byte at, int offset, T value)
        where T : unmanaged => StandardFormat<T>.Store(ref Unsafe.Add(ref at, offset), value);

    /// <summary>Loads a value of fixed size that is there; where it may be refused, that is an error of this member.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position of the first of such values.</param>
    /// <param name="offset">How many bytes behind it.</param>
    /// <param name="member">The number of the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static T Load<T>(scoped ref WireReader reader, [UnscopedRef] ref byte at, int offset, int member)
        where T : unmanaged
    {
        if (!StandardFormat<T>.IsRaw)
        {
            reader.GoTo(ref Unsafe.Add(ref at, offset + StandardFormat<T>.Size), member);
        }

        return StandardFormat<T>.Load(ref Unsafe.Add(ref at, offset));
    }

    /// <summary>Writes a string or null.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    /// <param name="value">The string.</param>
    /// <param name="member">The number of the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Text(scoped ref WireWriter writer, [UnscopedRef] ref byte at, string? value, int member) =>
        ref writer.WriteStringAt(ref at, value, member);

    /// <summary>Reads a string or null.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    /// <param name="member">The number of the member.</param>
    /// <param name="value">The string.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Text(scoped ref WireReader reader, [UnscopedRef] ref byte at, int member, out string? value) =>
        ref reader.ReadStringAt(ref at, member, out value);

    /// <summary>Writes a value of fixed size or null.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    /// <param name="value">The value.</param>
    /// <param name="member">The number of the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Nullable<T>(scoped ref WireWriter writer, [UnscopedRef] ref byte at, T? value, int member)
        where T : unmanaged => ref FixedNullable<T, StandardFormat<T>>.WriteAt(ref writer, ref at, value, member);

    /// <summary>Reads a value of fixed size or null.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    /// <param name="member">The number of the member.</param>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Nullable<T>(scoped ref WireReader reader, [UnscopedRef] ref byte at, int member, out T? value)
        where T : unmanaged => ref FixedNullable<T, StandardFormat<T>>.ReadAt(ref reader, ref at, member, out value);

    /// <summary>Writes an object by its value serializer.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    /// <param name="slot">The value serializer.</param>
    /// <param name="value">The object.</param>
    /// <param name="member">The number of the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Value<T>(
        scoped ref WireWriter writer, [UnscopedRef] ref byte at, ValueSerializer<T> slot, T value, int member)
        where T : class?
    {
        writer.GoTo(ref at);
        writer.Member = member;
        slot.Write(ref writer, value);
        return ref writer.Position;
    }

    /// <summary>Writes a struct by its value serializer, from where it is: it may be large.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="at">The position.</param>
    /// <param name="slot">The value serializer.</param>
    /// <param name="value">Where the struct is.</param>
    /// <param name="member">The number of the member.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Part<T>(
        scoped ref WireWriter writer, [UnscopedRef] ref byte at, ValueSerializer<T> slot, scoped ref T value, int member)
    {
        writer.GoTo(ref at);
        writer.Member = member;
        slot.WriteAt(ref writer, ref Unsafe.As<T, byte>(ref value));
        return ref writer.Position;
    }

    /// <summary>Reads an object by its value serializer.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    /// <param name="slot">The value serializer.</param>
    /// <param name="member">The number of the member.</param>
    /// <param name="value">The object.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Value<T>(
        scoped ref WireReader reader, [UnscopedRef] ref byte at, ValueSerializer<T> slot, int member, out T value)
        where T : class?
    {
        reader.GoTo(ref at, member);
        value = slot.Read(ref reader);
        return ref reader.Position;
    }

    /// <summary>Reads a struct by its value serializer, to where it is kept.</summary>
    /// <typeparam name="T">The type of the field.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="at">The position.</param>
    /// <param name="slot">The value serializer.</param>
    /// <param name="member">The number of the member.</param>
    /// <param name="value">Where the struct is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected static ref byte Part<T>(
        scoped ref WireReader reader, [UnscopedRef] ref byte at, ValueSerializer<T> slot, int member, scoped ref T value)
    {
        reader.GoTo(ref at, member);
        slot.ReadAt(ref reader, ref Unsafe.As<T, byte>(ref value));
        return ref reader.Position;
    }

    // The numbers of members differ from one serializer to the next, and the places of types from one kind of messages to the next.
    private sealed class Maker(Func<MemberCode> create) : IMemberCode
    {
        public List<ToldMember>? Tell(int count) => create().Tell(count);

        public GeneratedMembers? For(WireMember[] members)
        {
            MemberCode code = create();
            return code.Takes(members, null) ? new GeneratedMembers(code.Write, code.Read, code.Objects, Flat) : null;

            FlatRoot? Flat(FlatParts parts)
            {
                MemberCode part = create();
                return part.Takes(members, parts) ? part : null;
            }
        }
    }
}
