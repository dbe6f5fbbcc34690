using Microsoft.CodeAnalysis;

namespace Wire.Generator.Diagnostics;

/// <summary>A report and its place: it goes its own way, apart from the source, which is to know no places.</summary>
/// <param name="Descriptor">What it is.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Arguments">The parts of its message.</param>
internal sealed record DiagnosticInfo(DiagnosticDescriptor Descriptor, Location Location, object[] Arguments)
{
    public Diagnostic Create() => Diagnostic.Create(Descriptor, Location, Arguments);
}
