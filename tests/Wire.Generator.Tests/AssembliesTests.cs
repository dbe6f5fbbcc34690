using System.Reflection;
using Microsoft.CodeAnalysis;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>The contexts of several assemblies.</summary>
public sealed class AssembliesTests
{
    private const string Shared = """
        using System.Collections.Generic;
        using Wire;

        namespace Shared
        {
            [WireContext]
            [WireType(typeof(Entity))]
            public sealed partial class SharedTypes : WireTypes;

            public class Entity
            {
                private readonly Dictionary<int, Price> _prices = new();

                public int Count => _prices.Count;
            }

            public struct Price
            {
                private long _amount;

                public override string ToString() => $"{_amount}";
            }

            public struct Box<T>
            {
                public T Content;
            }
        }
        """;

    private const string Program = """
        using Wire;

        internal partial class Outer
        {
            [WireContext]
            [WireType(typeof(Order))]
            internal sealed partial class Messages : WireTypes;
        }

        internal class Order : Shared.Entity
        {
            public Shared.Box<Stage> Stage;
        }

        internal enum Stage;
        """;

    [Fact]
    public void A_context_has_the_rows_of_the_assemblies_that_its_own_refers_to()
    {
        Compiled shared = Compiled.Of(Shared);
        Assembly library = shared.Load();
        Compiled program = Compiled.Of(Compiled.Create([Program], shared.Compilation.ToMetadataReference()));

        WireTypes table = TableOf(program.Load(), "Outer+Messages");

        Assert.Empty(program.Reported);
        Assert.Equal(["Enum<Stage>()", "Struct<Box<Stage>>()"], program.Rows);
        Type price = library.GetType("Shared.Price")!;
        Assert.True(table.Contains(price));
        Assert.True(table.Contains(typeof(Dictionary<,>).MakeGenericType(typeof(int), price)));
        Assert.Equal(2 + TableOf(library, "Shared.SharedTypes").Count, table.Count);
        Assert.Equal(library.GetType("Shared.SharedTypes"), library.GetCustomAttribute<WireTypesOfAttribute>()!.Type);
    }

    // A table by hand may name itself.
    [Fact]
    public void A_table_by_hand_is_included_too()
    {
        Compiled shared = Compiled.Of("""
            using System.Collections.Generic;
            using Wire;

            [assembly: WireTypesOf(typeof(ByHand))]

            public sealed class ByHand : WireTypes
            {
                public static WireTypes Default { get; } = new ByHand();

                protected override IEnumerable<WireTypeRow> CreateRows() => [WireRow.HashSet<int>()];
            }
            """);
        Assert.Empty(shared.Sources);
        shared.Load();

        Compiled program = Compiled.Of(Compiled.Create(
            ["using Wire; [WireContext] partial class Messages : WireTypes;"], shared.Compilation.ToMetadataReference()));

        Assert.Equal([typeof(HashSet<int>)], TableOf(program.Load(), "Messages").Select(row => row.Type));
    }

    private static WireTypes TableOf(Assembly assembly, string name) =>
        (WireTypes)assembly.GetType(name)!.GetProperty("Default")!.GetValue(null)!;
}
