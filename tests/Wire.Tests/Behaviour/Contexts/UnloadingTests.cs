using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Contexts;

/// <summary>Types are looked for in all loaded assemblies, among them those that just now are being unloaded.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class UnloadingTests
{
    private const int Contexts = 150;

    private static readonly byte[] Passing = MadeAssembly.Make("Wire.Made.Passing", module =>
        module.DefineType("Passing.Message", TypeAttributes.Public).With(("Id", typeof(int))).CreateType());

    public static TheoryData<string> Filters() => ["derived", "namespace", "assembly", "denied assembly", "unrestricted"];

    [Theory]
    [MemberData(nameof(Filters))]
    public async Task What_is_looked_for_meanwhile_is_found_or_refused(string kind)
    {
        Assembly own = typeof(Leaf).Assembly;
        WireTypeFilter filter = kind switch
        {
            "derived" => WireTypeFilter.Default.AllowDerivedFrom<Leaf>(),
            "namespace" => WireTypeFilter.Default.AllowNamespace(typeof(Leaf).Namespace!),
            "assembly" => WireTypeFilter.Default.AllowAssembly(own),
            "denied assembly" => WireTypeFilter.Unrestricted.DenyAssembly(typeof(FactAttribute).Assembly),
            _ => WireTypeFilter.Unrestricted,
        };
        byte[] payload = new Serializer().Serialize<object>(new Leaf { Id = 3 });
        byte[] passed = Write();
        Task coming = Task.Run(ComeAndGo);
        int reads = 0;
        while (!coming.IsCompleted)
        {
            // Each of its own, so that it looks for the types again.
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            Assert.Equal(3, Assert.IsType<Leaf>(serializer.Deserialize<object>(payload)).Id);
            try
            {
                Assert.Equal("Passing.Message", serializer.Deserialize<object>(passed)!.GetType().FullName);
            }
            catch (WireFormatException e) when (e.Error is WireFormatError.TypeRefused or WireFormatError.TypeNotFound)
            {
                // It is not allowed, or it is and none of the contexts is there just now.
                Assert.Contains("Passing.Message", e.Message, StringComparison.Ordinal);
            }

            reads++;
        }

        await coming;
        Assert.True(reads > 0);
    }

    private static void ComeAndGo()
    {
        for (int i = 0; i < Contexts; i++)
        {
            Visit();
            if (i % 4 == 0)
            {
                GC.Collect();
            }
        }
    }

    // Nothing of the context is in the frame that goes on.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Visit()
    {
        var context = new AssemblyLoadContext("passing", isCollectible: true);
        _ = context.Load(Passing).GetType("Passing.Message");
        context.Unload();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static byte[] Write()
    {
        var context = new AssemblyLoadContext("passing", isCollectible: true);
        object message = Activator.CreateInstance(context.Load(Passing).GetType("Passing.Message")!)!;
        byte[] payload = new Serializer().Serialize(message);
        context.Unload();
        return payload;
    }
}
