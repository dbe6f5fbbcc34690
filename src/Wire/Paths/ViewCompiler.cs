using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using Wire.Compilation;
using Wire.Format;
using Wire.Manifests;
using Wire.Runtime;
using Wire.Slots;
using Wire.Values;

namespace Wire.Paths;

/// <summary>
/// Makes programs that lead to places: of objects, lists and dictionaries to their beginning, so that others go on from there.
/// </summary>
/// <param name="serializer">The serializer.</param>
/// <param name="steps">The steps from where they begin.</param>
/// <param name="limits">The limits.</param>
/// <param name="isRoot">True if they begin at the root of a payload.</param>
internal sealed class ViewCompiler<T>(Serializer serializer, PathStep[] steps, PathLimits limits, bool isRoot = false)
    : PathCompiler<T>(serializer, steps, limits)
{
    private static readonly Type[] PlainTypes =
    [
        typeof(List<>), typeof(ImmutableArray<>), typeof(ImmutableList<>), typeof(Dictionary<,>), typeof(ConcurrentDictionary<,>),
        typeof(ImmutableDictionary<,>), typeof(FrozenDictionary<,>),
    ];

    private readonly Serializer _serializer = serializer;
    private readonly PathLimits _limits = limits;

    public override bool TakesNamed => true;

    protected override (PathEnd End, PathReader? Reader, Shape At) ReaderOf(Shape shape, Manifest? named)
    {
        Registry.Resolver.Judge(typeof(T));
        if (shape.Code is ShapeCode.Members or ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Map || shape.Equals(Shape.Empty))
        {
            if (LayoutOf(shape, named) is { } layout)
            {
                return (PathEnd.Value, layout, shape);
            }
        }
        else if (named is null)
        {
            (PathEnd End, PathReader? Reader, Shape At) value = base.ReaderOf(shape, null);
            if (value.End is PathEnd.Value or PathEnd.TaggedValue)
            {
                return value;
            }
        }

        // Without a reader it is a place, where it is read in the general way.
        return named is not null ? (PathEnd.Other, null, shape)
            : shape.Code == ShapeCode.Tagged ? (PathEnd.Object, null, shape)
            : (PathEnd.Value, null, shape);
    }

    private ViewLayout? LayoutOf(Shape shape, Manifest? named)
    {
        ViewLayouts known = _limits.Layouts;

        // Those of roots are few: a new kind of payload takes the place of an old one.
        ViewLayout? layout = isRoot ? null : known.Find(typeof(T), shape, named);
        if (layout is not null || (!isRoot && known.IsFull))
        {
            return layout;
        }

        if (SerializerOf(shape, named) is not { } reader || !ArrayVariance.Fits(typeof(T), reader.Type) || !IsInOrder(reader))
        {
            return null;
        }

        layout = new ViewLayout(shape, reader, _serializer, _limits);
        return isRoot ? layout : known.Add(typeof(T), shape, named, layout);
    }

    // What reads the value as such a variable, after the filter has allowed its type.
    private ValueSerializer? SerializerOf(Shape shape, Manifest? named)
    {
        if (named is not null)
        {
            DeserializerSession session = _serializer.ThreadReading();
            session.BeginMessage(typeof(T));
            try
            {
                return isRoot ? named.RootSerializer(session) : named.Serializer(session, typeof(T));
            }
            finally
            {
                session.Forget();
            }
        }

        // An array with a tag has the shape of all such arrays.
        foreach ((byte tag, _) in shape.Code == ShapeCode.Sequence ? TagTypes.All : [])
        {
            if (ReferenceEquals(shape, TagTypes.VectorOf(tag)))
            {
                return Registry.Vector(tag, typeof(T));
            }
        }

        ValueSerializer? own = typeof(T).IsValueType ? Registry.Slot<T>() : Registry.TryExact(typeof(T));
        return own is null || Registry.IsOwn(shape, Registry.Shape(own)) ? own
            : own.Adapt(shape, new AdaptContext(Registry, null, null) { IsPart = true });
    }

    // Whether the parts are in the payload as the object has them, and keys are found by them: no surrogate, and no order of its own.
    private static bool IsInOrder(ValueSerializer reader) =>
        reader is IMemberwise || (reader is ICollectionForm { IsForm: true } && IsPlain(reader.Type));

    private static bool IsPlain(Type type) =>
        type.IsSZArray || (type.IsConstructedGenericType && Array.IndexOf(PlainTypes, type.GetGenericTypeDefinition()) >= 0);
}
