namespace Wire.Resolution;

/// <summary>A table of types without a tag that stand in payloads by their names without an assembly.</summary>
internal interface INamedTypes
{
    /// <summary>Finds a type by its name.</summary>
    Type? FindByName(string fullName);

    /// <summary>Returns whether it has a type, or the definition of a generic type.</summary>
    bool IsNamed(Type definition);
}
