using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// A value serializer whose code is compiled when a value is first written or read. A writer's schema that differs has a
/// serializer of its own, so that matching schemas pay nothing for it.
/// </summary>
internal abstract class CompiledSerializer<T> : ValueSerializer<T>
{
    // A schema of somebody else's is compiled when it has come so often; before, and for made-up ones for ever, reflection does.
    private const int ReadsBeforeCompiling = 8;

    private static readonly ReflectionTypeCompiler Interpreter = new();

    private ObjectWriter _write;
    private ObjectReader _read;
    private int _foreignReads;

    /// <param name="registry">What the serializer knows about types; it has the compiler.</param>
    /// <param name="foreign">The layouts around the schema to read, when that is another than the type's own.</param>
    protected CompiledSerializer(TypeRegistry registry, AdaptContext? foreign)
    {
        Registry = registry;
        _write = CompileAndWrite;
        _read = foreign is null ? CompileAndRead : ReadForeign;
    }

    protected TypeRegistry Registry { get; }

    public sealed override void Write(ref WireWriter writer, T value) => _write(ref writer, ref Unsafe.As<T, byte>(ref value));

    public sealed override T Read(ref WireReader reader)
    {
        T value = default!;
        _read(ref reader, ref Unsafe.As<T, byte>(ref value));
        return value;
    }

    protected abstract ObjectWriter CompileWriter(ITypeCompiler compiler);

    protected abstract ObjectReader CompileReader(ITypeCompiler compiler);

    private void CompileAndWrite(ref WireWriter writer, ref byte location)
    {
        ObjectWriter compiled = CompileWriter(Registry.Compiler);
        _write = compiled;
        compiled(ref writer, ref location);
    }

    private void CompileAndRead(ref WireReader reader, ref byte location)
    {
        ObjectReader compiled = CompileReader(Registry.Compiler);
        _read = compiled;
        compiled(ref reader, ref location);
    }

    private void ReadForeign(ref WireReader reader, ref byte location)
    {
        if (Interlocked.Increment(ref _foreignReads) > ReadsBeforeCompiling)
        {
            CompileAndRead(ref reader, ref location);
            return;
        }

        CompileReader(Interpreter)(ref reader, ref location);
    }
}
