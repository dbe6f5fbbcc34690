using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <summary>
/// Classes and value types, member by member, through code that is compiled when a value is first written or read. A writer's
/// schema that differs has a serializer of its own, so that matching schemas pay nothing for it.
/// </summary>
internal sealed class ComplexSerializer<T> : ValueSerializer<T>
{
    // A schema of somebody else's is compiled when it has come so often; before, and for made-up ones for ever, reflection does.
    private const int ReadsBeforeCompiling = 8;

    private static readonly ReflectionTypeCompiler Interpreter = new();

    private readonly TypeRegistry _registry;
    private readonly Lazy<TypePlan> _plan;
    private readonly ReadStep[]? _foreignSteps;
    private ObjectWriter _write;
    private ObjectReader _read;
    private int _foreignReads;
    private int _elementSize;

    public ComplexSerializer(TypeRegistry registry)
    {
        _registry = registry;
        _plan = new Lazy<TypePlan>(() => TypePlan.Create(typeof(T), registry), LazyThreadSafetyMode.PublicationOnly);
        _write = CompileAndWrite;
        _read = CompileAndRead;
    }

    private ComplexSerializer(ComplexSerializer<T> own, Shape writer, AdaptContext context)
    {
        _registry = own._registry;
        _plan = own._plan;
        _write = CompileAndWrite;
        _read = ReadForeign;
        var below = new AdaptContext(context.Registry, context, writer, this);
        _foreignSteps = [.. writer.Members.Select(member => Step(member, below))];
        if (writer.Equals(Shape.Empty))
        {
            _foreignSteps = [new ReadStep(null, null, Shape.Empty)];
        }
    }

    internal override bool HasOwnSchema => true;

    internal override int ElementSize => _elementSize > 0 ? _elementSize : _elementSize = Math.Max(
        1,
        _foreignSteps is { } steps
            ? steps.Sum(step => step.Skipped?.MinSize ?? step.Written!.MinSize)
            : _plan.Value.Members.Sum(member => member.Slot.ElementSize));

    public override void Write(ref WireWriter writer, T value) => _write(ref writer, ref Unsafe.As<T, byte>(ref value));

    public override T Read(ref WireReader reader)
    {
        T value = default!;
        _read(ref reader, ref Unsafe.As<T, byte>(ref value));
        return value;
    }

    internal override Shape Describe(ShapeBuilder builder)
    {
        Shape shape = builder.Members(typeof(T), _plan.Value.Members.Select(m => (m.Name, m.Slot)));
        return _plan.Value.IsEmpty ? Shape.Empty : shape;
    }

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Members || writer.Equals(Shape.Empty) ? new ComplexSerializer<T>(this, writer, context) : null;

    private ReadStep Step(ShapeMember written, AdaptContext context)
    {
        WireMember? member = Array.Find(_plan.Value.Members, m => m.Name == written.Name);
        if (member is null)
        {
            return new ReadStep(null, null, written.Shape, context.Levels());
        }

        try
        {
            return new ReadStep(member, member.Slot.Adapt(written.Shape, context), null) { Written = written.Shape };
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.SchemaMismatch)
        {
            throw new WireFormatException(e.Error, $"Member '{member.Name}' of {typeof(T)}: {e.Message}", e);
        }
    }

    private void CompileAndWrite(ref WireWriter writer, ref byte location)
    {
        ObjectWriter compiled = _registry.Compiler.CompileWriter(_plan.Value);
        _write = compiled;
        compiled(ref writer, ref location);
    }

    private void CompileAndRead(ref WireReader reader, ref byte location)
    {
        ObjectReader compiled = _registry.Compiler.CompileReader(_plan.Value, _foreignSteps ?? ReadStep.For(_plan.Value));
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

        Interpreter.CompileReader(_plan.Value, _foreignSteps!)(ref reader, ref location);
    }
}
