using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Sessions;
using Wire.ValueSerializers;

namespace Wire;

/// <summary>
/// Turns the values of type <typeparamref name="T"/> into bytes and back. <see cref="Read"/> has to read exactly what
/// <see cref="Write"/> wrote. Instances are shared by all threads. What user code throws comes out of the serializer as it is.
/// </summary>
/// <typeparam name="T">The type; values of derived types are not offered.</typeparam>
public abstract class ValueSerializer<T> : ValueSerializer
{
    /// <inheritdoc/>
    public sealed override Type Type => typeof(T);

    /// <summary>Writes a value. A null is never offered when <typeparamref name="T"/> is a class.</summary>
    public abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value. Bytes that are no value should throw a clear exception.</summary>
    public abstract T Read(ref WireReader reader);

    /// <inheritdoc/>
    public override void EmitWriteValue(ICompiler<ObjectWriter> compiler)
    {
        ArgumentNullException.ThrowIfNull(compiler);
        compiler.EmitConstant(this);
        compiler.EmitCall(((CallWrite)WriteWith).Method);
    }

    /// <inheritdoc/>
    public override void EmitReadValue(ICompiler<ObjectReader> compiler)
    {
        ArgumentNullException.ThrowIfNull(compiler);
        compiler.EmitConstant(this);
        compiler.EmitCall(((CallRead)ReadWith).Method);
    }

    /// <summary>Writes the elements of a collection.</summary>
    internal virtual void WriteMany(ref WireWriter writer, ReadOnlySpan<T> values)
    {
        int member = writer.Member;
        for (int i = 0; i < values.Length; i++)
        {
            writer.Member = ~i;
            Write(ref writer, values[i]);
        }

        writer.Member = member;
    }

    /// <summary>Reads elements of a collection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements to fill.</param>
    /// <param name="start">The index of the first of them in the collection.</param>
    internal virtual void ReadMany(ref WireReader reader, Span<T> values, int start)
    {
        int member = reader.Member;
        for (int i = 0; i < values.Length; i++)
        {
            reader.Member = ~(start + i);
            values[i] = Read(ref reader);
        }

        reader.Member = member;
    }

    /// <summary>Writes an element of a collection.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The element.</param>
    /// <param name="index">Its index.</param>
    /// <param name="elements">What is remembered of the elements before it.</param>
    internal virtual void WriteElement(ref WireWriter writer, T value, int index, ref WrittenElements elements)
    {
        writer.Member = ~index;
        Write(ref writer, value);
    }

    /// <summary>Reads an element of a collection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="index">Its index.</param>
    /// <param name="elements">What is remembered of the elements before it.</param>
    internal virtual T ReadElement(ref WireReader reader, int index, ref ReadElements elements)
    {
        reader.Member = ~index;
        return Read(ref reader);
    }

    internal override void WriteObject(ref WireWriter writer, object value) => Write(ref writer, (T)value);

    internal override object ReadObject(ref WireReader reader) => Read(ref reader)!;

    internal override Shape Describe(ShapeBuilder builder) => FixedSize > 0 ? Shape.Fixed(FixedSize) : Shape.Framed;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => null;

    private delegate void CallWrite(ref WireWriter writer, T value, ValueSerializer<T> serializer);

    private delegate T CallRead(ref WireReader reader, ValueSerializer<T> serializer);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteWith(ref WireWriter writer, T value, ValueSerializer<T> serializer) => serializer.Write(ref writer, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadWith(ref WireReader reader, ValueSerializer<T> serializer) => serializer.Read(ref reader);
}
