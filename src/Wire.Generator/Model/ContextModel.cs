namespace Wire.Generator.Model;

/// <summary>
/// A context as it is printed: text alone, without symbols, so that two of them are equal if the source is.
/// </summary>
/// <param name="FileName">The name of the generated file.</param>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Declarations">The declarations of the classes around the context, from the outermost in, and its own.</param>
/// <param name="Name">The name of the class, as code has it.</param>
/// <param name="FullName">The whole name of the class, as code of another namespace has it.</param>
/// <param name="IsNamed">Whether code elsewhere in the assembly can name it.</param>
/// <param name="Rows">The expressions that make rows, in ordinal order.</param>
/// <param name="Codes">The classes with the code for members, each in lines that begin where the class does.</param>
/// <param name="Views">The blocks with the properties of views, each in lines; none where the context has none.</param>
/// <param name="Tables">The names of the tables of other assemblies, in ordinal order.</param>
internal sealed record ContextModel(
    string FileName,
    string Namespace,
    EquatableArray<string> Declarations,
    string Name,
    string FullName,
    bool IsNamed,
    EquatableArray<string> Rows,
    EquatableArray<string> Codes,
    EquatableArray<string> Views,
    EquatableArray<string> Tables);
