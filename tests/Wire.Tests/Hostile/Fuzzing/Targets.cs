using System.Collections.Immutable;
using System.Linq.Expressions;
using System.Reflection;
using Wire.Testing;
using Wire.Testing.Fuzzing;
using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Surrogates;
using Wire.Tests.Golden;
using Wire.Tests.OptIn;
using Wire.Tests.Testing;
using Wire.Tests.ValueSerializers;
using Cat = Wire.Tests.Behaviour.Cat;
using Node = Wire.Tests.Behaviour.Node;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// The table of every way to read what the serializer has written. Its names are in regression vectors: they do not change.
/// </summary>
internal static class Targets
{
    public static ImmutableArray<Target> All { get; } =
    [
        .. new[] { true, false }.SelectMany(Serializers),
        new DumpTarget(() => [.. Plain(), .. References(), .. Kept(GoldenFile.FSharpFolder, "default")]),
        new DocumentTarget(() => [.. Plain(), .. References(), .. Kept(GoldenFile.FSharpFolder, "default")]),
        new PathTarget(() => [.. Plain(), .. References(), .. Kept(GoldenFile.FSharpFolder, "default")]),
        new IntoTarget(() => [.. Plain(), .. References()]),
        new ViewTarget(() => [.. Plain(), .. References(), .. Kept(GoldenFile.FSharpFolder, "default")]),
        .. ChoicesTargets.All,
    ];

    // A few of everything.
    private const int CraftedSize = 4;

    public static Target Find(string name) =>
        All.FirstOrDefault(target => target.Name == name) ?? throw new ArgumentException($"No target has the name '{name}'.", nameof(name));

