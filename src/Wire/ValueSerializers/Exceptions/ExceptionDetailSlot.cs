using Wire.Copying;
using Wire.Equality;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Values;

namespace Wire.ValueSerializers.Exceptions;

/// <summary>
/// A field of an exception of .NET whose value may be one that no other process could have. That part of it is left out, on both sides,
/// rather than the whole exception refused.
/// </summary>
/// <param name="inner">Writes and reads the variable.</param>
/// <param name="written">Returns what is written of a value.</param>
internal sealed class ExceptionDetailSlot<T>(ValueSerializer inner, Func<T, T> written) : ValueSerializer<T>, IRecursionAdapter
{
    private readonly ValueSerializer<T> _inner = (ValueSerializer<T>)inner;

    public override int FixedSize => _inner.FixedSize;

    public override void Write(ref WireWriter writer, T value) => _inner.Write(ref writer, written(value));

    public override T Read(ref WireReader reader)
    {
        DeserializerSession session = reader.Session;
        bool around = session.LeavesOutTypes;
        session.LeavesOutTypes = true;
        try
        {
            return Read(_inner.Read(ref reader));
        }
        finally
        {
            session.LeavesOutTypes = around;
        }
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.Add(GraphPath.Root, _inner, written((T)value));
        return true;
    }

    internal override T Copy(ref GraphCopier copier, T value) => _inner.Copy(ref copier, written(value));

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(_inner);

    private static T Read(T value)
    {
        if (value is Type?[] types)
        {
            for (int i = 0; i < types.Length; i++)
            {
                types[i] = ReferenceEquals(types[i], TypeSerializer.LeftOut) ? null : types[i];
            }
        }

        return ReferenceEquals(value, TypeSerializer.LeftOut) ? default! : value;
    }

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Recursion
        // A detail never holds the exception itself.
        ? null
        : new ExceptionDetailSlot<T>(_inner.Adapt(writer, context), written);
}
