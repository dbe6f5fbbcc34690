using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire;

/// <summary>
/// Turns the values of one type into bytes and back. Derive from <see cref="ValueSerializer{T}"/>; instances are shared by all threads.
/// </summary>
public abstract class ValueSerializer
{
    private long _objectSize = Budget.Unmeasured;
    private FlatType? _leaf;
    private bool _knowsLeaf;

    private protected ValueSerializer()
    {
    }

    /// <summary>The type whose values this serializer reads and writes.</summary>
    public abstract Type Type { get; }

    /// <summary>
    /// Gets the number of bytes that every value takes; 0 when that varies. Fixed-size values need no length in front of them.
    /// </summary>
    public virtual int FixedSize => 0;

    /// <summary>
    /// Gets the least number of bytes that an element of a collection takes: it bounds the count for the remaining input.
    /// </summary>
    internal virtual int ElementSize => Math.Max(1, FixedSize);

    /// <summary>
    /// The estimated memory of an object, without the objects it refers to; until it has been measured, more than any budget.
    /// </summary>
    internal long ObjectSize => _objectSize;

    /// <summary>
    /// The compiled code that writes an object of a class, once it exists. Callers that have checked the object's type use it directly.
    /// </summary>
    internal BodyWriter? BodyWriter { get; private protected set; }

    /// <summary>The compiled code that reads an object of a class, once it exists.</summary>
    internal BodyReader? BodyReader { get; private protected set; }

    /// <summary>
    /// Gets whether values are read by reflection, because the writer's schema has not been seen often enough for compiled code.
    /// </summary>
    internal virtual bool IsInterpreted => false;

    /// <summary>Gets whether values have no parts that could nest further.</summary>
    internal virtual bool IsLeaf => false;

    /// <summary>
    /// Gets whether values consist of nothing but values of fixed size, strings, nullable ones of these and value types made of them: such
    /// values contain no objects or references, enter no level of the path, and run no user code.
    /// </summary>
    internal virtual bool HoldsNoObjects => false;

    /// <summary>Gets whether values cannot change and hold nothing that can: a value and its copy are then one.</summary>
    internal virtual bool IsImmutable => false;

    /// <summary>The code for values in the window; null when there is none.</summary>
    internal virtual IWindowSerializer? InWindow => null;

    /// <summary>Gets whether the layout is sent in the type's own manifest, not in the schema of the declaring type.</summary>
    internal virtual bool HasOwnSchema => false;

    /// <summary>Gets whether it also writes the values of every derived class, so that the declared type determines the layout.</summary>
    internal virtual bool IsClosed => false;

    /// <summary>
    /// Emits the code that writes a value inside the code of a complex type, without boxing. On entry the evaluation stack holds a
    /// reference to the <see cref="WireWriter"/> and the value; both must be consumed. By default it emits a call of <see
    /// cref="ValueSerializer{T}.Write"/>.
    /// </summary>
    public abstract void EmitWriteValue(ICompiler<ObjectWriter> compiler);

    /// <summary>
    /// Emits the code that reads a value inside the code of a complex type, without boxing. On entry the evaluation stack holds a reference
    /// to the <see cref="WireReader"/>; the value replaces it. By default it emits a call of <see cref="ValueSerializer{T}.Read"/>.
    /// </summary>
    public abstract void EmitReadValue(ICompiler<ObjectReader> compiler);

    internal abstract void WriteObject(ref WireWriter writer, object value);

    internal abstract object ReadObject(ref WireReader reader);

    /// <summary>Copies an object of the type.</summary>
    internal abstract object CopyObject(ref GraphCopier copier, object value);

    /// <summary>Takes a value apart for a comparison; false where only its bytes can be compared.</summary>
    internal virtual bool TryAddParts(GraphParts parts, object value) => false;

    /// <summary>Gets the code that writes an object of the type, compiling it first if necessary and possible.</summary>
    internal virtual BodyWriter CreateBodyWriter() => WriteObject;

    /// <summary>Gets the code that reads an object of the type, compiling it first if necessary and possible.</summary>
    internal virtual BodyReader CreateBodyReader() => ReadObject;

    /// <summary>Gets what writes an object of the type without compiling anything.</summary>
    internal virtual BodyWriter InterpretedWriter => WriteObject;

    /// <summary>Gets what reads an object of the type without compiling anything.</summary>
    internal virtual BodyReader InterpretedReader => ReadObject;

