using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Emit;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>The two makers of code for complex types.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class TypeCompilers
{
    /// <summary>Gets the one that emits nothing.</summary>
    public static TypeInterpreter Interpreter { get; } = new();

    /// <summary>Returns the one that options ask for.</summary>
    // The compiler of native code leaves out what emits code where it can see that nothing does.
    public static ITypeCompiler For(SerializerOptions options) =>
        RuntimeFeature.IsDynamicCodeSupported && options.DynamicCode ? Emitting.Compiler : Interpreter;

    [RequiresDynamicCode(TrimmingAdvice.Inside)]
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    private static class Emitting
    {
        public static readonly EmitTypeCompiler Compiler = new();
    }
}
