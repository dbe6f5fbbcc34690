using System.Diagnostics.CodeAnalysis;
using Wire.Compilation.Emit;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>The two makers of code for complex types.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class TypeCompilers
{
    private static readonly EmitTypeCompiler Emitting = new();

    /// <summary>Gets the one that emits nothing.</summary>
    public static ReflectionTypeCompiler Interpreter { get; } = new();

    /// <summary>Returns the one that options ask for.</summary>
    public static ITypeCompiler For(SerializerOptions options) => options.DynamicCode ? Emitting : Interpreter;
}
