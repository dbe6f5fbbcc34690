namespace Wire.Amqp.V091;

/// <summary>Builds a <see cref="FieldArray"/>: see <see cref="FieldBuilder"/>.</summary>
public sealed class FieldArrayBuilder : FieldBuilder
{
    /// <summary>Begins an empty array.</summary>
    public FieldArrayBuilder()
        : base(isArray: true)
    {
    }

    /// <summary>What has been built: a view, valid until the builder is changed.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldArray Array
    {
        get
        {
            (byte[] bytes, int length) = Built;
            return new FieldArray(bytes, 0, length, 0);
        }
    }

    /// <summary>What has been built, in bytes of its own.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldArray ToArray() => new(Array.Encoded.ToArray());
}
