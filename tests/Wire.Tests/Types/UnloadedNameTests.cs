using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>
/// What a rule allows does not depend on what happens to be loaded: the assemblies that the program refers to belong to it before their
/// first use. Each case runs in a process of its own, which has used none.
/// </summary>
public sealed class UnloadedNameTests
{
    private const string Files = "TRUSTED_PLATFORM_ASSEMBLIES";
    private const string Home = "Wire.Testing";
    private const string Seed = "Wire.Testing.Fuzzing.Seed, Wire.Testing";
    private const string Node = "Wire.Testing.PrivateNode, Wire.Testing";

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
    [InlineData("default", Seed, "TypeRefused")]
    [InlineData("other", Seed, "TypeRefused")]
    [InlineData("derived", Seed, "TypeRefused")]
    [InlineData("denied", Seed, "TypeRefused")]
    [InlineData("namespace", "Wire.Testing.Fuzzing.Never, Wire.Testing", "TypeNotFound")]
    [InlineData("namespace", "Wire.Testing.Fuzzing.Seed, Wire.Nowhere", "TypeNotFound")]
    [InlineData("namespace", "Wire.Testing.Fuzzing.Seed", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.ErrObject, Microsoft.VisualBasic.Core", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.ErrObject", "TypeRefused")]
    [InlineData("namespace", "Microsoft.VisualBasic.ErrObject, Microsoft.VisualBasic.Core", "TypeRefused")]
    [InlineData("default", "Microsoft.VisualBasic.CompareMethod", "TypeRefused")]
    [InlineData("default", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic.Core", "TypeRefused")]
    [InlineData("default", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic", "TypeRefused")]
    [InlineData("default", "Microsoft.VisualBasic.FileIO.MalformedLineException, mscorlib", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.CompareMethod", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic.Core", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.CompareMethod, Microsoft.VisualBasic", "TypeRefused")]
    [InlineData("unrestricted", "Microsoft.VisualBasic.FileIO.MalformedLineException, mscorlib", "TypeRefused")]
    public void Nothing_is_loaded_for_what_no_rule_allows(string filter, string name, string error)
    {
        string[] lines = Run(filter, name);
        Assert.Equal(["False", error, "False"], [lines[0], lines[1], lines[3]]);
    }

    [Fact]
    public void The_error_says_what_is_missing()
    {
        Says("its assembly Wire.Nowhere is not loaded", "namespace", "Wire.Testing.Fuzzing.Seed, Wire.Nowhere");
        Says("which this program does not have", "namespace", "Wire.Testing.Fuzzing.Never, Wire.Testing");
        Says("Allow<Seed>()", "other", Seed);

        static void Says(string words, string filter, string name) =>
            Assert.Contains(words, Run(filter, name)[2], StringComparison.Ordinal);
    }

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

    private static string[] Run(string filter, string name) => FreshProcess.Run($"{StartupHook.Name};{filter};{name}");
}
