using System.Reflection;

namespace Wire.Compilation;

/// <summary>A field that is written, and its name on the wire.</summary>
internal sealed record NamedField(FieldInfo Field, string Name);
