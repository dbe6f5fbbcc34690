using Wire.Testing;

namespace Wire.Tests.Testing;

/// <summary>The combinations of options under which every value is tested, and one shared serializer for each of them.</summary>
internal static class Configuration
{
    private static readonly Dictionary<(bool References, bool Tolerance, bool DynamicCode), Serializer> Serializers = All().ToDictionary(
        key => key,
        key => new Serializer(Options(key.References, key.Tolerance, key.DynamicCode)));

    /// <summary>Whether the long versions of the tests are asked for.</summary>
    public static bool IsLong { get; } = Repository.IsAskedFor("WIRE_TEST_LONG");

    /// <summary>The serializer of a combination. Tests of several types use it at the same time, as programs do.</summary>
    public static Serializer Serializer(bool references, bool tolerance, bool dynamicCode) =>
        Serializers[(references, tolerance, dynamicCode)];

    public static SerializerOptions Options(bool references, bool tolerance, bool dynamicCode) => new()
    {
        PreserveObjectReferences = references,
        VersionTolerance = tolerance,
        DynamicCode = dynamicCode,
        // The bases of arrays, enums and structs are types of variables here, and so arguments of generic types.
        TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Configuration).Assembly).Allow<Array>().Allow<Enum>().Allow<ValueType>(),
    };

    public static IEnumerable<(bool References, bool Tolerance, bool DynamicCode)> All()
    {
        bool[] both = [false, true];
        return from references in both from tolerance in both from dynamicCode in both select (references, tolerance, dynamicCode);
    }

    public static TheoryData<bool, bool, bool> AsTheory()
    {
        var data = new TheoryData<bool, bool, bool>();
        foreach ((bool references, bool tolerance, bool dynamicCode) in All())
        {
            data.Add(references, tolerance, dynamicCode);
        }

        return data;
    }
}
