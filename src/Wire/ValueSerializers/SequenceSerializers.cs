using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Compilation.Flat.Parts;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Slots;
using Wire.Types;
using Wire.Values;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers;

/// <summary>One-dimensional arrays that begin at zero: a count and the elements.</summary>
internal sealed class ArraySerializer<T>(ValueSerializer<T> element)
    : ValueSerializer<T[]>, IFlatSequence, ISequenceSerializer, ICollectionForm, IOverwriter, IPreparable
{
    bool IOverwriter.CanOverwrite => IsObject;

    public ValueSerializer Element => element;

    public int ElementMemory => Unsafe.SizeOf<T>();

    /// <summary>Gets whether the array is an object of the graph, rather than the storage of another.</summary>
    public bool IsObject { get; init; } = true;

    public ValueSerializer AsPart() => new ArraySerializer<T>(element) { IsObject = false };

    public FlatPart? CreateFlatPart(TypeEntry entry, FlatParts parts) => FlatSequence<T>.TryCreate(
        entry, isList: false, element, parts);

    public override void Write(ref WireWriter writer, T[] value)
    {
        writer.WriteCount(value.Length, Unsafe.SizeOf<T>());
        element.WriteMany(ref writer, value);
    }

    public override T[] Read(ref WireReader reader)
    {
        int count = reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>(), out int capacity);
        T[] array = Create(capacity);
        if (capacity == count)
        {
            if (IsObject)
            {
                reader.Session.Track(array);
            }

            element.ReadMany(ref reader, array, 0);
            return array;
        }

        // The input's length is unknown: the array grows as elements arrive.
        for (int done = 0; ; Array.Resize(ref array, (int)Math.Min(count, done * 2L)))
        {
            element.ReadMany(ref reader, array.AsSpan(done), done);
            done = array.Length;
            if (done == count)
            {
                return array;
            }
        }
    }

    // An array of another length is a new one.
    object IOverwriter.ReadOver(ref WireReader reader, object there)
    {
        var array = (T[])there;
        if (!VarUInt32.TryRead(reader.Window, out uint count, out _) || count != array.Length)
        {
            return Read(ref reader);
        }

        reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>(), out _);
        reader.Session.Track(array);
        element.ReadManyOver(ref reader, array, 0);
        return array;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.AddElements<T>(element, (T[])value);
        return true;
    }

    internal override T[] Copy(ref GraphCopier copier, T[] value)
    {
        T[] array = Create(value.Length);
        if (IsObject)
        {
            copier.Track(array);
        }

        element.CopyMany(ref copier, value, array);
        return array;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Sequence(builder.Build(element));

    public void Prepare() => (element as ElementSerializer<T>)?.PrepareElements();

    // Unmanaged elements are overwritten completely before the array is visible.
    private T[] Create(int count) => !RuntimeHelpers.IsReferenceOrContainsReferences<T>() && element.HoldsNoObjects
        ? GC.AllocateUninitializedArray<T>(count)
        : new T[count];

    // A variable of type object[] may hold a string[]: this serializer writes only the exact type.
    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Sequence
        ? new ArraySerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context)) { IsObject = IsObject }
        : CollectionForms.Adapt(this, writer, context);
}

/// <summary>Lists: a count and the elements, directly from and to the list's array.</summary>
internal sealed class ListSerializer<T>(ValueSerializer<T> element)
    : ValueSerializer<List<T>>, IBasePart, IFilledCollection, IFlatSequence, ISequenceSerializer, ICollectionForm, IOverwriter, IPreparable
{
    bool IOverwriter.CanOverwrite => IsObject;

    public ValueSerializer Element => element;

    public int ElementMemory => Unsafe.SizeOf<T>();

    public string PartName => IBasePart.Items;

    public Type ElementType => typeof(T);

    public bool ComparesParts => false;

    /// <inheritdoc cref="ArraySerializer{T}.IsObject"/>
    public bool IsObject { get; init; } = true;

    public ValueSerializer AsPart() => new ListSerializer<T>(element) { IsObject = false };

    public FlatPart? CreateFlatPart(TypeEntry entry, FlatParts parts) => FlatSequence<T>.TryCreate(
        entry, isList: true, element, parts);

    public override void Write(ref WireWriter writer, List<T> value)
    {
        Span<T> items = CollectionsMarshal.AsSpan(value);
        writer.WriteCount(items.Length, Unsafe.SizeOf<T>());
        element.WriteMany(ref writer, items);
        if (value.Count != items.Length)
        {
            throw Changes.Seen(typeof(List<T>), items.Length, value.Count);
        }
    }

    public override List<T> Read(ref WireReader reader)
    {
        int count = reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>(), out int part);
        var list = new List<T>(part);
        if (IsObject)
        {
            reader.Session.Track(list);
        }

        ReadElements(ref reader, list, count, part);
        return list;
    }

    public void ReadInto(ref WireReader reader, object target)
    {
        int count = reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>(), out int part);
        Constructor((List<T>)target, part);
        ReadElements(ref reader, (List<T>)target, count, part);
    }

    // What the list has room for is there at once, and more is made as for a new one.
    object IOverwriter.ReadOver(ref WireReader reader, object there)
    {
        int count = reader.ReadCount(element.ElementSize, Unsafe.SizeOf<T>(), out int part);
        var list = (List<T>)there;
        reader.Session.Track(list);
        for (int done = 0, next = Math.Max(part, list.Capacity); done < count || list.Count > count; next = Math.Max(part, done))
        {
            CollectionsMarshal.SetCount(list, (int)Math.Min(count, (long)done + next));
            element.ReadManyOver(ref reader, CollectionsMarshal.AsSpan(list)[done..], done);
            done = list.Count;
        }

        return list;
    }

    public void ConstructEmpty(object target) => Constructor((List<T>)target, 0);

    public void Fill(DeserializerSession session, object target, object? comparer, Array elements)
    {
        Constructor((List<T>)target, elements.Length);
        ((List<T>)target).AddRange((T[])elements);
    }

    public void CopyInto(ref GraphCopier copier, object source, object target)
    {
        var copy = (List<T>)target;
        Constructor(copy, ((List<T>)source).Count);
        CopyElements(ref copier, (List<T>)source, copy);
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        parts.AddElements<T>(element, CollectionsMarshal.AsSpan((List<T>)value));
        return true;
    }

    internal override List<T> Copy(ref GraphCopier copier, List<T> value)
    {
        var copy = new List<T>(value.Count);
        copier.Track(copy);
        CopyElements(ref copier, value, copy);
        return copy;
    }

    private void CopyElements(ref GraphCopier copier, List<T> value, List<T> copy)
    {
        Span<T> items = CollectionsMarshal.AsSpan(value);
        CollectionsMarshal.SetCount(copy, items.Length);
        element.CopyMany(ref copier, items, CollectionsMarshal.AsSpan(copy));
        if (value.Count != items.Length)
        {
            throw Changes.Seen(typeof(List<T>), items.Length, value.Count);
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = ".ctor")]
    private static extern void Constructor(List<T> target, int capacity);

    private void ReadElements(ref WireReader reader, List<T> list, int count, int part)
    {
        while (list.Count < count)
        {
            int done = list.Count;
            CollectionsMarshal.SetCount(list, done + Math.Min(part, count - done));
            element.ReadMany(ref reader, CollectionsMarshal.AsSpan(list)[done..], done);
            part = list.Count;
        }
    }

    public void Prepare() => (element as ElementSerializer<T>)?.PrepareElements();

    internal override Shape Describe(ShapeBuilder builder) => Shape.Sequence(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Sequence
        ? new ListSerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context)) { IsObject = IsObject }
        : CollectionForms.Adapt(this, writer, context);
}

