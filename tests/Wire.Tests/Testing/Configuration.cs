using Wire.Testing;

namespace Wire.Tests.Testing;

/// <summary>The combinations of options under which every value is tested, and one shared serializer for each of them.</summary>
internal static class Configuration
{
    /// <summary>
    /// Gets the types of this assembly, but for the old versions of some, whose classes are called Written: these have the names of others.
    /// </summary>
    public static WireTypeFilter Types { get; } = WireTypeFilter.Default.AllowWhere((name, assembly) =>
        assembly == typeof(Configuration).Assembly.GetName().Name
        && !name.AsSpan(name.LastIndexOfAny(['.', '+']) + 1).StartsWith("Written", StringComparison.Ordinal));

    private static readonly Dictionary<(bool References, bool Tolerance, bool DynamicCode), Serializer> Serializers = All().ToDictionary(
        key => key,
        key => new Serializer(Options(key.References, key.Tolerance, key.DynamicCode)));

    /// <summary>The serializer of a combination. Tests of several types use it at the same time, as programs do.</summary>
    public static Serializer Serializer(bool references, bool tolerance, bool dynamicCode) =>
        Serializers[(references, tolerance, dynamicCode)];

    public static SerializerOptions Options(bool references, bool tolerance, bool dynamicCode) => new()
    {
        PreserveObjectReferences = references,
        VersionTolerance = tolerance,
        DynamicCode = dynamicCode,
        // The bases of arrays, enums and structs are types of variables here, and so arguments of generic types.
        TypeFilter = Types.Allow<Array>().Allow<Enum>().Allow<ValueType>(),
    };

    public static IEnumerable<(bool References, bool Tolerance, bool DynamicCode)> All()
    {
        bool[] both = [false, true];
        return from references in both from tolerance in both from dynamicCode in both select (references, tolerance, dynamicCode);
    }

    public static TheoryData<bool, bool, bool> AsTheory() => AsTheory(All());

    /// <summary>
    /// Those under which a type is tested in the usual run: four of which any two options meet in every way, the default among them,
    /// and one of the others by the type's name. The long run has all.
    /// </summary>
    public static TheoryData<bool, bool, bool> Sample(Type type)
    {
        var all = All().ToLookup(options => options.References ^ options.Tolerance ^ options.DynamicCode);
        int other = type.ToString().Sum(character => character) % all[true].Count();
        return AsTheory(Sweep.IsWhole ? All() : [.. all[false], all[true].ElementAt(other)]);
    }

    /// <summary>
    /// Returns whether a sweep over the bytes of a payload takes a place with these options: each is taken with one of the four that every
    /// type is tested under.
    /// </summary>
    public static bool Takes(SerializerOptions options, int place)
    {
        int turn = (options.PreserveObjectReferences ? 1 : 0) + (options.VersionTolerance ? 2 : 0);
        return Sweep.IsWhole || (place + turn) % 4 == 0;
    }

    private static TheoryData<bool, bool, bool> AsTheory(IEnumerable<(bool References, bool Tolerance, bool DynamicCode)> combinations)
    {
        var data = new TheoryData<bool, bool, bool>();
        foreach ((bool references, bool tolerance, bool dynamicCode) in combinations)
        {
            data.Add(references, tolerance, dynamicCode);
        }

        return data;
    }
}
