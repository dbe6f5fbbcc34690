using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;
using Wire.Values;
using Wire.ValueSerializers;

namespace Wire.SerializerFactories;

/// <summary>A collection class that the program names, written as its elements and read by its own public face.</summary>
[RequiresDynamicCode(TrimmingAdvice.Inside)]
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class CollectionFactory : LibraryFactory
{
    private readonly Type _definition;

    public CollectionFactory(Type type)
    {
        _definition = type;
        if (!type.IsClass
            || type.IsAbstract
            || type.IsArray
            || (type.IsGenericType && !type.IsGenericTypeDefinition && type.ContainsGenericParameters))
        {
            throw new ArgumentException(
                $"{type} is not a class that can be created: name a class, or the definition of a generic class.", nameof(type));
        }

        if (TagTypes.Contains(type) || Families.Find(type) is not null)
        {
            throw new ArgumentException($"{type} needs no factory: Wire knows it.", nameof(type));
        }

        Face.Find(type);
    }

    internal override IEnumerable<Type> Definitions => [_definition];

    internal override ValueSerializer? Create(Type type, TypeRegistry registry)
    {
        if (!Fits(type))
        {
            return null;
        }

        Face face = Face.Find(type);
        ValueSerializer element = registry.CreateSlot(face.Element);
        try
        {
            return (ValueSerializer)ClosedTypes.Create(typeof(NamedCollectionSerializer<,>), [type, face.Element], element, face);
        }
        catch (UnsupportedTypeException e) when (e is { IsUnseen: true, HasRow: false })
        {
            throw ClosedTypes.Unseen(
                type, e.InnerException, $"WireRow.NamedCollection<{NativeNames.NameOf(type)}, {NativeNames.NameOf(face.Element)}>()");
        }
    }

    internal override IEnumerable<Type>? DeclaredPartTypes(Type type) =>
        Fits(type) && !type.IsGenericTypeDefinition ? [Face.Find(type).Element] : null;

    private bool Fits(Type type) => type == _definition || type.IsOf(_definition);

    /// <summary>The face of a collection class: its element, and how it is made and filled.</summary>
    /// <param name="Element">The element.</param>
    /// <param name="Empty">Makes an empty collection; null when there is no such constructor.</param>
    /// <param name="Filled">Makes a collection of its elements; null when it is not needed.</param>
    /// <param name="AddRange">Adds elements; null when there is no such method.</param>
    /// <param name="Add">Adds an element; null when there is no such method.</param>
    [RequiresUnreferencedCode(TrimmingAdvice.Inside)]
    [RequiresDynamicCode(TrimmingAdvice.Inside)]
    internal sealed record Face(Type Element, ConstructorInfo? Empty, ConstructorInfo? Filled, MethodInfo? AddRange, MethodInfo? Add)
    {
        public static Face Find(Type type)
        {
            Type[] elements = [.. type.GetInterfaces().Where(i => i.IsOf(typeof(IEnumerable<>))).Select(i => i.GetGenericArguments()[0])];
            if (elements is not [Type element])
            {
                throw new ArgumentException(
                    $"{type} implements IEnumerable<T> {(elements.Length == 0 ? "not at all" : "for several types")}: it must implement " +
                    "it once.", nameof(type));
            }

            Type sequence = ClosedTypes.Close(typeof(IEnumerable<>), element);
            ConstructorInfo? empty = type.GetConstructor(Type.EmptyTypes);
            MethodInfo? addRange = type.GetMethod("AddRange", [sequence]);
            MethodInfo? add = type.GetMethod("Add", [element])
                ?? (Array.Find(type.GetInterfaces(), i => i.IsOf(typeof(ICollection<>)))?.GetMethod("Add"));
            ConstructorInfo? filled = type.GetConstructor([sequence]);
            if (empty is not null && (addRange ?? add) is not null)
            {
                return new(element, empty, null, addRange, add);
            }

            return filled is not null
                ? new(element, null, filled, null, null)
                : throw new ArgumentException(
                    $"{type} cannot be filled: it needs a public parameterless constructor and AddRange({sequence}) or Add({element}), " +
                    $"or a public constructor that takes {sequence}.", nameof(type));
        }
    }
}

