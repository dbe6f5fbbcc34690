
namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Where to begin: a kind, and for two of them a number.</summary>
internal struct OffsetFields : IFieldGroup<OffsetFields>
{
    public ushort Kind;
    public long Value;

    public static void Fields<TFields>(ref OffsetFields group, ref TFields fields)
        where TFields : struct, IFields, allows ref struct
    {
        fields.Number(ref group.Kind);
        if ((StreamOffsetKind)group.Kind is StreamOffsetKind.Offset or StreamOffsetKind.Timestamp)
        {
            fields.Number(ref group.Value);
        }
    }
}
