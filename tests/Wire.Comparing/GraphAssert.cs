using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;

namespace Wire.Comparing;

/// <summary>
/// The one comparison of object graphs, to the last bit: runtime types, NaN payloads, all 64 bits of a DateTime, the scale of a decimal,
/// the bounds of arrays, comparers with their fields and by what they answer, order and contents of collections, and every instance field
/// of other types. Equals is not asked. In each collection every key is looked up, because a table that cannot find what it holds
/// looks right otherwise.
/// </summary>
/// <remarks>Nothing recurses: graphs that are flat in the bytes may be as deep as they are large.</remarks>
internal sealed class GraphAssert
{
    // Collections without elements of which .NET has one each.
    private static readonly string[] OneOfEach = [typeof(ImmutableArray).Namespace!, typeof(FrozenSet).Namespace!];

    private readonly bool? _sharing;
    private readonly bool _withLeftOut;
    private readonly Dictionary<object, object> _forth = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _back = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<(object Expected, object Actual)> _seen = new(new Pairs());
    private readonly Stack<Pair> _todo = new();

    // What lies in no order of its own is paired when everything else is known, by what is known.
    private readonly Queue<UnorderedItems> _unordered = new();
    private readonly List<Pair> _keyed = [];

    private GraphAssert(bool? sharing, bool withLeftOut) => (_sharing, _withLeftOut) = (sharing, withLeftOut);

    /// <summary>Fails when the graphs differ.</summary>
    /// <param name="expected">What was written.</param>
    /// <param name="actual">What came back.</param>
    /// <param name="sharing">
    /// True: exactly the objects that are shared in one are in the other. False: no object is shared but those that the program has once.
    /// Null: shared objects may have come back as copies, but two never as one.
    /// </param>
    /// <param name="withLeftOut">
    /// Whether members that the program leaves out are compared, too. They are not data: callbacks may have counted in them meanwhile.
    /// </param>
    public static void Same(object? expected, object? actual, bool? sharing = null, bool withLeftOut = true)
    {
        var assert = new GraphAssert(sharing, withLeftOut);
        assert.Put(expected, actual, Step.Root);
        assert.Run();
    }

    /// <summary>Fails when a collection in the graph does not find one of its own keys.</summary>
    public static void FindsItsKeys(object? value) => Same(value, value);

    /// <summary>Where the graphs first differ; null when they are the same.</summary>
    public static string? Difference(object? expected, object? actual, bool? sharing)
    {
        try
        {
            Same(expected, actual, sharing);
            return null;
        }
        catch (GraphDifferenceException e)
        {
            return e.Message;
        }
    }

    // A box is an object of the graph only where a variable of type object holds it: elsewhere it is made by looking.
    private void Put(object? expected, object? actual, Step path, bool holdsBox = false) =>
        _todo.Push(new Pair(expected, actual, path, holdsBox));

    private void Run()
    {
        int idle = 0;
        do
        {
            while (_todo.TryPop(out Pair pair))
            {
                Compare(pair);
            }

            if (_unordered.TryDequeue(out UnorderedItems next))
            {
                Unordered.Pairing pairs = Unordered.Paired(
                    next.Expected, next.Actual, _forth, _back, isShared: _sharing == true, isForced: idle > _unordered.Count);
                idle = pairs.Expected.Length == 0 ? idle + 1 : 0;
                PutItems(pairs.Expected, pairs.Actual, next.Path, holdBoxes: false);
                if (pairs.ExpectedRest.Length > 0)
                {
                    _unordered.Enqueue(new(pairs.ExpectedRest, pairs.ActualRest, next.Path));
                }
            }
        }
        while (_todo.Count > 0 || _unordered.Count > 0);

        foreach (Pair pair in _keyed)
        {
            if (CollectionKeys.Difference(pair.Expected!, pair.Actual!) is { } difference)
            {
                throw new GraphDifferenceException($"keys of {pair.Actual!.GetType().Name}", $"{pair.Path}: {difference}");
            }
        }
    }

    private void Compare(Pair pair)
    {
        (object? expected, object? actual, Step path, bool holdsBox) = pair;
        if (expected is null || actual is null)
        {
            Check(expected is null && actual is null, path, "null", expected, actual);
            return;
        }

        Type type = expected.GetType();
        Check(type == actual.GetType(), path, "type", type, actual.GetType());
        TypeFaces faces = TypeFaces.Of(type);
        if (faces.MayBeLeaf && ScalarAssert.Same(expected, actual) is { } equal)
        {
            Check(equal, path, "value", expected, actual);
            if (faces.IsObjectOfItsOwn)
            {
                IsKnown(expected, actual, path);
            }

            return;
        }

        faces.MayBeLeaf = false;
        if ((!type.IsValueType || holdsBox) && IsKnown(expected, actual, path))
        {
            return;
        }

        if (expected is Array array)
        {
            CompareArrays(array, (Array)actual, path);
            return;
        }

        if (faces.Part is { } part)
        {
            CompareStates(CollectionState.Of(expected, part), CollectionState.Of(actual, part), path);
        }

        if (faces.HasKeys)
        {
            _keyed.Add(pair);
        }

        foreach (TypeFaces.Face face in faces.Fields)
        {
            if (_withLeftOut || !face.IsLeftOut)
            {
                Put(face.Get(expected), face.Get(actual), path.Member(face.Name), face.IsObject);
            }
        }
    }

