using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.ValueSerializers.Forms;

/// <summary>
/// The conversions between collections. Nothing is converted after it has been read: the value serializer of the type that this program
/// declares reads the elements from where the payload has them, so that what refers to the collection finds it.
/// </summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2067", Justification = TrimmingAdvice.Inside)]
internal static class CollectionForms
{
    // What variables of these interfaces hold.
    private static readonly Dictionary<Type, Type> Implementations = new()
    {
        [typeof(IEnumerable<>)] = typeof(List<>),
        [typeof(ICollection<>)] = typeof(List<>),
        [typeof(IList<>)] = typeof(List<>),
        [typeof(IReadOnlyCollection<>)] = typeof(List<>),
        [typeof(IReadOnlyList<>)] = typeof(List<>),
        [typeof(ISet<>)] = typeof(HashSet<>),
        [typeof(IReadOnlySet<>)] = typeof(HashSet<>),
        [typeof(IDictionary<,>)] = typeof(Dictionary<,>),
        [typeof(IReadOnlyDictionary<,>)] = typeof(Dictionary<,>),
        [typeof(IImmutableList<>)] = typeof(ImmutableList<>),
        [typeof(IImmutableSet<>)] = typeof(ImmutableHashSet<>),
        [typeof(IImmutableQueue<>)] = typeof(ImmutableQueue<>),
        [typeof(IImmutableStack<>)] = typeof(ImmutableStack<>),
        [typeof(IImmutableDictionary<,>)] = typeof(ImmutableDictionary<,>),
    };

    /// <summary>Finds the type as which a collection is read into a variable that its own type does not fit.</summary>
    /// <param name="variable">The type of the variable.</param>
    /// <param name="layout">The layout of the collection in the payload.</param>
    /// <returns>The type, which may be no collection at all; null when there is none.</returns>
    public static Type? TypeFor(Type variable, Shape layout)
    {
        if (!variable.IsInterface || !variable.IsConstructedGenericType)
        {
            return Nullable.GetUnderlyingType(variable) ?? variable;
        }

        Type definition = variable.GetGenericTypeDefinition();
        if (!Implementations.TryGetValue(definition, out Type? form))
        {
            return variable;
        }

        // A dictionary is a sequence of its pairs.
        Type[] arguments = variable.GetGenericArguments();
        return layout.Code == ShapeCode.Map && form == typeof(List<>) && definition != typeof(IList<>)
            && definition != typeof(IReadOnlyList<>) && arguments[0].IsOf(typeof(KeyValuePair<,>))
            ? ClosedTypes.Close(typeof(Dictionary<,>), arguments[0].GetGenericArguments())
            : ClosedTypes.Close(form, arguments);
    }

    /// <summary>Makes the reader of a sequence or set, or of what stands around one, for a collection of elements.</summary>
    /// <param name="own">The value serializer of the collection, which reads sequences.</param>
    /// <param name="writer">The layout, which is no sequence.</param>
    /// <param name="context">The layouts around it.</param>
    /// <returns>The reader; null when there is none.</returns>
    public static ValueSerializer? Adapt<T>(ValueSerializer<T> own, Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Set
            ? new BehindComparerSerializer<T>((ValueSerializer<T>)own.Adapt(Shape.Sequence(writer.Element!), context))
            : AdaptInside(own, writer, context);

    /// <summary>Makes the reader of a collection that the payload has around another one, such as a read-only view.</summary>
    /// <returns>The reader; null when there is none.</returns>
    public static ValueSerializer? AdaptInside<T>(ValueSerializer<T> own, Shape writer, AdaptContext context) =>
        writer.Code == ShapeCode.Nullable && writer.Element!.Code is ShapeCode.Sequence or ShapeCode.Nullable
            ? new NotNullSerializer<T>((ValueSerializer<T>)own.Adapt(writer.Element, context))
            : writer.Code == ShapeCode.Tagged && !typeof(T).IsValueType
            ? new InsideSerializer<T>((ValueSerializer<T?>)context.Registry.CreateSlot(own.Type).Adapt(writer, context))
            : null;

    /// <summary>
    /// Makes the reader of a variable whose writer had a value there, without a tag: an immutable array or a part of one.
    /// </summary>
    /// <returns>The reader; null when there is none.</returns>
    public static ValueSerializer? AdaptValue<T>(Shape writer, AdaptContext context)
        where T : class
    {
        // An immutable array that is nullable has two.
        int nullables = 0;
        Shape layout = writer;
        for (; layout.Code == ShapeCode.Nullable; layout = layout.Element!)
        {
            nullables++;
        }

        return layout.Code is ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Map
            && context.Registry.Form(typeof(T), layout) is { } form
            ? new UntaggedSerializer<T>(((ICollectionForm)form).AsPart().Adapt(layout, context), nullables)
            : null;
    }

    /// <summary>Makes the reader of a tagged collection into a variable that no layout of the program's own belongs to.</summary>
    /// <returns>The reader; null when there is none.</returns>
    public static ValueSerializer? AdaptTagged(Type variable, Shape layout, AdaptContext context) =>
        IsCollection(layout) && context.Registry.Form(variable, layout) is { } form ? form.Adapt(layout, context) : null;

    private static bool IsCollection(Shape layout) => layout.Code switch
    {
        ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Map => true,
        ShapeCode.Tagged => layout.Element!.Code == ShapeCode.None || IsCollection(layout.Element),
        _ => false,
    };
}
