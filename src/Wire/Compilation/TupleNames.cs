using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire.Compilation;

/// <summary>
/// The names that a member gives to the elements of value tuples in its type. Only the member has them, not the type, so they stand in the
/// member's schema in place of Item1 and Item2: elements that change places are found by name. Elements without a name are known by place.
/// </summary>
internal sealed class TupleNames
{
    // The rest of a longer tuple is another one in its last element.
    private const int MostElements = 7;

    private readonly Type _type;
    private readonly string?[] _names;

    private TupleNames(Type type, string?[] names) => (_type, _names) = (type, names);

    /// <summary>Finds the names that a field gives; null where it gives none.</summary>
    // Most have no attribute, which native code finds out later than anything else.
    public static TupleNames? Find(FieldInfo field, Type type) =>
        (type.IsGenericType || type.HasElementType)
        && (!RuntimeFeature.IsDynamicCodeSupported || field.IsDefined(typeof(TupleElementNamesAttribute), inherit: false))
        && TryCount(type, out int count) && count > 0
        && field.GetCustomAttribute<TupleElementNamesAttribute>()?.TransformNames is { } names && names.Count == count
            ? new TupleNames(type, [.. names])
            : null;

    /// <summary>Gets the names, those of a tuple in front of those inside it; null for an element without one.</summary>
    public IReadOnlyList<string?> Names => _names;

    /// <summary>Gives the names to the elements in the member's own shape.</summary>
    public Shape Name(Shape own)
    {
        int next = 0;
        return Rename(own, _type, ref next, toPlaces: false)!;
    }

    /// <summary>Gives the elements in a writer's shape the names that the type itself has for them.</summary>
    public Shape Place(Shape writer)
    {
        int next = 0;
        return Rename(writer, _type, ref next, toPlaces: true)!;
    }

    /// <summary>Counts the elements of all tuples in a type; null where one is too long to have names in schemas.</summary>
    public static int? CountIn(Type type) => TryCount(type, out int count) ? count : null;

    /// <summary>
    /// Returns whether elements that stand in an object of their own, such as a list, have other places in a writer's shape than here.
    /// </summary>
    /// <param name="placed">What <see cref="Place"/> has returned.</param>
    /// <param name="isInObject">True inside such an object.</param>
    public static bool AreMoved(Shape placed, bool isInObject = false)
    {
        isInObject |= placed.Code == ShapeCode.Tagged;
        for (int i = 0; i < placed.Members.Length; i++)
        {
            string name = placed.Members[i].Name;
            if ((isInObject && IsPlace(name) && name != Item(i))
                || AreMoved(placed.Members[i].Shape, isInObject))
            {
                return true;
            }
        }

        return (placed.Element is { } element && AreMoved(element, isInObject))
            || (placed.Value is { } value && AreMoved(value, isInObject));
    }

    private static bool IsPlace(string name) => name is ['I', 't', 'e', 'm', >= '1' and <= '9'];

    private static string Item(int place) => $"Item{place + 1}";

    /// <summary>Returns whether a type is a value tuple.</summary>
    public static bool IsTuple(Type type) => type.IsValueType && type.IsAssignableTo(typeof(ITuple));

    private static Type[] PartsOf(Type type) =>
        type.HasElementType ? [type.GetElementType()!] : type.IsGenericType ? type.GetGenericArguments() : [];

    // Counts the names of all tuples in a type; false where one is too long.
    private static bool TryCount(Type type, out int count)
    {
        Type[] parts = PartsOf(type);
        count = IsTuple(type) ? parts.Length : 0;
        bool isShort = count <= MostElements;
        foreach (Type part in parts)
        {
            isShort &= TryCount(part, out int inside);
            count += inside;
        }

        return isShort;
    }

    // The names are in the order of the type: those of a tuple, then those inside it. Without a shape they are only passed over.
    private Shape? Rename(Shape? shape, Type type, ref int next, bool toPlaces)
    {
        Type[] parts = PartsOf(type);
        return parts.Length == 0 ? shape
            : IsTuple(type) ? RenameTuple(shape, parts, ref next, toPlaces)
            : RenameInside(shape, type, parts, ref next, toPlaces);
    }

    private Shape? RenameTuple(Shape? shape, Type[] elements, ref int next, bool toPlaces)
    {
        if (shape?.Code == ShapeCode.Nullable)
        {
            return Shape.Nullable(RenameTuple(shape.Element, elements, ref next, toPlaces)!);
        }

        ReadOnlySpan<string?> names = _names.AsSpan(next, elements.Length);
        next += elements.Length;
        ShapeMember[] members = shape?.Code == ShapeCode.Members ? [.. shape.Members] : [];
        var found = new int[elements.Length];
        for (int i = 0; i < found.Length; i++)
        {
            string? name = toPlaces ? names[i] : null;
            found[i] = Array.FindIndex(members, member => member.Name == name);
            found[i] = found[i] >= 0 ? found[i] : Array.FindIndex(members, member => member.Name == Item(i));
        }

        for (int i = 0; toPlaces && i < members.Length; i++)
        {
            if (Array.IndexOf(found, i) < 0 && IsPlace(members[i].Name))
            {
                // Only the writer has it. Its name must not be taken for a place.
                members[i] = members[i] with { Name = $"{members[i].Name} of the writer" };
            }
        }

        for (int i = 0; i < found.Length; i++)
        {
            Shape? inside = Rename(found[i] < 0 ? null : members[found[i]].Shape, elements[i], ref next, toPlaces);
            if (inside is not null)
            {
                members[found[i]] = new ShapeMember(toPlaces ? Item(i) : names[i] ?? Item(i), inside);
            }
        }

        return members.Length == 0 ? shape : Shape.FromMembers(members);
    }

    private Shape? RenameInside(Shape? shape, Type type, Type[] parts, ref int next, bool toPlaces)
    {
        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return shape?.Code == ShapeCode.Nullable
                ? Shape.Nullable(Rename(shape.Element, underlying, ref next, toPlaces)!)
                : Rename(shape, underlying, ref next, toPlaces);
        }

        switch (shape?.Code)
        {
            case ShapeCode.Tagged when shape.Element!.Code != ShapeCode.None:
                return Shape.Tagged(RenameInside(shape.Element, type, parts, ref next, toPlaces)!);
            case ShapeCode.Nullable:
                return Shape.Nullable(RenameInside(shape.Element, type, parts, ref next, toPlaces)!);
            case ShapeCode.Sequence when parts.Length == 1:
                return Shape.Sequence(Rename(shape.Element, parts[0], ref next, toPlaces)!);
            case ShapeCode.Set when parts.Length == 1:
                return Shape.Set(Rename(shape.Element, parts[0], ref next, toPlaces)!);
            case ShapeCode.Array when parts.Length == 1:
                return Shape.Array(Rename(shape.Element, parts[0], ref next, toPlaces)!);
            case ShapeCode.Map when parts.Length == 2:
                Shape key = Rename(shape.Element, parts[0], ref next, toPlaces)!;
                return Shape.Map(key, Rename(shape.Value, parts[1], ref next, toPlaces)!);
            default:
                foreach (Type part in parts)
                {
                    Rename(null, part, ref next, toPlaces);
                }

                return shape;
        }
    }
}
