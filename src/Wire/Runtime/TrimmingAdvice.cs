namespace Wire.Runtime;

/// <summary>The texts that compilers and the trimmer show to those who publish a program.</summary>
internal static class TrimmingAdvice
{
    /// <summary>The advice on members that only a serializer uses.</summary>
    public const string Trimming =
        "Wire reads and writes objects by reflection, and the trimmer removes members that only it uses. The package keeps the " +
        "assemblies of the program and of its projects whole; for the types of others, add <TrimmerRootAssembly " +
        "Include=\"NameOfTheirAssembly\" /> to the project. See docs/publishing.md in the package WireSerializer.";

    /// <summary>The advice for programs in which no code can be made at run time.</summary>
    public const string DynamicCode =
        "Wire makes generic types of the program's types at run time, and a native program has code for those alone that its compiler " +
        "has seen: give SerializerOptions.Types a row for each struct and enum in messages, and for each collection of them. See " +
        "docs/publishing.md in the package WireSerializer.";

    /// <summary>The mark of what is reached only through an entry point that has the texts above.</summary>
    public const string Inside = "Reached only through Serializer and what else says so in public.";

    /// <summary>The reason why types may be looked for by their names.</summary>
    public const string Absent = "A type that the trimmer removed has no values, and a payload that names it is refused.";
}