    private static IEnumerable<Target> Serializers(bool dynamicCode)
    {
        SerializerOptions options = Configuration.Options(references: false, tolerance: true, dynamicCode);
        SerializerOptions strict = new() { DynamicCode = dynamicCode };
        SerializerOptions references = options with { PreserveObjectReferences = true };
        SerializerOptions schemaless = options with { VersionTolerance = false };
        SerializerOptions special = options with
        {
            KnownTypes = [new(1, typeof(Dog)), new(300, typeof(Leaf))],
            Surrogates = [Surrogate.Create<Node, int>(n => n.Value, v => new Node { Value = v })],
            ValueSerializerFactories = [ValueSerializerFactory.For(new PocoSerializer())],
            Singletons = [OnlyOne.Instance],
        };
        SerializerOptions surrogates = options with
        {
            Surrogates = [Surrogate.Create(typeof(GenericSurrogateTests.Money<>), typeof(GenericSurrogateTests.MoneySurrogate<>))],
        };
        SerializerOptions delegates = options with { AllowDelegates = true };
        SerializerOptions members = options with { AllowMemberInfos = true };
        SerializerOptions expressions = ExpressionTests.Allow(options);
        SerializerOptions serializable = options with { UseSerializable = true };
        SerializerOptions callbacks = options with { UseSerializationCallbacks = true };
        SerializerOptions everything = options with
        {
            AllowDelegates = true,
            AllowMemberInfos = true,
            AllowExpressions = true,
            UseSerializable = true,
            UseSerializationCallbacks = true,
        };
        SerializerOptions unrestricted = options with { TypeFilter = WireTypeFilter.Unrestricted };
        SerializerOptions crafted = CraftedPayloads.Options with { DynamicCode = dynamicCode };
        SerializerOptions overlaid = strict with { KnownTypes = [new(1, typeof(Corpus.Flat)), new(2, typeof(Corpus.Over))] };
        SerializerOptions replacing = strict with { ReplaceUnknownExceptions = true };

        yield return Of("plain", Routes.Span<object>(), options, () => Plain());
        yield return Of("references", Routes.Span<object>(), references, () => References());
        yield return Of(
            "schemaless",
            Routes.Span<object>(),
            schemaless,
            () => [.. Golden("VersionTolerance off"), .. Written(schemaless, Corpus.Trees())]);
        yield return Of("foreign", Routes.Span<Corpus.ReadOrder>(), options, () => Foreign(options, references));
        yield return Of(
            "foreign list",
            Routes.Span<List<Corpus.ReadLine>>(),
            options,
            () => Written(options, ("foreign list", new List<Corpus.WrittenLine> { Corpus.Order().First, default })));
        yield return Of(
            "typed", Routes.Root<Bag>(), options, () => [new Seed("bag", new Serializer(options).SerializeTyped(Corpus.FullBag()))]);
        yield return Of(
            "typed references",
            Routes.Root<Node>(),
            references,
            () => [new Seed("cycle", new Serializer(references).SerializeTyped(Corpus.Cycle()))]);
        yield return Of("strict poco", Routes.Span<Poco>(), strict, () => Written(strict, ("poco", Poco.Sample())));
        yield return Of(
            "strict list",
            Routes.Span<List<Rich>>(),
            strict,
            () => Written(strict, ("list", new List<Rich> { new() { Label = "x" }, default })));
        yield return Of("special", Routes.Span<object>(), special, () => Written(special, Specials()));
        yield return Of("generic surrogates", Routes.Span<object>(), surrogates, () => Written(surrogates, Money()));
        yield return Of(
            "delegates",
            Routes.Span<object>(),
            delegates,
            () => Written(delegates, [.. DelegateTests.Samples().Select(sample => (sample.Name, (object)sample.Value))]));
        yield return Of("members", Routes.Span<object>(), members, () => Written(members, Members()));
        yield return Of(
            "expressions",
            Routes.Span<Expression>(),
            expressions,
            () => Written(expressions, [.. ExpressionSamples.All.Select(sample => (sample.Name, (object)sample.Lambda))]));
        yield return Of(
            "parts of expressions", Routes.Span<object>(), expressions, () => Written(expressions, ExpressionPartTests.Samples()));
        yield return Of("serializable", Routes.Span<object>(), serializable, () => Written(serializable, OptInSamples.Serializable()));
        yield return Of("callbacks", Routes.Span<object>(), callbacks, () => Written(callbacks, OptInSamples.WithCallbacks()));
        yield return Of(
            "everything allowed",
            Routes.Span<object>(),
            everything,
            () => Written(everything, [.. OptInSamples.Serializable(), .. OptInSamples.WithCallbacks(), .. Members(), .. Corpus.Trees()]));
        yield return Of(
            "unrestricted",
            Routes.Span<object>(),
            unrestricted,
            () => [.. Plain(), .. Written(unrestricted, Exceptions()), .. LoadWhatIsReferred()]);
        yield return Of(
            "crafted",
            Routes.Span<object>(),
            crafted,
            () =>
            [
                .. CraftedPayloads.All.Select(payload => new Seed(payload.What, payload.Make(CraftedSize, 0))),
                .. LoadWhatIsReferred(),
            ]);
        yield return Of("explicit layouts", Routes.Span<Corpus.Overlaid>(), overlaid, () => Written(overlaid, Overlaid()));
        yield return Of("replaced exceptions", Routes.Span<object>(), replacing, () => Written(options, Exceptions()));
        yield return Of("sequence", Routes.Sequence<object>(), options, () => Plain());
        yield return Of("stream", Routes.Stream<object>(), references, () => [.. Plain(), .. References()]);
        yield return Of("memory", Routes.Memory<object>(), options, () => Plain());
        yield return Of("frames", Routes.Frames(), options, () => Messages(options, session: false));
        yield return Of("session", SessionRoute.Session(), options, () => Messages(options, session: true));
        yield return Of("session with references", SessionRoute.Session(), references, () => Messages(references, session: true));

        WireTarget<T> Of<T>(string name, Route<T> route, SerializerOptions of, Func<IEnumerable<Seed>> seeds) =>
            new($"{name}, {(dynamicCode ? "emitted" : "reflected")}", of, route, seeds);
    }

    // Seeds are the same whichever way they are read.
    private static IEnumerable<Seed> Plain() =>
        [.. Golden("default"), .. Written(Configuration.Options(references: false, tolerance: true, dynamicCode: true), Corpus.Trees())];

    // Without a filter, a name makes the runtime go through the types of all loaded assemblies, and so load what their bases are in.
    // No payload chooses these: they are here before any comes.
    private static Seed[] LoadWhatIsReferred()
    {
        // Attributes of the tests, which are looked at when their types are first met.
        _ = new[] { typeof(Xunit.FactAttribute), typeof(Xunit.Assert) };
        for (int before = 0, now = 1; before != now; before = now, now = AppDomain.CurrentDomain.GetAssemblies().Length)
        {
            foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
            {
                try
                {
                    assembly.GetTypes();
                    // A filter that allows everything allows the types of these too.
                    Array.ForEach(assembly.GetReferencedAssemblies(), name => Assembly.Load(name));
                }
                catch (Exception e) when (e is ReflectionTypeLoadException or FileNotFoundException or FileLoadException)
                {
                    // What is not there cannot be loaded later either.
                }
            }
        }

        return [];
    }

