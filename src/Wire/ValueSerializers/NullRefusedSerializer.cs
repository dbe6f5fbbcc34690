using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Runtime;
using Wire.Values;

namespace Wire.ValueSerializers;

/// <summary>Reads a value that a writer declared as one that may be null as one that may not: null is refused.</summary>
internal sealed class NullRefusedSerializer<T>(ValueSerializer<T> element) : ValueSerializer<T>
    where T : struct
{
    internal override bool HoldsNoObjects => element.HoldsNoObjects;

    public override void Write(ref WireWriter writer, T value) => element.Write(ref writer, value);

    public override T Read(ref WireReader reader)
    {
        if (!BooleanFormat.Load(ref reader.ReadRef(1)))
        {
            Refuse();
        }

        return element.Read(ref reader);
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(element);

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Refuse() => throw new WireFormatException(
        WireFormatError.SchemaMismatch,
        $"The writer's {typeof(T).Name}? is null here, and cannot be read as {typeof(T)}, which this program declares. Declare "
        + $"it as {typeof(T).CSharpName()}?.");
}
