using System.Reflection;

namespace Wire.Compilation;

/// <summary>A field that is written, and its names.</summary>
/// <param name="Field">The field.</param>
/// <param name="Name">Its name on the wire.</param>
/// <param name="PlainName">That name without the class that tells it from those of other classes.</param>
internal sealed record NamedField(FieldInfo Field, string Name, string PlainName);
