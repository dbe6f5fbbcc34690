namespace Wire;

/// <summary>
/// A class that keeps what other versions of it have sent and it does not know: members that its objects have in a payload and the class
/// lacks. They are kept as they came, and written again with the object's own members, so that a program between two newer ones loses
/// nothing.
/// </summary>
/// <remarks>
/// <para>
/// Implement it by an automatic property: <c>public UnknownMembers? UnknownMembers { get; set; }</c>. The field behind it is no member.
/// The property is set, after the last unknown member has been read, on objects that have any, and is read when an object is written.
/// </para>
/// <para>
/// Only classes can implement it, and only those that are written member by member keep anything: not a collection's elements, a union, a
/// singleton, or what a surrogate or a value serializer writes. A value type that implements it is refused with
/// <see cref="UnsupportedTypeException"/>.
/// </para>
/// </remarks>
public interface IUnknownMembers
{
    /// <summary>
    /// Gets or sets the unknown members; null when there are none. Set it to null to write an object without them, or to those of another
    /// object of the same class to pass them on.
    /// </summary>
    UnknownMembers? UnknownMembers { get; set; }
}
