using Wire.Paths;

namespace Wire;

/// <summary>
/// A member that views are asked for. Made once and kept, such as in a static field; contexts make those of their types
/// (<see cref="WireContextAttribute.Views"/>). Immutable and thread-safe.
/// </summary>
/// <typeparam name="T">The type that has the member.</typeparam>
/// <typeparam name="TValue">The type of its values.</typeparam>
public sealed class PayloadViewMember<T, TValue>
{
    /// <summary>Makes one.</summary>
    /// <param name="name">
    /// The name that this program gives it in payloads: that of the property or field, or what <see cref="WireNameAttribute"/> says. A
    /// name is kept for ever, so that it is the program's own.
    /// </param>
    public PayloadViewMember(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        Name = name;
        Number = PayloadViewMembers<T>.NumberOf(name, typeof(TValue));
    }

    /// <summary>Gets the name that this program gives it in payloads.</summary>
    public string Name { get; }

    /// <summary>Gets its number among the members of the type that views are asked for.</summary>
    internal int Number { get; }
}