/// <summary>Arrays of several dimensions, or with a lower bound other than zero: bounds, and the elements in row-major order.</summary>
internal sealed class ArrayOfRankSerializer<TArray, T>(ValueSerializer<T> element, int rank) : ValueSerializer<TArray>
    where TArray : class
{
    public override void Write(ref WireWriter writer, TArray value)
    {
        var array = (Array)(object)value;
        writer.CheckCount(array.LongLength, Unsafe.SizeOf<T>());
        ArrayFormat.WriteBounds(ref writer, array);
        element.WriteMany(ref writer, Elements(array));
    }

    public override TArray Read(ref WireReader reader)
    {
        ArrayFormat.Bounds bounds = ArrayFormat.ReadBounds(ref reader, element.ElementSize, Unsafe.SizeOf<T>(), rank);
        if (!reader.KnowsLeft && bounds.Count > 0)
        {
            return ReadGrowing(ref reader, bounds);
        }

        Array array = Array.CreateInstanceFromArrayType(typeof(TArray), bounds.Lengths, bounds.LowerBounds);
        reader.Session.Track(array);
        element.ReadMany(ref reader, Elements(array), 0);
        return (TArray)(object)array;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var array = (Array)value;
        parts.Form = "an array with the bounds " + string.Join(
            ", ", Enumerable.Range(0, rank).Select(i => $"{array.GetLowerBound(i)}..{array.GetUpperBound(i)}"));
        parts.AddElements<T>(element, Elements(array));
        return true;
    }

    internal override TArray Copy(ref GraphCopier copier, TArray value)
    {
        var source = (Array)(object)value;
        var lengths = new int[rank];
        var lowerBounds = new int[rank];
        for (int i = 0; i < rank; i++)
        {
            (lengths[i], lowerBounds[i]) = (source.GetLength(i), source.GetLowerBound(i));
        }

        Array array = Array.CreateInstanceFromArrayType(typeof(TArray), lengths, lowerBounds);
        copier.Track(array);
        element.CopyMany(ref copier, Elements(source), Elements(array));
        return (TArray)(object)array;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Array(builder.Build(element));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Array
        ? new ArrayOfRankSerializer<TArray, T>((ValueSerializer<T>)element.Adapt(writer.Element!, context), rank)
        : null;

    // The elements of an array of any rank are contiguous.
    private static Span<T> Elements(Array array) => array.Length == 0
        ? default
        : MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetArrayDataReference(array)), array.Length);

    // The elements are read into a list that grows as they arrive, and then copied to the array.
    private TArray ReadGrowing(ref WireReader reader, ArrayFormat.Bounds bounds)
    {
        const int FirstPart = 1024;
        var elements = new List<T>();
        while ((uint)elements.Count < bounds.Count)
        {
            int done = elements.Count;
            CollectionsMarshal.SetCount(elements, (int)Math.Min(bounds.Count, Math.Max(FirstPart, done * 2L)));
            element.ReadMany(ref reader, CollectionsMarshal.AsSpan(elements)[done..], done);
        }

        Array array = Array.CreateInstanceFromArrayType(typeof(TArray), bounds.Lengths, bounds.LowerBounds);
        CollectionsMarshal.AsSpan(elements).CopyTo(Elements(array));
        return (TArray)(object)array;
    }
}
