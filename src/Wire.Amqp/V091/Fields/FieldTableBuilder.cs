namespace Wire.Amqp.V091;

/// <summary>Builds a <see cref="FieldTable"/>: see <see cref="FieldBuilder"/>.</summary>
/// <remarks>A key that is added twice is written twice: see <see cref="FieldTable"/>.</remarks>
public sealed class FieldTableBuilder : FieldBuilder
{
    /// <summary>Begins an empty table.</summary>
    public FieldTableBuilder()
        : base(isArray: false)
    {
    }

    /// <summary>What has been built: a view, valid until the builder is changed.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldTable Table
    {
        get
        {
            (byte[] bytes, int length) = Built;
            return new FieldTable(bytes, 0, length, 0);
        }
    }

    /// <summary>What has been built, in bytes of its own.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldTable ToTable() => new(Table.Encoded.ToArray());
}
