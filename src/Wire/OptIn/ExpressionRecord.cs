using Wire.Runtime;

namespace Wire.OptIn;

/// <summary>The class of a node in an expression, which determines the factory that restores it (docs/format.md, clause 14).</summary>
internal enum NodeForm : byte
{
    Unary = 1,
    Binary = 2,
    Conditional = 3,
    Constant = 4,
    Parameter = 5,
    Lambda = 6,
    Invocation = 7,
    Call = 8,
    Member = 9,
    Index = 10,
    New = 11,
    NewArray = 12,
    MemberInit = 13,
    ListInit = 14,
    Block = 15,
    Goto = 16,
    Label = 17,
    Loop = 18,
    Switch = 19,
    Try = 20,
    Default = 21,
    TypeBinary = 22,
    RuntimeVariables = 23,
    DebugInfo = 24,

    LabelTarget = 32,
    SwitchCase = 33,
    CatchBlock = 34,
    ElementInit = 35,
    MemberAssignment = 36,
    MemberMemberBinding = 37,
    MemberListBinding = 38,
    SymbolDocument = 39,
}

/// <summary>
/// The record of an expression, or of a part of one: a list of parts, each after those that it consists of; the last one is the whole.
/// </summary>
/// <param name="Types">The types that the nodes name; number 0 is void, and the first of these 1.</param>
/// <param name="Members">The members that the nodes name; number 0 is none, and the first of these 1. Null when there are none.</param>
/// <param name="Nodes">The parts; number 0 is none, and the first of these 1.</param>
internal readonly record struct ExpressionRecord(Type[]? Types, MemberRecord[]? Members, ExpressionNode[]? Nodes) : IStandIn;

/// <summary>The record of one part of an expression. A part that is used twice, such as a parameter, is written once.</summary>
/// <param name="Form">The class of the part.</param>
/// <param name="Operator">The <see cref="System.Linq.Expressions.ExpressionType"/> where the form leaves it open.</param>
/// <param name="Number">
/// Further data of a form: the number of variables among a block's parts, the kind of a jump, or 1 for lifted to null, by reference, tail
/// call, clearing.
/// </param>
/// <param name="Type">The number of its type.</param>
/// <param name="Member">The number of its member.</param>
/// <param name="Parts">The numbers of its parts.</param>
/// <param name="Name">The name of a parameter, lambda, label or document.</param>
/// <param name="Value">
/// The value of a constant; the numbers of the members that a new anonymous object sets; the lines of debug information.
/// </param>
internal readonly record struct ExpressionNode(
    NodeForm Form,
    byte Operator = 0,
    int Number = 0,
    int Type = 0,
    int Member = 0,
    int[]? Parts = null,
    string? Name = null,
    object? Value = null) : IStandIn;
