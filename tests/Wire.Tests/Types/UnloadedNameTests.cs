using System.Collections.Concurrent;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>
/// What a rule allows does not depend on what happens to be loaded: the assemblies that the program refers to belong to it before their
/// first use. Each case runs in a process of its own, which has used none; what is refused loads none, so that
/// one process does for all names that a filter refuses.
/// </summary>
public sealed class UnloadedNameTests
{
    private const string Files = "TRUSTED_PLATFORM_ASSEMBLIES";
    private const string Home = "Wire.Testing";
    private const string Seed = "Wire.Testing.Fuzzing.Seed, Wire.Testing";
    private const string Node = "Wire.Testing.PrivateNode, Wire.Testing";

    // By what is asked, what a payload names, and the error.
    private static readonly (string Filter, string Name, string Error)[] Refused =
    [
        ("default", Seed, "TypeRefused"),
        ("other", Seed, "TypeRefused"),
        ("derived", Seed, "TypeRefused"),
        ("denied", Seed, "TypeRefused"),
        ("namespace", "Wire.Testing.Fuzzing.Never, Wire.Testing", "TypeNotFound"),
        ("namespace", "Wire.Testing.Fuzzing.Seed, Wire.Nowhere", "TypeNotFound"),
        ("namespace", "Wire.Testing.Fuzzing.Seed", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.ErrObject, Microsoft.VisualBasic.Core", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.ErrObject", "TypeRefused"),
        ("namespace", "Microsoft.VisualBasic.ErrObject, Microsoft.VisualBasic.Core", "TypeRefused"),
        ("default", "Microsoft.VisualBasic.CompareMethod", "TypeRefused"),
        ("default", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic.Core", "TypeRefused"),
        ("default", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic", "TypeRefused"),
        ("default", "Microsoft.VisualBasic.FileIO.MalformedLineException, mscorlib", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.CompareMethod", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic.Core", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic", "TypeRefused"),
        ("unrestricted", "Microsoft.VisualBasic.FileIO.MalformedLineException, mscorlib", "TypeRefused"),
    ];

    private static readonly ConcurrentDictionary<string, string[][]> Processes = [];

    public static TheoryData<string, string, string> NotAllowed
    {
        get
        {
            var cases = new TheoryData<string, string, string>();
            Array.ForEach(Refused, refused => cases.Add(refused.Filter, refused.Name, refused.Error));
            return cases;
        }
    }

    [Theory]
    [InlineData("namespace", Seed)]
    [InlineData("where", Seed)]
    [InlineData("unrestricted", Seed)]
    [InlineData("derived", Node)]
    // The compiler refers to the new home of a type, so that only the files of the program say where it was.
    [InlineData("forward", "Wire.Testing.Fuzzing.Seed, Wire.Made.Former")]
    public void A_rule_allows_a_type_of_an_assembly_that_nothing_has_used(string filter, string name) =>
        Assert.Equal(["False", name.Split(',')[0], "True"], Run(filter, name));

    [Fact]
    public void So_do_rules_for_the_parts_of_a_type() => Assert.Equal(
        ["False", "System.Collections.Generic.List`1[Wire.Testing.Fuzzing.Seed]", "True"],
        Run("namespace", $"System.Collections.Generic.List`1[[{Seed}]]"));

    [Theory]
    [MemberData(nameof(NotAllowed))]
    public void Nothing_is_loaded_for_what_no_rule_allows(string filter, string name, string error)
    {
        string[] lines = LinesOf(filter, name);
        Assert.Equal(["False", error, "False"], [lines[0], lines[1], lines[3]]);
    }

    [Theory]
    [InlineData("its assembly Wire.Nowhere is not loaded", "namespace", "Wire.Testing.Fuzzing.Seed, Wire.Nowhere")]
    [InlineData("which this program does not have", "namespace", "Wire.Testing.Fuzzing.Never, Wire.Testing")]
    [InlineData("Allow<Seed>()", "other", Seed)]
    public void The_error_says_what_is_missing(string words, string filter, string name) =>
        Assert.Contains(words, LinesOf(filter, name)[2], StringComparison.Ordinal);

    /// <summary>Resolves a name, and prints whether the assembly was loaded before, what the name means, and whether it is then.</summary>
    internal static void Resolve(string filter, string name)
    {
        WireTypeFilter rules = filter switch
        {
            "namespace" => Namespace,
            "where" => WireTypeFilter.Default.AllowWhere((_, assembly) => assembly == Home),
            "unrestricted" => WireTypeFilter.Unrestricted,
            "derived" => WireTypeFilter.Default.AllowDerivedFrom<IAsyncLifetime>(),
            "forward" => Forwarding(),
            "denied" => Namespace.DenyNamespace("Wire.Testing.Fuzzing"),
            "other" => WireTypeFilter.Default.AllowNamespace("Wire.Test"),
            _ => WireTypeFilter.Default,
        };
        Console.WriteLine(IsLoaded());
        var serializer = new Serializer(new SerializerOptions { TypeFilter = rules });
        try
        {
            Console.WriteLine(serializer.Deserialize<Type>(TypeNamesTests.TypePayload(name)));
        }
        catch (WireFormatException e)
        {
            Console.WriteLine(e.Error);
            Console.WriteLine(e.Message);
        }

        Console.WriteLine(IsLoaded());
    }

    private static WireTypeFilter Namespace { get; } = WireTypeFilter.Default.AllowNamespace(Home);

    // Deployed with the program, as the runtime is told.
    private static WireTypeFilter Forwarding()
    {
        string file = Path.Combine(Directory.CreateTempSubdirectory("wire").FullName, "Wire.Made.Former.dll");
        File.WriteAllBytes(file, MadeAssembly.Make("Wire.Made.Former", _ => { }, [("Wire.Testing.Fuzzing", "Seed", Home)]));
        AppContext.SetData(Files, $"{AppContext.GetData(Files)}{Path.PathSeparator}{file}");
        return Namespace;
    }

    private static bool IsLoaded() => AppDomain.CurrentDomain.GetAssemblies().Any(
        assembly => assembly.GetName().Name is Home or "Microsoft.VisualBasic.Core");

    // Those of one name among all that the filter refuses: each has four.
    private static string[] LinesOf(string filter, string name)
    {
        string[] names = [.. Refused.Where(refused => refused.Filter == filter).Select(refused => refused.Name)];
        return Processes.GetOrAdd(filter, _ => [.. Run(filter, names).Chunk(4)])[Array.IndexOf(names, name)];
    }

    private static string[] Run(string filter, params string[] names) =>
        FreshProcess.Run($"{StartupHook.Name};{filter};{string.Join(';', names)}");
}
