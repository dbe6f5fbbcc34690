using System.Diagnostics.CodeAnalysis;
using System.Formats.Nrbf;
using System.Reflection;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.ValueSerializers.Collections;

namespace Wire.Migration.Reading;

/// <summary>
/// Collections in variables that are of another collection now. What converts is what converts in payloads of Wire, and by the same code;
/// the elements are read as those of the variable's type.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Conversions
{
    /// <summary>
    /// Reads a collection as that of a variable; null where the record is none, fits the variable as it is, or does not convert.
    /// </summary>
    public static object? TryRead(GraphReader graph, SerializationRecord record, Type variable)
    {
        if (variable == typeof(object) || !Collections.IsWrittenBy(record))
        {
            return null;
        }

        Type type = graph.Resolve(record);
        if (ArrayVariance.Fits(Nullable.GetUnderlyingType(variable) ?? variable, type))
        {
            return null;
        }

        if (record is ClassRecord view && Collections.InsideOf(view, type) is { } inside)
        {
            return inside(graph, variable) ?? throw ThrowHelper.NotValid(type.ToString(), "it has nothing inside");
        }

        Shape written = LayoutOf(graph, graph.Registry.Entry(type).Serializer);
        return graph.Registry.Form(variable, written) is { } form ? TryRead(graph, record, type, written, form) : null;
    }

    private static object? TryRead(GraphReader graph, SerializationRecord record, Type type, Shape written, ValueSerializer form)
    {
        if (form is IFilledWrapper wrapper)
        {
            object target = Collections.Begin(graph, form.Type);
            wrapper.Fill(graph.Session, target, graph.ReadInside(record, wrapper.InnerType)!);
            return target;
        }

        Shape layout = LayoutOf(graph, form);
        if ((layout.Code == ShapeCode.Map) != (written.Code == ShapeCode.Map))
        {
            return null;
        }

        if (form.Type.IsSZArray && record is ArrayRecord array)
        {
            return Arrays.Read(graph, array, form.Type);
        }

        Collections.ReadParts? parts = record is ArrayRecord elements
            ? (graph, element) => (null, Arrays.Read(graph, elements, element, 0, -1))
            : Collections.PartsOf((ClassRecord)record, type);
        if (parts is null)
        {
            return null;
        }

        if (form is IFilledCollection collection)
        {
            return Collections.ReadGrowing(graph, form.Type, collection, parts);
        }

        graph.TakeObject(form.Type);
        return form.Type.IsSZArray
            ? parts(graph, form.Type.GetElementType()!).Elements
            : ReadWhole(graph, form, layout.Code, written.Code, parts);
    }

    // The default value of an immutable array or a segment is none.
    private static Shape LayoutOf(GraphReader graph, ValueSerializer serializer)
    {
        Shape layout = graph.Registry.Shape(serializer);
        return layout.Code == ShapeCode.Nullable ? layout.Element! : layout;
    }

    // A collection that is made of all its elements at once, by its value serializer: that finds a count in the bytes, and takes the
    // elements from here.
    private static object ReadWhole(GraphReader graph, ValueSerializer form, byte layout, byte written, Collections.ReadParts parts)
    {
        Type element = ElementOf(form.Type);
        ReadObjects objects = graph.Session.Objects;
        int scope = objects.BeginScope();
        (object? comparer, Array elements) = parts(graph, element);
        int lowest = objects.EndScope(scope);
        bool isMap = layout == ShapeCode.Map;
        if (layout != ShapeCode.Sequence && lowest != ReadObjects.Whole
            && (KeyStructure.MayBeStructural(isMap ? element.GetGenericArguments()[0] : element) || Collections.IsOfProgram(comparer)))
        {
            throw GraphReader.NeverComplete(form.Type);
        }

        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        Shape shape = Shape.Sequence(Shape.None);
        if (isMap || (layout == ShapeCode.Set && written == ShapeCode.Set))
        {
            shape = isMap ? Shape.Map(Shape.None, Shape.None) : Shape.Set(Shape.None);
            WriteComparer(graph, writer, comparer);
        }

        var given = new GivenElements(elements, isMap);
        writer.Write7BitEncodedInt(elements.Length);
        writer.Write(new byte[given.Count]);
        ValueSerializer reading = ((ICollectionForm)form).AsPart().Adapt(
            shape, new AdaptContext(graph.Registry, null, null) { Given = given.SerializerOf });
        var reader = new WireReader(graph.Session, bytes.ToArray(), null);
        return reading.ReadObject(ref reader);
    }

    // As an object of the graph, which it may be.
    private static void WriteComparer(GraphReader graph, BinaryWriter writer, object? comparer)
    {
        if (comparer is null)
        {
            writer.Write((byte)0);
            return;
        }

        int number = graph.Session.Objects.BeginObject();
        graph.Session.Objects.EndObject(number, comparer);
        writer.Write(ComparerCode.Object);
        writer.Write(Tag.Reference);
        writer.Write7BitEncodedInt(number);
    }

    private static Type ElementOf(Type collection) =>
        Array.Find(collection.GetInterfaces(), type => type.IsOf(typeof(IEnumerable<>)))?.GetGenericArguments()[0]
        ?? collection.GetGenericArguments()[0];

    /// <summary>Elements that have been read, of pairs the key and the value, one after the other.</summary>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    private sealed class GivenElements(Array elements, bool arePairs)
    {
        private readonly PropertyInfo[] _parts = arePairs
            ? [.. new[] { "Key", "Value" }.Select(name => elements.GetType().GetElementType()!.GetProperty(name)!)]
            : [];

        private int _next;

        /// <summary>Gets their number.</summary>
        public int Count => arePairs ? checked(elements.Length * 2) : elements.Length;

        /// <summary>Makes what takes those of a type.</summary>
        public ValueSerializer SerializerOf(Type type) =>
            (ValueSerializer)Activator.CreateInstance(typeof(GivenSerializer<>).MakeGenericType(type), [(Func<object?>)Next])!;

        private object? Next()
        {
            int i = _next++;
            if (!arePairs)
            {
                return elements.GetValue(i);
            }

            return _parts[i % 2].GetValue(elements.GetValue(i / 2));
        }
    }
}
