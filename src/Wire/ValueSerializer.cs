using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
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
    private int _elementSize;
    private FlatType? _leaf;
    private bool _knowsLeaf;

    private protected ValueSerializer(Type type, bool holdsReferences)
    {
        Type = type;
        HoldsReferences = holdsReferences;
    }

    /// <summary>The type whose values this serializer reads and writes.</summary>
    public Type Type { get; }

    /// <summary>
    /// Gets the number of bytes that every value takes; 0 when that varies. Fixed-size values need no length in front of them.
    /// </summary>
    public virtual int FixedSize => 0;

    /// <summary>
    /// Gets the least number of bytes that an element of a collection takes: it bounds the count for the remaining input.
    /// </summary>
    internal int ElementSize => _elementSize > 0 ? _elementSize
        : _elementSize = this is IElementSized sized ? sized.LeastSize : Math.Max(1, FixedSize);

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

    /// <summary>The type of variable that all values fit, as was found last; null when none has been asked for.</summary>
    internal Type? FittingVariable;

    /// <inheritdoc cref="IObjectCode.IsInterpreted"/>
    internal bool IsInterpreted => this is IObjectCode { IsInterpreted: true };

    /// <summary>Gets whether a variable of the type is a reference, or has some in it.</summary>
    internal readonly bool HoldsReferences;

    /// <summary>Gets whether values have no parts that could nest further.</summary>
    internal virtual bool IsLeaf => false;

    /// <summary>
    /// Gets whether values consist of nothing but values of fixed size, strings, nullable ones of these and value types made of them: such
    /// values contain no objects or references, enter no level of the path, and run no user code.
    /// </summary>
    internal virtual bool HoldsNoObjects => false;

    /// <summary>Gets whether values cannot change and hold nothing that can: a value and its copy are then one.</summary>
    internal virtual bool IsImmutable => false;

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

    /// <summary>Writes the value of a variable of the type, without boxing.</summary>
    internal abstract void WriteAt(ref WireWriter writer, ref byte variable);

    /// <summary>Reads a value into a variable of the type.</summary>
    internal abstract void ReadAt(ref WireReader reader, ref byte variable);

    /// <summary>Copies the value of a variable of the type into another.</summary>
    internal abstract void CopyAt(ref GraphCopier copier, ref byte from, ref byte to);

    /// <summary>Copies an object of the type, or a value type in its box.</summary>
    internal abstract object CopyObject(ref GraphCopier copier, object value);

    /// <summary>Takes a value apart for a comparison; false where only its bytes can be compared.</summary>
    internal virtual bool TryAddParts(GraphParts parts, object value) => false;

    /// <summary>Gets the code that writes an object of the type, compiling it first if necessary and possible.</summary>
    internal BodyWriter CreateBodyWriter() => (this as IObjectCode)?.CompileBodyWriter() ?? WriteObject;

    /// <summary>Gets the code that reads an object of the type, compiling it first if necessary and possible.</summary>
    internal BodyReader CreateBodyReader() => (this as IObjectCode)?.CompileBodyReader() ?? ReadObject;

    /// <summary>Gets what writes an object of the type without compiling anything.</summary>
    internal BodyWriter InterpretedWriter => (this as IObjectCode)?.InterpretBodyWriter() ?? WriteObject;

    /// <summary>Gets what reads an object of the type without compiling anything.</summary>
    internal BodyReader InterpretedReader => (this as IObjectCode)?.InterpretBodyReader() ?? ReadObject;

    /// <inheritdoc cref="IObjectCode.FlatType"/>
    internal FlatType? Flat => (this as IObjectCode)?.FlatType;

    /// <summary>The flat code of a type whose objects hold no others; otherwise null.</summary>
    internal FlatType? Leaf => _knowsLeaf ? _leaf : FindLeaf();

    /// <summary>
    /// Returns the layout of the values in the bytes. Only <see cref="ShapeBuilder.Build"/> calls it, which limits the depth.
    /// </summary>
    internal abstract Shape Describe(ShapeBuilder builder);

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
            : writer.Code == ShapeCode.Recursion && this is not IRecursionAdapter
            ? context.Target(writer, this)
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
    internal long Measure() => _objectSize = this is IMeasured measured ? measured.MeasureObject() : InstanceSize.Estimate(Type);

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

    private protected abstract ValueSerializer? AdaptTo(Shape writer, AdaptContext context);
}

/// <summary>
/// Turns the values of type <typeparamref name="T"/> into bytes and back. <see cref="Read"/> must read exactly the bytes that <see
/// cref="Write"/> wrote. Instances are shared by all threads. Exceptions of user code reach the caller unchanged.
/// </summary>
/// <typeparam name="T">The type; values of derived types are not passed to it.</typeparam>
public abstract class ValueSerializer<T> : ValueSerializer
{
    /// <summary>Makes a value serializer, which takes part once a <see cref="ValueSerializerFactory"/> returns it.</summary>
    protected ValueSerializer()
        : base(typeof(T), RuntimeHelpers.IsReferenceOrContainsReferences<T>())
    {
    }

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

    internal override void WriteObject(ref WireWriter writer, object value) => Write(ref writer, (T)value);

    internal override object ReadObject(ref WireReader reader) => Read(ref reader)!;

    /// <summary>
    /// Copies a value, never null when <typeparamref name="T"/> is a class. Where there is no way to do so without bytes, the copy is given
    /// up.
    /// </summary>
    internal virtual T Copy(ref GraphCopier copier, T value) => IsImmutable ? value : throw new CopyGivenUpException();

    /// <summary>Copies the elements of a collection.</summary>
    internal void CopyMany(ref GraphCopier copier, ReadOnlySpan<T> values, Span<T> copies)
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

    internal override void WriteAt(ref WireWriter writer, ref byte variable) => Write(ref writer, Unsafe.As<byte, T>(ref variable));

    internal override void ReadAt(ref WireReader reader, ref byte variable) => Unsafe.As<byte, T>(ref variable) = Read(ref reader);

    internal override object CopyObject(ref GraphCopier copier, object value) =>
        IsImmutable ? value : Copy(ref copier, (T)value)!;

    internal override void CopyAt(ref GraphCopier copier, ref byte from, ref byte to) =>
        Unsafe.As<byte, T>(ref to) = Copy(ref copier, Unsafe.As<byte, T>(ref from));

    internal override Shape Describe(ShapeBuilder builder) => FixedSize > 0 ? Shape.Fixed(FixedSize) : Shape.Framed;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => null;

    private delegate void CallWrite(ref WireWriter writer, T value, ValueSerializer<T> serializer);

    private delegate T CallRead(ref WireReader reader, ValueSerializer<T> serializer);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteWith(ref WireWriter writer, T value, ValueSerializer<T> serializer) => serializer.Write(ref writer, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T ReadWith(ref WireReader reader, ValueSerializer<T> serializer) => serializer.Read(ref reader);
}
