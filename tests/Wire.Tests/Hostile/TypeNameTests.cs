using System.Diagnostics;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Filtering;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>
/// Names of types as an attacker makes them up: each ends with a type that the filter allows or with an error, soon, and nothing is loaded
/// for it.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class TypeNameTests
{
    private const string Leaf = "Wire.Tests.Behaviour.Leaf, Wire.Tests";

    // Part of the runtime, and used by nothing here.
    private const string Unloaded = "Microsoft.VisualBasic.Core";

    private static readonly string[] Pieces =
    [
        "[", "]", "[[", "]]", "],[", ",", ", ", "*", "&", "+", "\\", "`", "`1", "`2", "`99999999999", " ", "\0", "\t", "\u200B", "\uD800",
        "\uDFFF", "é", "\uFFFF", ".", "..", "=", "\"", "'", "/", "#", "<", ">", "<>c",
        "System", "System.", "System.Int32", "System.String", "System.Void", "System.Object", "System.Enum", "System.Array",
        "System.TypedReference", "System.Span`1", "System.Collections.Generic.List`1", "System.Nullable`1",
        "System.Collections.Generic.Dictionary`2", "System.Tuple`8", "System.Diagnostics.Process", "System.IO.FileInfo", "System.Action",
        "System.__Canon", "System.DayOfWeek", "System.Exception",
        Leaf, "Wire.Tests.Behaviour.Leaf", "Wire.Tests.Behaviour.Cat, " +
            "Wire.Tests", "Wire.Tests.Behaviour.Box`1", "Wire.Tests.Behaviour.Box`1, " +
                "Wire.Tests", "Wire.Tests", "System.Private.CoreLib", "mscorlib", Unloaded, "Evil", "Evil.dll", "../evil.dll",
        "http://evil/evil.dll", $"Microsoft.VisualBasic.ErrObject, {Unloaded}", ", Version=1.0.0.0", ", Culture=neutral",
        ", PublicKeyToken=null", ", PublicKeyToken=b77a5c561934e089", ", Version=99999.1.1.1", ", Retargetable=Yes",
        ", processorArchitecture=x", ", ContentType=WindowsRuntime", "<Module>",
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void No_name_loads_an_assembly_and_every_outcome_is_a_type_that_is_allowed_or_an_error(int seed)
    {
        var random = new Random(seed);
        WireTypeFilter[] filters =
        [
            WireTypeFilter.Default, WireTypeFilter.Unrestricted, WireTypeFilter.Default.Allow<Leaf>().Allow(
                typeof(Box<>)), WireTypeFilter.Default.AllowNamespace("Evil").AllowNamespace(
                    "Wire.Tests.Behaviour"), WireTypeFilter.Default.AllowAssembly(typeof(Leaf).Assembly).Deny<Leaf>(),
            WireTypeFilter.Default.AllowDerivedFrom<Animal>().AllowDerivedFrom(
                typeof(IRepository<>)), WireTypeFilter.Default.AllowWithAttribute<TypeNotesAttribute>(), WireTypeFilter.Default.AllowWhere(
                    (name, _) => name.Length % 2 == 0), WireTypeFilter.Unrestricted.DenyWhere(
                        (name, _) => name.Contains("Cat", StringComparison.Ordinal)),
        ];
        Serializer[] serializers = [.. filters.Select(filter => new Serializer(new SerializerOptions { TypeFilter = filter }))];
        // What these need themselves is loaded when they are first used.
        Array.ForEach(serializers, serializer => Record.Exception(() => serializer.Deserialize<Type>(TypeNamed("Nothing, Wire.Tests"))));
        Warm();

        string[] loaded = LoadedBy(() =>
        {
            for (int i = 0; i < (Sweep.IsWhole ? 3000 : 500); i++)
            {
                string name = MakeUp(random);
                for (int k = 0; k < serializers.Length; k++)
                {
                    Serializer serializer = serializers[k];
                    Exception? failure = Record.Exception(() =>
                    {
                        Type type = serializer.Deserialize<Type>(TypeNamed(name))!;
                        AssertAllowed(type, k);
                    });
                    AssertHonest(
                        failure is null or WireFormatException
                        {
                            Error: WireFormatError.Manifest or WireFormatError.TypeRefused or WireFormatError.TypeNotFound
                                or WireFormatError.Limit,
                        },
                        name,
                        failure);
                    failure = Record.Exception(() => serializer.Deserialize<object>(FilterTests.Named(name)));
                    AssertHonest(failure is null or WireFormatException, name, failure);
                }
            }
        });
        Assert.Empty(loaded);
    }

    [Fact]
    public void A_rule_that_looks_at_types_loads_nothing_to_do_so()
    {
        // A class of a loaded assembly derives from one in an assembly that is there and not loaded.
        byte[] baseFile = MadeAssembly.Make("Wire.Made.Far", module => module.Class("Far.Base").CreateType());
        var context = new FarContext(baseFile);
        Assembly far = new AssemblyLoadContext("apart", isCollectible: true).Load(baseFile);
        byte[] nearFile = MadeAssembly.Make(
            "Wire.Made.Near", module => module.DefineType("Near.Leaf", TypeAttributes.Public, far.GetType("Far.Base")).CreateType());
        context.Load(nearFile);
        int before = context.Resolved;
        WireTypeFilter[] filters =
        [
            WireTypeFilter.Default.AllowDerivedFrom<Animal>(),
            WireTypeFilter.Default.AllowWithAttribute<TypeNotesAttribute>(),
            WireTypeFilter.Default.AllowWhere((_, _) => false),
            WireTypeFilter.Unrestricted.DenyNamespace("Near"),
            WireTypeFilter.Default,
        ];
        foreach (WireTypeFilter filter in filters)
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(TypeNamed("Near.Leaf, Wire.Made.Near")));
            Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Type>(TypeNamed("Near.Other, Wire.Made.Near")));
        }

        Assert.Equal(before, context.Resolved);

        // A type that is allowed takes its base along, as the program's own code would.
        Assert.Equal("Near.Leaf", new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowNamespace("Near"),
        }).Deserialize<Type>(TypeNamed("Near.Leaf, Wire.Made.Near"))!.FullName);
        Assert.Equal(before + 1, context.Resolved);
    }

    [Theory]
    [InlineData("Wire.Tests.Behaviour.Leaf, Other")]
    [InlineData("Wire.Tests.Behaviour.Leaf, wire.tests")]
    [InlineData("Wire.Tests.Behaviour.Leaf, Wire.Tests2")]
    [InlineData("Wire.Tests.Behaviour.Leaf, Wire.Tests, Wire.Tests")]
    [InlineData("Wire.Tests.Behaviour.Leaf, System.Private.CoreLib")]
    [InlineData("Wire.Tests.Behaviour.Leaf, System.Runtime, PublicKeyToken=b03f5f7f11d50a3a")]
    [InlineData("wire.tests.behaviour.leaf, Wire.Tests")]
    [InlineData("Wire.Tests.Behaviour.Leaf\0, Wire.Tests")]
    [InlineData("Wire.Tests.Behaviour.Leaf , Wire.Tests")]
    [InlineData("Wire.Tests.Behaviour.Leaf\\, Wire.Tests")]
    [InlineData("Wire.Tests.Behaviour.Le\\af, Wire.Tests")]
    [InlineData("Leaf, Wire.Tests")]
    public void An_allowed_type_goes_by_its_own_name_and_assembly_and_no_other(string name)
    {
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default.Allow<Leaf>(),
            WireTypeFilter.Default.AllowDerivedFrom<Leaf>(),
            WireTypeFilter.Default.AllowWhere((n, a) => (n, a) == ("Wire.Tests.Behaviour.Leaf", "Wire.Tests")),
        })
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            Assert.Equal(typeof(Leaf), serializer.Deserialize<Type>(TypeNamed(Leaf)));
            Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Type>(TypeNamed(name)));
        }
    }

    [Fact]
    public void Version_culture_and_token_say_nothing()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Leaf>() });
        foreach (string rest in new[] { "", ", Version=9.9.9.9", ", Version=9.9.9.9, Culture=xx, PublicKeyToken=0123456789abcdef" })
        {
            Assert.Equal(typeof(Leaf), serializer.Deserialize<Type>(TypeNamed(Leaf + rest)));
        }
    }

    [Fact]
    public void Another_assembly_of_an_allowed_name_is_not_the_allowed_one()
    {
        byte[] file = MadeAssembly.Make("Wire.Made.Twin", module => module.Class("Twin.Type", ("Id", typeof(int))).CreateType());
        Assembly mine = new AssemblyLoadContext("mine").Load(file);
        Assembly theirs = new AssemblyLoadContext("theirs").Load(
            MadeAssembly.Make("Wire.Made.Twin", module => module.Class("Twin.Other", ("Id", typeof(int))).CreateType()));
        const string Name = "Twin.Type, Wire.Made.Twin", Other = "Twin.Other, Wire.Made.Twin";

        // By assembly and by type the assembly itself counts, not its name.
        Assert.Equal(mine, Read(WireTypeFilter.Default.AllowAssembly(mine), Name).Assembly);
        Assert.ThrowsAny<WireFormatException>(() => Read(WireTypeFilter.Default.AllowAssembly(mine), Other));
        Assert.Equal(mine, Read(WireTypeFilter.Default.Allow(mine.GetType("Twin.Type")!), Name).Assembly);
        Assert.ThrowsAny<WireFormatException>(() => Read(WireTypeFilter.Default.Allow(mine.GetType("Twin.Type")!), Other));

        // What is denied is denied by the name, so that a second copy is no way round.
        Assert.Throws<TypeRefusedException>(() => Read(WireTypeFilter.Unrestricted.DenyAssembly(mine), Other));
        Assert.Throws<TypeRefusedException>(() => Read(WireTypeFilter.Unrestricted.DenyAssembly(theirs), Name));

        // Names are all that a namespace or a predicate has.
        Assert.Equal(theirs, Read(WireTypeFilter.Default.AllowNamespace("Twin"), Other).Assembly);
        static Type Read(WireTypeFilter filter, string name) =>
            new Serializer(new SerializerOptions { TypeFilter = filter }).Deserialize<Type>(TypeNamed(name))!;
    }

    [Fact]
    public void Long_deep_and_crooked_names_cost_little()
    {
        string list = "System.Collections.Generic.List`1[[", pair = "System.Collections.Generic.KeyValuePair`2[[";
        string[] names =
        [
            new('A', 100_000), new('[', 4000), new(']', 4000), new(
                '+', 4000), new('\\', 4000), new(',', 4000), new(' ', 4000), new('`', 4000), new('\0', 4000), new('\uD800', 1300),
            "System.Int32" + string.Concat(Enumerable.Repeat("[]", 2000)), "System.Int32[" +
                new string(',', 4000) +
                "]", "System.Int32" + new string('*', 4000), "System.Int32" + new string('&', 4000),
            string.Concat(Enumerable.Repeat(list, 63)) + "System.Int32" + string.Concat(Enumerable.Repeat("]]", 63)),
            string.Concat(Enumerable.Repeat(list, 110)) + "System.Int32" + string.Concat(Enumerable.Repeat("]]", 110)),
            string.Concat(Enumerable.Repeat(pair, 30)) + "System.Int32" + string.Concat(Enumerable.Repeat("],[System.Int32]]", 30)),
            "System.Tuple`8[" + string.Join(',', Enumerable.Repeat("[System.Int32]", 300)) + "]",
            new('[', 16_000), new('\\', 16_000), new('+', 16_000),
            $"A, {new string('B', 16_000)}", "A" + string.Concat(Enumerable.Repeat("\\,", 8000)),
            "System.Int32" + string.Concat(Enumerable.Repeat("[]", 8000)),
            string.Concat(Enumerable.Repeat(list, 127)) + "System.Int32" + string.Concat(Enumerable.Repeat("]]", 127)),
            string.Concat(Enumerable.Repeat(pair, 85)) + "System.Int32" + string.Concat(Enumerable.Repeat("],[System.Int32]]", 85)),
            string.Concat(Enumerable.Repeat(list, 400)) + "System.Int32" + string.Concat(Enumerable.Repeat("]]", 400)),
            $"A, {new string('B', 4000)}", $"A, B, Version={new string('9', 3900)}", "A" +
                string.Concat(Enumerable.Repeat("\\,", 1900)), string.Concat(Enumerable.Repeat("A+", 1900)) + "A, Wire.Tests",
        ];
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        foreach (string name in names)
        {
            byte[] payload = TypeNamed(name), manifest = FilterTests.Named(name);
            Record.Exception(() => serializer.Deserialize<Type>(payload));
            long start = GC.GetAllocatedBytesForCurrentThread();
            var watch = Stopwatch.StartNew();
            Assert.True(Record.Exception(() => serializer.Deserialize<Type>(payload)) is WireFormatException or null);
            Assert.True(Record.Exception(() => serializer.Deserialize<object>(manifest)) is WireFormatException);
            Assert.InRange(watch.ElapsedMilliseconds, 0, 2000);
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - start, 0, 4 << 20);
        }
    }

    [Fact]
    public void Bytes_that_are_no_text_are_format_errors()
    {
        byte[] payload = FilterTests.Named("ABCDEFGH, Wire.Tests");
        int at = payload.AsSpan().IndexOf("ABCD"u8);
        foreach (byte[] bad
            in new byte[][] { [0xED, 0xA0, 0x80], [0xFF, 0xFE, 0xFD], [0xC0, 0x80, 0x80], [0xF4, 0x90, 0x80], [0x80, 0x80, 0x80] })
        {
            byte[] broken = [.. payload];
            bad.CopyTo(broken, at);
            Assert.ThrowsAny<WireFormatException>(
                () => new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted }).Deserialize<object>(broken));
        }
    }

    [Fact]
    public void A_flood_of_names_leaves_no_trace()
    {
        Serializer[] serializers =
        [
            new(), new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted }),
            new(new SerializerOptions
            {
                TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Animal>().AllowNamespace("Evil").AllowWhere((_, _) => false),
            }),
        ];
        foreach (Serializer serializer in serializers)
        {
            // The caches fill up first: they are bounded, and not empty.
            Flood(serializer, 0, 20_000);
            long before = GC.GetTotalMemory(forceFullCollection: true);
            Flood(serializer, 20_000, Sweep.IsWhole ? 100_000 : 50_000);
            Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, 3 << 20);
            Assert.Equal(3, serializer.RoundTrip(new Leaf { Id = 3 }).Id);
        }

        static void Flood(Serializer serializer, int from, int to)
        {
            for (int i = from; i < to; i++)
            {
                string name = (i % 4) switch
                {
                    0 => $"Evil.Type{i}, Evil{i}",
                    1 => $"Wire.Tests.Behaviour.Type{i}, Wire.Tests",
                    2 => $"System.Int32{Ranks(i)}",
                    _ => $"System.Collections.Generic.List`1[[System.Int64{Ranks(i)}]]",
                };
                Record.Exception(() => serializer.Deserialize<object>(FilterTests.Named(name)));
            }
        }

        static string Ranks(int number) => string.Concat(Enumerable.Range(0, 18).Select(bit => (number >> bit & 1) == 0 ? "[]" : "[,]"));
    }

    [Fact]
    public void Manifests_that_come_again_and_again_stay_known_in_a_flood_of_others()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = Setup.TestTypes, DynamicCode = false });
        byte[] honest = serializer.Serialize(new object[] { new Leaf { Id = 1 }, new Node() });
        Assert.NotNull(serializer.Deserialize<object>(honest));
        for (int i = 0; i < 10_000; i++)
        {
            Record.Exception(() => serializer.Deserialize<object>(FilterTests.Named($"Evil.Type{i}, Evil{i}")));
            if (i % 100 == 0)
            {
                serializer.Deserialize<object>(honest);
            }
        }

        serializer.Deserialize<object>(honest);
        long start = GC.GetAllocatedBytesForCurrentThread();
        serializer.Deserialize<object>(honest);
        long known = GC.GetAllocatedBytesForCurrentThread() - start;
        Assert.InRange(known, 1, 400);
    }

    // The text of an exception is not made before it is needed: it loads assemblies.
    private static void AssertHonest(bool isHonest, string name, Exception? failure)
    {
        if (!isHonest)
        {
            Assert.Fail($"{name}: {failure}");
        }
    }

    private static void AssertAllowed(Type type, int filter)
    {
        if (type.HasElementType)
        {
            AssertAllowed(type.GetElementType()!, filter);
            return;
        }

        Assert.False(type.IsPointer || type.IsByRef);
        Array.ForEach(type.IsConstructedGenericType ? type.GetGenericArguments() : [], argument => AssertAllowed(argument, filter));
        Type definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        bool ofTests = definition.Assembly == typeof(Leaf).Assembly;
        Assert.True(
            filter switch
            {
                0 => !ofTests,
                2 => !ofTests || definition == typeof(Leaf) || definition == typeof(Box<>),
                3 => !ofTests || definition.Namespace!.StartsWith("Wire.Tests.Behaviour", StringComparison.Ordinal),
                4 => definition != typeof(Leaf),
                5 => !ofTests || typeof(Animal).IsAssignableFrom(definition),
                6 => !ofTests || definition.IsDefined(typeof(TypeNotesAttribute), false),
                7 => !ofTests || definition.FullName!.Length % 2 == 0,
                8 => definition != typeof(Cat),
                _ => true,
            },
            $"{type} came through filter {filter}.");
        Assert.False(definition == typeof(Process) || definition == typeof(FileInfo) || definition == typeof(Action));
    }

    private static string MakeUp(Random random)
    {
        // Half of them begin as something that could be.
        string text = random.Next(2) == 0 ? "" : random.Next(4) switch
        {
            0 => Leaf,
            1 => $"System.Collections.Generic.List`1[[{Leaf}]]",
            2 => $"Wire.Tests.Behaviour.Box`1[[{Pieces[random.Next(Pieces.Length)]}]], Wire.Tests",
            _ => $"System.Collections.Generic.Dictionary`2[[{Pieces[random.Next(Pieces.Length)]}],[{Pieces[random.Next(Pieces.Length)]}]]",
        };
        var name = new StringBuilder(text);
        int changes = random.Next(1, text.Length == 0 ? 12 : 4);
        for (int i = 0; i < changes; i++)
        {
            switch (random.Next(name.Length == 0 ? 1 : 4))
            {
                case 0 or 1:
                    name.Insert(random.Next(2) == 0 ? name.Length : random.Next(name.Length + 1), Pieces[random.Next(Pieces.Length)]);
                    break;
                case 2:
                    name.Remove(random.Next(name.Length), 1);
                    break;
                default:
                    name[random.Next(name.Length)] = (char)random.Next(0x20, 0x7F);
                    break;
            }
        }

        return name.ToString();
    }

    // All that resolving may touch for its own sake.
    private static void Warm()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        foreach (string piece in Pieces)
        {
            foreach (string name in new[] { piece, $"{piece}, {Unloaded}", $"System.Collections.Generic.List`1[[{piece}]]" })
            {
                if (!name.Contains("VisualBasic", StringComparison.Ordinal))
                {
                    Record.Exception(() => serializer.Deserialize<Type>(TypeNamed(name)));
                }
            }
        }
    }

    private static string[] LoadedBy(Action action)
    {
        var names = new List<string>();
        int thread = Environment.CurrentManagedThreadId;
        void Note(string? name)
        {
            // What the host of the tests loads meanwhile, to report on them, is its own affair.
            if (Environment.CurrentManagedThreadId == thread)
            {
                names.Add(name ?? "");
            }
        }

        void OnLoad(object? sender, AssemblyLoadEventArgs e) => Note(e.LoadedAssembly.FullName);
        Assembly? OnResolve(object? sender, ResolveEventArgs e)
        {
            Note("resolve " + e.Name);
            return null;
        }

        AppDomain.CurrentDomain.AssemblyLoad += OnLoad;
        AppDomain.CurrentDomain.AssemblyResolve += OnResolve;
        AppDomain.CurrentDomain.TypeResolve += OnResolve;
        try
        {
            action();
        }
        finally
        {
            AppDomain.CurrentDomain.AssemblyLoad -= OnLoad;
            AppDomain.CurrentDomain.AssemblyResolve -= OnResolve;
            AppDomain.CurrentDomain.TypeResolve -= OnResolve;
        }

        Assert.DoesNotContain(AppDomain.CurrentDomain.GetAssemblies(), a => a.GetName().Name == Unloaded);
        return [.. names];
    }

    /// <summary>The payload of a type with any name.</summary>
    internal static byte[] TypeNamed(string name)
    {
        var serializer = new Serializer();
        byte[] type = serializer.Serialize(typeof(int)), text = serializer.Serialize(name);
        return [type[0], type[1], .. text[2..]];
    }

    public interface IRepository<T>;

    private sealed class FarContext(byte[] far) : AssemblyLoadContext("far")
    {
        public int Resolved { get; private set; }

        protected override Assembly? Load(AssemblyName assemblyName)
        {
            if (assemblyName.Name != "Wire.Made.Far")
            {
                return null;
            }

            Resolved++;
            return LoadFromStream(new MemoryStream(far));
        }
    }
}
