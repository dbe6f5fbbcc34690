using System.Text.RegularExpressions;

namespace Wire.Gates.Tests.Architecture;

/// <summary>
/// A native program has code for generic types that its compiler has seen: where they are made of the program's types, one place says what
/// is missing.
/// </summary>
public sealed partial class ClosedTypesTests
{
    // Code that native programs do not have, expressions, and types that payloads name.
    private static readonly string[] Others =
        ["Compilation/Emit/", "Compilation/Flat/", "OptIn/MemberReferences.cs", "Types/TypeResolver.cs"];

    [Fact]
    public void One_place_closes_generic_types_over_those_of_the_program()
    {
        SourceFile[] files = [.. SourceFile.In("src/Wire").Where(file => Closes().IsMatch(file.Text))];

        Assert.Equal("src/Wire/Runtime/ClosedTypes.cs", Assert.Single(
            files, file => !Array.Exists(Others, other => file.Path.Contains(other, StringComparison.Ordinal))).Path);
        Assert.All(Others, other => Assert.Contains(files, file => file.Path.Contains(other, StringComparison.Ordinal)));
    }

    [GeneratedRegex(@"\.MakeGeneric(Type|Method)\(|Activator\.CreateInstance\(")]
    private static partial Regex Closes();
}
