using System.Collections;
using System.Reflection;
using System.Runtime.Loader;
using Wire.Tests.Behaviour;
using Wire.Tests.Hostile;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Types that were found once by their names.</summary>
public sealed class FoundTypesTests
{
    private const string Leaf = "Wire.Tests.Behaviour.Leaf, Wire.Tests";

    private static readonly WireTypeFilter Everything = WireTypeFilter.Default.AllowWhere((_, _) => true);

    [Theory]
    [InlineData("", 700)]
    [InlineData(", Version=9.9.9.", 2500)]
    public void A_type_that_a_rule_allows_is_not_looked_for_again(string rest, int most)
    {
        // Once: 4 KB and 37 microseconds for each.
        const int Count = 1000;
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(Leaf).Assembly) });
        byte[][] payloads = [.. Enumerable.Range(0, Count).Select(i => TypeNameTests.TypeNamed(Leaf + (rest.Length == 0 ? "" : rest + i)))];
        Assert.All(payloads, payload => Assert.Equal(typeof(Leaf), serializer.Deserialize<Type>(payload)));
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (byte[] payload in payloads)
        {
            serializer.Deserialize<Type>(payload);
        }

        Assert.InRange((GC.GetAllocatedBytesForCurrentThread() - before) / Count, 0, most);
    }

    [Fact]
    public void What_one_root_leads_to_is_not_found_for_another()
    {
        var serializer = new Serializer();
        byte[] held = Setup.Serializer(true).Serialize(new Holder<Leaf> { Any = typeof(Leaf) });
        byte[] alone = TypeNameTests.TypeNamed(Leaf);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(typeof(Leaf), serializer.Deserialize<Holder<Leaf>>(held)!.Any);
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(alone));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Holder<Box<int>>>(held));
        }
    }

    [Theory]
    [MemberData(nameof(Orders))]
    public void Each_root_means_the_types_of_its_own_context(Rule rule, bool isHostLoadedFirst, bool isHostReadFirst)
    {
        byte[] file = Twin();
        Assembly first = Load(file, isHostLoadedFirst), second = Load(file, !isHostLoadedFirst);
        (Assembly host, Assembly plugin) = isHostLoadedFirst ? (first, second) : (second, first);
        Serializer serializer = Allowing(rule, host, plugin);
        for (int i = 0; i < 3; i++)
        {
            foreach (Assembly assembly in isHostReadFirst ? [host, plugin] : new[] { plugin, host })
            {
                // An array of objects is of no plugin: it means what the program itself has.
                AssertParts(host, serializer.Deserialize<object[]>(serializer.Serialize(Parts(assembly)))!);
                AssertHeld(assembly, serializer);
            }
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void An_assembly_that_is_loaded_later_is_what_its_own_roots_mean(bool isUnrestricted, bool isHostFirst)
    {
        byte[] file = Twin();
        Assembly first = Load(file, isHostFirst);
        var serializer = new Serializer(new SerializerOptions { TypeFilter = isUnrestricted ? WireTypeFilter.Unrestricted : Everything });
        AssertParts(first, serializer.Deserialize<object[]>(serializer.Serialize(Parts(first)))!);
        AssertHeld(first, serializer);
        Assembly second = Load(file, !isHostFirst);
        for (int i = 0; i < 3; i++)
        {
            AssertHeld(second, serializer);
            AssertHeld(first, serializer);
        }
    }

    [Fact]
    public void What_a_root_declares_is_meant_before_what_is_allowed_by_type()
    {
        byte[] file = Twin();
        Assembly host = Load(file, isHost: true), plugin = Load(file, isHost: false);
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow(host.GetType("Twin.Small")!) });
        for (int i = 0; i < 3; i++)
        {
            AssertParts(host, serializer.Deserialize<object[]>(serializer.Serialize(Parts(plugin)))!);
            AssertHeld(plugin, serializer, "Twin.Declaring");
            AssertHeld(host, serializer);
        }
    }

    public static TheoryData<Rule, bool, bool> Orders()
    {
        var orders = new TheoryData<Rule, bool, bool>();
        foreach (Rule rule in Enum.GetValues<Rule>())
        {
            for (int order = 0; order < 4; order++)
            {
                orders.Add(rule, (order & 1) == 0, (order & 2) == 0);
            }
        }

        return orders;
    }

    public enum Rule
    {
        Where,
        Assembly,
        Everything,
    }

    // Of a name that no other test has loaded.
    private static byte[] Twin() => MadeAssembly.Make($"Wire.Made.Twin{Guid.NewGuid():N}", module =>
    {
        Type small = module.Class("Twin.Small", ("Id", typeof(int))).CreateType();
        (string, Type)[] any = [("Type", typeof(Type)), ("One", typeof(object)), ("Array", typeof(object)), ("List", typeof(object))];
        module.Class("Twin.Holder", any).CreateType();
        module.Class("Twin.Declaring", [.. any, ("Small", small)]).CreateType();
    });

    private static Assembly Load(byte[] file, bool isHost) =>
        (isHost ? AssemblyLoadContext.Default : new AssemblyLoadContext("plugin")).Load(file);

    private static Serializer Allowing(Rule rule, Assembly one, Assembly other) => new(new SerializerOptions
    {
        TypeFilter = rule switch
        {
            Rule.Where => Everything,
            Rule.Assembly => WireTypeFilter.Default.AllowAssembly(one).AllowAssembly(other),
            _ => WireTypeFilter.Unrestricted,
        },
    });

    private static object[] Parts(Assembly assembly)
    {
        Type small = assembly.GetType("Twin.Small")!;
        var array = Array.CreateInstance(small, 1);
        array.SetValue(Activator.CreateInstance(small), 0);
        var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(small))!;
        list.Add(array.GetValue(0));
        return [small, Activator.CreateInstance(small)!, array, list];
    }

    private static void AssertParts(Assembly assembly, object?[] parts)
    {
        Type small = assembly.GetType("Twin.Small")!;
        Type[] types = [small, small.MakeArrayType(), typeof(List<>).MakeGenericType(small)];
        Assert.Same(small, parts[0]);
        Assert.Equal(types, parts[1..].Select(part => part!.GetType()));
        Assert.All(parts[2..], part => Assert.Same(small, Assert.Single((IEnumerable)part!)!.GetType()));
    }

    private static void AssertHeld(Assembly assembly, Serializer serializer, string holder = "Twin.Holder")
    {
        Type type = assembly.GetType(holder)!;
        object held = Activator.CreateInstance(type)!;
        FieldInfo[] fields = [.. new[] { "Type", "One", "Array", "List" }.Select(name => type.GetField(name)!)];
        foreach ((FieldInfo field, object part) in fields.Zip(Parts(assembly)))
        {
            field.SetValue(held, part);
        }

        object read = typeof(FoundTypesTests).GetMethod(nameof(RoundTrip), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(type).Invoke(null, [serializer, held])!;
        Assert.Same(type, read.GetType());
        AssertParts(assembly, [.. fields.Select(field => field.GetValue(read))]);
    }

    private static object RoundTrip<T>(Serializer serializer, T value) => serializer.Deserialize<T>(serializer.Serialize(value))!;
}
