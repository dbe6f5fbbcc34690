using System.Reflection;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.OptIn;

/// <summary>Writes the record of an object, and restores the object from it.</summary>
internal abstract class StandInSerializer<T, TRecord>(TypeRegistry registry) : ValueSerializer<T>, IStandInSerializer, IOwnSchema
    where T : class
    where TRecord : struct, IStandIn
{
    private ValueSerializer<TRecord> _record = registry.Slot<TRecord>();

    public override void Write(ref WireWriter writer, T value)
    {
        TRecord record = ToRecord(value, writer.Session.Path);
        writer.Session.Costs.Charge(writer.Member, MemoryOf(record));
        _record.Write(ref writer, record);
    }

    public override T Read(ref WireReader reader)
    {
        TRecord record = _record.Read(ref reader);
        reader.Session.Costs.Charge(MemoryOf(record));
        try
        {
            return FromRecord(record, reader.Session.IsTrusted);
        }
        catch (Exception e) when (e is not WireFormatException && IsOfBadRecord(e))
        {
            throw ThrowHelper.Invalid(typeof(T).Name, e);
        }
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(_record);

    /// <param name="value">The object.</param>
    /// <param name="path">The path to it, which provides a fresh stack for deep recursion.</param>
    /// <exception cref="UnsupportedTypeException">No record can represent the object.</exception>
    private protected abstract TRecord ToRecord(T value, GraphPath path);

    /// <summary>Estimates the memory of parts that records can share but objects cannot.</summary>
    private protected virtual long MemoryOf(TRecord record) => 0;

    /// <param name="record">The record.</param>
    /// <param name="trusted">True if this serializer itself has written it, so that no checks are needed.</param>
    private protected abstract T FromRecord(TRecord record, bool trusted);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        var copy = (StandInSerializer<T, TRecord>)MemberwiseClone();
        copy._record = (ValueSerializer<TRecord>)_record.Adapt(writer, context);
        return copy;
    }

    // The exceptions of reflection and of the expression factories for parts that do not fit together.
    private static bool IsOfBadRecord(Exception e) => e is ArgumentException or InvalidOperationException or NotSupportedException
        or FormatException
            or InvalidCastException
            or OverflowException
            or MemberAccessException
            or TypeLoadException
            or AmbiguousMatchException
        or BadImageFormatException or IOException;
}