    /// <summary>Compiles what the values need, apart from their parts.</summary>
    internal virtual void Prepare()
    {
    }

    /// <summary>The code for flat objects of exactly the type; null when they are not flat, or nothing can be emitted.</summary>
    internal virtual FlatType? Flat => null;

    /// <summary>The flat code of a type whose objects hold no others; otherwise null.</summary>
    internal FlatType? Leaf => _knowsLeaf ? _leaf : FindLeaf();

    /// <summary>
    /// Returns the layout of the values in the bytes. Only <see cref="ShapeBuilder.Build"/> calls it, which limits the depth.
    /// </summary>
    internal abstract Shape Describe(ShapeBuilder builder);

    /// <summary>The serializer of one-dimensional arrays of the type, when these have a tag in the format.</summary>
    internal virtual ValueSerializer? CreateVectorSerializer() => null;

    /// <summary>Makes a serializer that reads another writer's layout into the same type.</summary>
    /// <exception cref="WireFormatException">The layouts are incompatible.</exception>
    internal ValueSerializer Adapt(Shape writer, AdaptContext context)
    {
        Shape own = context.Registry.Shape(this);
        if (context.Registry.IsOwn(writer, own))
        {
            return this;
        }

        ValueSerializer? adapted = writer.Code == ShapeCode.None && context.Given is { } given
            ? given(Type)
            : writer.Code == ShapeCode.Recursion
            ? AdaptToRecursion(writer, context)
            : writer.Code == ShapeCode.Nullable && own.Code != ShapeCode.Nullable && Type.IsValueType
                && this is not ICollectionForm { IsForm: true }
            ? SerializerSource.Library.CreateNotNull(Adapt(writer.Element!, context))
            : AdaptTo(writer, context);
        return adapted ?? throw Mismatch(writer, own);
    }

    private WireFormatException Mismatch(Shape writer, Shape own) => this is ICollectionForm { IsForm: true }
        ? CollectionErrors.NoLayout(writer.InWords(), Type)
        : new WireFormatException(
            WireFormatError.SchemaMismatch,
            $"The writer's {(writer.Code == ShapeCode.Tagged ? "object or collection" : writer.InWords())} cannot be read as {Type}"
                + $"{(TagTypes.IsTag(own.Code) ? "" : $", which is {own.InWords()}")}. "
                + Advice.ChangedMember);

    /// <summary>Estimates the memory of an object, and stores it in <see cref="ObjectSize"/>.</summary>
    internal long Measure() => _objectSize = MeasureObject();

    // A schema that has not paid for compiled code has not paid for this either.
    private FlatType? FindLeaf()
    {
        if (!IsInterpreted)
        {
            _leaf = Flat is { IsLeaf: true } flat ? flat : null;
            _knowsLeaf = true;
        }

        return _leaf;
    }

    private protected virtual long MeasureObject() => InstanceSize.Estimate(Type);

    private protected virtual ValueSerializer? AdaptToRecursion(Shape writer, AdaptContext context) => context.Target(writer, this);

    private protected abstract ValueSerializer? AdaptTo(Shape writer, AdaptContext context);
}

/// <summary>
/// Turns the values of type <typeparamref name="T"/> into bytes and back. <see cref="Read"/> must read exactly the bytes that <see
/// cref="Write"/> wrote. Instances are shared by all threads. Exceptions of user code reach the caller unchanged.
/// </summary>
/// <typeparam name="T">The type; values of derived types are not passed to it.</typeparam>
public abstract class ValueSerializer<T> : ValueSerializer
{
    /// <inheritdoc/>
    public sealed override Type Type => typeof(T);

    /// <summary>Writes a value, never null when <typeparamref name="T"/> is a class.</summary>
    public abstract void Write(ref WireWriter writer, T value);

    /// <summary>Reads a value. Throw a clear exception for invalid bytes.</summary>
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
    /// <param name="elements">The cache of types of the elements before it.</param>
    internal virtual void WriteElement(ref WireWriter writer, T value, int index, ref WrittenElements elements)
    {
        writer.Member = ~index;
        Write(ref writer, value);
    }

    /// <summary>Flat code for elements of collections; null where there is none.</summary>
    internal virtual FlatElements? FlatElements => null;