    // Whether the two have met before: then there is nothing more to compare.
    private bool IsKnown(object expected, object actual, Step path)
    {
        if (_sharing == true)
        {
            if (_forth.TryGetValue(expected, out object? before))
            {
                Check(ReferenceEquals(before, actual), path, "the object that came before", before, actual);
                return true;
            }

            Check(_back.TryAdd(actual, expected), path, "an object of its own", expected, actual);
            _forth.Add(expected, actual);
            return false;
        }

        bool isNew = _seen.Add((expected, actual));
        if (!_back.TryAdd(actual, expected) && !ReferenceEquals(expected, actual) && !MayBeOne(actual))
        {
            Check(ReferenceEquals(_back[actual], expected), path, "two objects that are not one", expected, actual);
            Check(_sharing is null || MakesItsOwnSharing(actual), path, "a copy of its own", expected, actual);
        }

        return !isNew;
    }

    // An AggregateException has its first exception twice, a multicast delegate is made of others, and a parameter of an expression is one
    // object.
    private static bool MakesItsOwnSharing(object actual) => actual is Exception or Delegate || TypeFaces.Of(actual.GetType()).IsExpression;

    private static bool MayBeOne(object actual) =>
        actual is Array { Length: 0 }
        || (actual is System.Collections.IEnumerable items && OneOfEach.Contains(TypeFaces.Of(actual.GetType()).Part?.Namespace)
            && !items.GetEnumerator().MoveNext())
        || (actual is not System.Collections.IEnumerable && TypeFaces.Of(actual.GetType()) is { Fields.Length: 0, Part: null });

    private void CompareArrays(Array expected, Array actual, Step path)
    {
        for (int i = 0; i < expected.Rank; i++)
        {
            Check(expected.GetLowerBound(i) == actual.GetLowerBound(i), path, "lower bound", expected.GetLowerBound(i),
                actual.GetLowerBound(i));
            Check(expected.GetLength(i) == actual.GetLength(i), path, "length", expected.GetLength(i), actual.GetLength(i));
        }

        if (expected.GetType().GetElementType()!.IsPrimitive)
        {
            Check(ScalarAssert.SameBytes(expected, actual), path, "elements", expected, actual);
            return;
        }

        PutItems([.. expected], [.. actual], path, expected is object[]);
    }

    private void CompareStates(CollectionState expected, CollectionState actual, Step path)
    {
        Check(expected.Parts.Count == actual.Parts.Count, path, "count of parts", expected.Parts.Count, actual.Parts.Count);
        foreach (((string name, object? left), (_, object? right)) in expected.Parts.Zip(actual.Parts))
        {
            Put(left, right, path.Member(name));
        }

        if (expected.IsUnordered)
        {
            Check(expected.Items.Length == actual.Items.Length, path, "count", expected.Items.Length, actual.Items.Length);
            _unordered.Enqueue(new(expected.Items, actual.Items, path));
        }
        else
        {
            PutItems(expected.Items, actual.Items, path, holdBoxes: false);
        }
    }

    private void PutItems(object?[] expected, object?[] actual, Step path, bool holdBoxes)
    {
        Check(expected.Length == actual.Length, path, "count", expected.Length, actual.Length);
        for (int i = expected.Length - 1; i >= 0; i--)
        {
            Put(expected[i], actual[i], path.Item(i), holdBoxes);
        }
    }

    private static void Check(bool holds, Step path, string what, object? expected, object? actual)
    {
        if (!holds)
        {
            string kind = $"{what} of {(expected ?? actual)?.GetType().Name}";
            throw new GraphDifferenceException(kind, $"{path}: expected {what} <{Text(expected)}>, actual <{Text(actual)}>");
        }
    }

    // ToString of what is no scalar may be a user's, and that of records in a circle does not end.
    private static string Text(object? value) => value switch
    {
        null => "null",
        DateTime time => $"{time:O} (0x{ScalarAssert.Bits(time):X16})",
        _ when value.GetType().IsPrimitive || value is string or Type or decimal or Enum or Uri or Version =>
            value.ToString() is { } text ? text[..Math.Min(text.Length, 200)] : "null",
        _ => value.GetType().ToString(),
    };

    private readonly record struct UnorderedItems(object?[] Expected, object?[] Actual, Step Path);

    private readonly record struct Pair(object? Expected, object? Actual, Step Path, bool HoldsBox);

    // Equals of what the pairs hold is not asked, and boxes are the same only as objects.
    private sealed class Pairs : IEqualityComparer<(object Expected, object Actual)>
    {
        public bool Equals((object Expected, object Actual) x, (object Expected, object Actual) y) =>
            ReferenceEquals(x.Expected, y.Expected) && ReferenceEquals(x.Actual, y.Actual);

        public int GetHashCode((object Expected, object Actual) pair) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(pair.Expected), RuntimeHelpers.GetHashCode(pair.Actual));
    }
}
