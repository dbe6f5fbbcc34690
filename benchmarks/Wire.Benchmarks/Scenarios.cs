using System.Buffers;
using System.Text.Json;
using Bench;

namespace Wire.Benchmarks;

/// <summary>The rows of the tables, for both ways to measure them.</summary>
internal static class Scenarios
{
    /// <summary>The row that the others are compared with.</summary>
    public const string Floor = "By hand, span code (floor)";

    private static readonly SerializerOptions Strict = SerializerOptions.Default with { VersionTolerance = false };

    private static readonly (string Name, Func<Scenario> Make)[] Rows =
    [
        (Floor, () => Row(new FloorCodec(Output()))),
        ("By hand, unsafe, to an array", () => Row(new UnsafeCodec(new byte[256]))),
        ("Wire, defaults", () => Polymorphic<Poco>(SerializerOptions.Default)),
        ("Wire, root is an object, type allowed", () => Polymorphic<object>(SerializerOptions.Default with { TypeFilter = TypeFilter.Default.Allow<Poco>() })),
        ("Wire, no version tolerance", () => Polymorphic<Poco>(Strict)),
        ("Wire, known type, no version tolerance", () => Polymorphic<Poco>(Strict with { KnownTypes = [new(1, typeof(Poco))] })),
        ("Wire, SerializeTyped", () => Row(new TypedCodec(new Serializer(), Output()))),
        ("Wire, long-lived session", () => Row(new SessionCodec(new Serializer(), Output()))),
        ("System.Text.Json, source-generated", () => Json(Output())),
    ];

    /// <summary>The names of the rows; the floor comes first.</summary>
    public static IEnumerable<string> Names => Rows.Select(row => row.Name);

    /// <summary>Makes a row, and throws when it does not read what it writes.</summary>
    public static Scenario Make(string name) => Rows.Single(row => row.Name == name).Make();

    private static Scenario<PolymorphicCodec<TRoot>> Polymorphic<TRoot>(SerializerOptions options)
        where TRoot : class => Row(new PolymorphicCodec<TRoot>(new Serializer(options), Output()));

    private static Scenario<TCodec> Row<TCodec>(TCodec codec)
        where TCodec : struct, ICodec => new(codec);

    private static Scenario<StjCodec> Json(ArrayBufferWriter<byte> output) =>
        Row(new StjCodec(output, new Utf8JsonWriter(output, new JsonWriterOptions { SkipValidation = true })));

    private static ArrayBufferWriter<byte> Output() => new(1024);
}