    private static IEnumerable<Seed> References() =>
        [
            .. Golden("PreserveObjectReferences on"),
            .. Written(Configuration.Options(references: true, tolerance: true, dynamicCode: true), Corpus.Graphs()),
        ];

    private static IEnumerable<Seed> Golden(string title) => Kept(GoldenVectors.Folder, title);

    private static IEnumerable<Seed> Kept(string folder, string title) =>
        from file in Directory.GetFiles(folder, "*.golden").Order(StringComparer.Ordinal)
        from payload in GoldenFile.Payloads(File.ReadAllLines(file))
        where payload.Title == title
        select new Seed(Path.GetFileNameWithoutExtension(file), payload.Bytes);

    private static IEnumerable<Seed> Written(SerializerOptions options, params (string Name, object Value)[] values)
    {
        var serializer = new Serializer(options);
        return values.Select(value => new Seed(value.Name, serializer.Serialize(value.Value)));
    }

    private static Seed[] Foreign(SerializerOptions options, SerializerOptions references) =>
        [.. Written(options, ("foreign", Corpus.Order())), .. Written(references, ("foreign with references", Corpus.Order()))];

    private static (string Name, object Value)[] Overlaid() =>
    [
        ("one", new Corpus.Overlaid { One = new() { Double = -1.5 } }),
        ("many", new Corpus.Overlaid { Many = [new() { Long = -1 }, new() { High = 2 }], Listed = [new() { Low = 7 }] }),
        ("laid", new Corpus.Overlaid { Laid = new Corpus.Flat { O = new[] { 65, 66 } } }),
    ];

    private static IEnumerable<Seed> Messages(SerializerOptions options, bool session)
    {
        var serializer = new Serializer(options);
        object[] values =
        [
            Poco.Sample(),
            42,
            new Dog { Name = "Rex" },
            Poco.Sample(),
            new List<Rich> { new() { Label = "x" } },
            new Dog { Friend = new Cat() },
            new Puppy(),
        ];
        foreach (int count in new[] { 1, 2, values.Length })
        {
            using SerializerSession writing = serializer.GetSerializerSession();
            IEnumerable<byte[]> messages =
                values.Take(count).Select(value => session ? serializer.Serialize(value, writing) : serializer.Serialize(value));
            yield return new Seed(
                $"{count} message(s)", [.. messages.SelectMany(message => (byte[])[.. BitConverter.GetBytes(message.Length), .. message])]);
        }
    }

    private static (string Name, object Value)[] Specials() =>
    [
        ("special", new object[]
        {
            new Dog(),
            new Leaf(),
            new Node { Value = 3 },
            Poco.Sample(),
            new List<Node> { new() },
            new Poco[] { Poco.Sample() },
            OnlyOne.Instance,
        }),
        ("singletons", new object[] { OnlyOne.Instance, OnlyOne.Instance }),
    ];

    private static (string Name, object Value)[] Money() =>
        [(
            "money",
            new object[] { new GenericSurrogateTests.Money<int>(3, "CHF"), new GenericSurrogateTests.Money<string>("four", "EUR") })];

    private static (string Name, object Value)[] Members() =>
    [
        .. typeof(Machine).GetMembers().Where(member => member is not Type).Select((member, i) => ($"member {i}", (object)member)),
        ("parameter", typeof(Machine).GetMethod(nameof(Machine.Plus))!.GetParameters()[1]),
        ("constructed method", typeof(List<int>).GetMethod(nameof(List<>.ConvertAll))!.MakeGenericMethod(typeof(string))),
        ("property of a list", typeof(List<int>).GetProperty(nameof(List<>.Count))!),
        ("field", typeof(Machine).GetField(nameof(Machine.Field), BindingFlags.Instance | BindingFlags.Public)!),
    ];

    private static (string Name, object Value)[] Exceptions() =>
        [
            ("all", ExceptionSamples.WithAll()),
            ("ours", new OrderRejected(1, ["r"], null)),
            .. ExceptionSamples.Framework().Select(e => (e.GetType().Name, (object)e)),
        ];
}
