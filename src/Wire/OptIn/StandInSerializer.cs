using System.Reflection;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Types;
using Wire.ValueSerializers;

namespace Wire.OptIn;

/// <summary>Marks the records that stand for something else: what the options say of other types does not concern them.</summary>
internal interface IStandIn
{
    static bool Is(Type type) => typeof(IStandIn).IsAssignableFrom(type.IsArray ? type.GetElementType() : type);
}

/// <summary>
/// Marks the value serializers whose objects come back as what they were, although they are written in the name of a base class.
/// </summary>
internal interface IStandInSerializer;

/// <summary>Writes a record that stands for an object, and makes the object from it again.</summary>
internal abstract class StandInSerializer<T, TRecord>(TypeRegistry registry) : ValueSerializer<T>, IStandInSerializer
    where T : class
    where TRecord : struct, IStandIn
{
    private ValueSerializer<TRecord> _record = registry.Slot<TRecord>();

    internal override bool HasOwnSchema => true;

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
    /// <param name="path">The way to it, which lends a fresh stack to what goes deep.</param>
    /// <exception cref="UnsupportedTypeException">No record can stand for the object.</exception>
    private protected abstract TRecord ToRecord(T value, GraphPath path);

    /// <summary>About how much memory the object takes for what records can share, and objects each have of their own.</summary>
    private protected virtual long MemoryOf(TRecord record) => 0;

    /// <param name="record">The record.</param>
    /// <param name="trusted">Whether this serializer itself has written it, so that nothing has to be judged.</param>
    private protected abstract T FromRecord(TRecord record, bool trusted);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        var copy = (StandInSerializer<T, TRecord>)MemberwiseClone();
        copy._record = (ValueSerializer<TRecord>)_record.Adapt(writer, context);
        return copy;
    }

    // What reflection and the factories of expressions say to parts that do not fit together.
    private static bool IsOfBadRecord(Exception e) => e is ArgumentException or InvalidOperationException or NotSupportedException
        or FormatException
            or InvalidCastException
            or OverflowException
            or MemberAccessException
            or TypeLoadException
            or AmbiguousMatchException
        or BadImageFormatException or IOException;
}