/// <summary>The elements of a collection whose class the program has named, as a sequence.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal sealed class NamedCollectionSerializer<TCollection, T> : ValueSerializer<TCollection>
    where TCollection : class, IEnumerable<T>
{
    private readonly CollectionFactory.Face _face;
    private readonly ArraySerializer<T> _items;
    private readonly ValueSerializer<T> _element;
    private readonly Action<TCollection, T>? _add;
    private readonly MethodInfo? _addRange;

    // Sets and dictionaries find their elements by what is in them.
    private static readonly bool IsKeyed = Array.Exists(
        typeof(TCollection).GetInterfaces(),
        face => face.IsGenericType && face.GetGenericTypeDefinition() is var definition
            && (definition == typeof(IReadOnlySet<>) || definition == typeof(ISet<>)
                || definition == typeof(IReadOnlyDictionary<,>) || definition == typeof(IDictionary<,>)));

    public NamedCollectionSerializer(ValueSerializer<T> element, CollectionFactory.Face face)
    {
        _face = face;
        _element = element;
        _items = new(element) { IsObject = false };
        _addRange = face.AddRange;
        _add = face.Add is not { } add ? null
            : add.ReturnType == typeof(void) ? add.CreateDelegate<Action<TCollection, T>>()
            : (collection, item) => add.Invoke(collection, BindingFlags.DoNotWrapExceptions, null, [item], null);
    }

    public override void Write(ref WireWriter writer, TCollection value) => _items.Write(ref writer, [.. value]);

    public override TCollection Read(ref WireReader reader)
    {
        ReadObjects objects = reader.Session.Objects;
        int scope = objects.BeginScope();
        if (_face.Empty is null)
        {
            T[] all = _items.Read(ref reader);
            if (objects.EndScope(scope) != ReadObjects.Whole && IsKeyed)
            {
                ThrowHelper.InvalidValue(
                    typeof(TCollection).ToString(),
                    "a key refers back to an object that contains it, and its hash code changes when that object is complete. Give the " +
                    "class a parameterless constructor, so that it can be filled later");
            }

            return Guarded(() => (TCollection)Call(_face.Filled!, all));
        }

        // It is there before its elements, which may refer to it.
        TCollection collection = Guarded(() => (TCollection)Call(_face.Empty));
        reader.Session.Track(collection);
        T[] items = _items.Read(ref reader);
        int lowest = objects.EndScope(scope);
        if (lowest == ReadObjects.Whole || !IsKeyed)
        {
            return Guarded(() => Fill(collection, items));
        }

        // What compares keys needs whole keys.
        objects.Waiting.Add(lowest, () => Guarded(() => Fill(collection, items)));
        return collection;
    }

    internal override Shape Describe(ShapeBuilder builder) => builder.Build(_items);

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Sequence
        ? new NamedCollectionSerializer<TCollection, T>((ValueSerializer<T>)_element.Adapt(writer.Element!, context), _face)
        : null;

    private static object Call(ConstructorInfo constructor, params object[] arguments) =>
        constructor.Invoke(BindingFlags.DoNotWrapExceptions, null, arguments, null);

    // Any exception of the class results from the payload's elements.
    private static TCollection Guarded(Func<TCollection> make)
    {
        try
        {
            return make();
        }
        catch (Exception e) when (ThrowHelper.MayBeOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }
    }

    private TCollection Fill(TCollection collection, T[] items)
    {
        if (_addRange is not null)
        {
            _addRange.Invoke(collection, BindingFlags.DoNotWrapExceptions, null, [items], null);
            return collection;
        }

        foreach (T item in items)
        {
            _add!(collection, item);
        }

        return collection;
    }
}
