using Wire.Runtime;

namespace Wire.OptIn;

/// <summary>The kind of member that a <see cref="MemberRecord"/> stands for.</summary>
internal enum MemberKind : byte
{
    Method = 1,
    Constructor = 2,
    Field = 3,
    Property = 4,
    Event = 5,
}

/// <summary>Stands for a member of a type (docs/format.md, clause 14).</summary>
/// <param name="Kind">Which kind of member.</param>
/// <param name="Type">The reflected type, with its generic arguments.</param>
/// <param name="Declaring">The base type that declares it; null when that is <paramref name="Type"/> itself.</param>
/// <param name="Name">Its name.</param>
/// <param name="Signature">
/// The types of its parameters as they are declared, and of a method the return type too: text that is compared and never resolved. Null
/// for fields and events.
/// </param>
/// <param name="Arguments">The generic arguments of a constructed generic method; null for others.</param>
internal readonly record struct MemberRecord(
    MemberKind Kind, Type? Type, Type? Declaring, string? Name, string? Signature, Type[]? Arguments) : IStandIn;

/// <summary>Stands for a parameter.</summary>
/// <param name="Member">The method, constructor or property.</param>
/// <param name="Position">Its position; -1 for what a method returns.</param>
internal readonly record struct ParameterRecord(MemberRecord Member, int Position) : IStandIn;

/// <summary>Stands for a delegate.</summary>
/// <param name="Type">The type of the delegate.</param>
/// <param name="Calls">The calls, in order.</param>
internal readonly record struct DelegateRecord(Type? Type, CallRecord[]? Calls) : IStandIn;

/// <summary>One method that a delegate calls, and its target or bound first argument.</summary>
internal readonly record struct CallRecord(MemberRecord Method, object? Target) : IStandIn;