    /// <summary>Compiles the flat code for elements of collections.</summary>
    internal void PrepareElements() => FlatElements?.Prepare();

    /// <summary>Writes consecutive elements of a collection, many at a time where that is possible.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="values">The elements.</param>
    /// <param name="start">The index of the first of them.</param>
    /// <param name="elements">The cache of types of the elements before them.</param>
    internal void WriteElements(ref WireWriter writer, scoped ReadOnlySpan<T> values, int start, ref WrittenElements elements)
    {
        FlatElements? flat = FlatElements;
        for (int i = 0; i < values.Length; i++)
        {
            if (flat is not null && elements.Flat.IsTried)
            {
                int written = flat.Write(ref writer, ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in values[i])), values.Length - i);
                elements.Flat.Note(written);
                i += written;
                if (i == values.Length)
                {
                    return;
                }
            }

            i += WriteSome(ref writer, values[i..], start + i, ref elements) - 1;
        }
    }

    /// <summary>Reads consecutive elements of a collection, many at a time where that is possible.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements to fill.</param>
    /// <param name="start">The index of the first of them.</param>
    /// <param name="elements">The cache of types of the elements before them.</param>
    internal void ReadElements(ref WireReader reader, scoped Span<T> values, int start, ref ReadElements elements)
    {
        FlatElements? flat = FlatElements;
        for (int i = 0; i < values.Length; i++)
        {
            if (flat is not null && elements.Flat.IsTried)
            {
                int read = flat.Read(ref reader, ref Unsafe.As<T, byte>(ref values[i]), values.Length - i);
                elements.Flat.Note(read);
                i += read;
                if (i == values.Length)
                {
                    return;
                }
            }

            i += ReadSome(ref reader, values[i..], start + i, ref elements) - 1;
        }
    }

    /// <summary>Writes one element of a collection, or some more of its type.</summary>
    /// <returns>The number of elements written.</returns>
    private protected virtual int WriteSome(
        ref WireWriter writer, scoped ReadOnlySpan<T> values, int index, ref WrittenElements elements)
    {
        WriteElement(ref writer, values[0], index, ref elements);
        return 1;
    }

    /// <summary>Reads one element of a collection, or some more of its type.</summary>
    /// <returns>The number of elements read.</returns>
    private protected virtual int ReadSome(ref WireReader reader, scoped Span<T> values, int index, ref ReadElements elements)
    {
        values[0] = ReadElement(ref reader, index, ref elements);
        return 1;
    }

    /// <summary>Reads an element of a collection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="index">Its index.</param>
    /// <param name="elements">The cache of types of the elements before it.</param>
    internal virtual T ReadElement(ref WireReader reader, int index, ref ReadElements elements)
    {
        reader.Member = ~index;
        return Read(ref reader);
    }

    internal override void WriteObject(ref WireWriter writer, object value) => Write(ref writer, (T)value);

    internal override object ReadObject(ref WireReader reader) => Read(ref reader)!;

    /// <summary>
    /// Copies a value, never null when <typeparamref name="T"/> is a class. Where there is no way to do so without bytes, the copy is given
    /// up.
    /// </summary>
    internal virtual T Copy(ref GraphCopier copier, T value) => IsImmutable ? value : throw new CopyGivenUpException();

    /// <summary>Copies the elements of a collection.</summary>
    internal virtual void CopyMany(ref GraphCopier copier, ReadOnlySpan<T> values, Span<T> copies)
    {
        if (IsImmutable)
        {
            values.CopyTo(copies);
            return;
        }

        for (int i = 0; i < values.Length; i++)
        {
            copier.Member = ~i;
            copies[i] = Copy(ref copier, values[i]);
        }
    }

    internal override object CopyObject(ref GraphCopier copier, object value) =>
        IsImmutable ? value : Copy(ref copier, (T)value)!;

    internal override Shape Describe(ShapeBuilder builder) => FixedSize > 0 ? Shape.Fixed(FixedSize) : Shape.Framed;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => null;

    private delegate void CallWrite(ref WireWriter writer, T value, ValueSerializer<T> serializer);

    private delegate T CallRead(ref WireReader reader, ValueSerializer<T> serializer);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteWith(ref WireWriter writer, T value, ValueSerializer<T> serializer) => serializer.Write(ref writer, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadWith(ref WireReader reader, ValueSerializer<T> serializer) => serializer.Read(ref reader);
}
