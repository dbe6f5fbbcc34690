using System.Reflection;

namespace Wire.Compilation;

/// <summary>
/// A language's definition of a union: how the case of a value is found, and how a value of a case is taken apart and made.
/// </summary>
/// <param name="Type">The union, of which the classes of its cases may derive.</param>
/// <param name="TagReader">Gives the number of a value's case: an instance method, or a static one with the value as its argument.</param>
/// <param name="Cases">The cases in the order of their numbers.</param>
/// <param name="Row">The row that a native program needs which has no code of the union; null with a JIT compiler.</param>
internal sealed record UnionDefinition(Type Type, MethodInfo TagReader, IReadOnlyList<CaseDefinition> Cases, string? Row);

/// <summary>One case of a union.</summary>
/// <param name="Name">Its name on the wire.</param>
/// <param name="Constructor">The static method that makes a value from the fields.</param>
/// <param name="Fields">The fields that the constructor sets, in the order of its arguments, with their names on the wire and what the
/// program declares.</param>
/// <param name="IsNull">True if the value of the case is null at run time.</param>
internal sealed record CaseDefinition(
    string Name,
    MethodInfo Constructor,
    IReadOnlyList<(string Name, PropertyInfo Property, FieldInfo Field)> Fields,
    bool IsNull);
