using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>A name in payloads means one type: two that the program gives one name are never taken for each other.</summary>
public sealed class SharedNameTests
{
    private static readonly Type[] Copies = [.. new[] { "Wire.Made.ShopA", "Wire.Made.ShopB" }.Select(name => Load(name, "Made.Placed"))];

    private static Serializer Both { get; } = With(WireTypeFilter.Default.AllowDerivedFrom<Booking>());

    [Fact]
    public void The_second_type_is_refused_on_write()
    {
        foreach (Booking[] bookings in new Booking[][] { [new Payment(1), new Refund(2)], [new Refund(2)] })
        {
            foreach (Serializer serializer in new[] { Both, With(WireTypeFilter.Default.Allow<Payment>().AllowDerivedFrom<Refund>()) })
            {
                NamesBoth(Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(bookings)));
                using SerializerSession session = serializer.GetSerializerSession();
                NamesBoth(Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(bookings, session)));
            }
        }

        NamesBoth(Assert.Throws<UnsupportedTypeException>(() => Both.Serialize<object>(new List<Refund>())));
    }

    [Fact]
    public void It_is_refused_on_read_by_whatever_both_are_allowed()
    {
        byte[] payload = new Serializer().Serialize<Booking[]>([new Refund(2)]);
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default.AllowDerivedFrom<Booking>(), WireTypeFilter.Default.Allow<Payment>().Allow<Refund>(),
            WireTypeFilter.Default.Allow<Payment>().AllowNamespace("Wire.Tests"), WireTypeFilter.Default.Allow<Till>(),
            WireTypeFilter.Default.AllowAssembly(typeof(Refund).Assembly), WireTypeFilter.Unrestricted,
        })
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => With(filter).Deserialize<Booking[]>(payload));
            Assert.Equal("Shared.Payment", e.TypeName);
            Assert.Contains("Payment of Wire.Tests", e.Reason, StringComparison.Ordinal);
            Assert.Contains("Refund of Wire.Tests", e.Reason, StringComparison.Ordinal);
        }

        // A root that reaches both by its members allows both.
        byte[] till = new Serializer().Serialize(new Till { Any = new Refund(3) });
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<Till>(till));
        // Whatever the serializer has read before.
        Serializer one = With(WireTypeFilter.Default.Allow<Payment>());
        Assert.IsType<Payment>(one.Deserialize<Booking[]>(payload)![0]);
        Assert.Throws<TypeRefusedException>(() => one.Deserialize<Till>(till));
    }

    [Fact]
    public void The_type_that_is_asked_for_is_the_one()
    {
        byte[] payload = new Serializer().Serialize(new Refund(2));
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default, WireTypeFilter.Default.Allow<Payment>(), WireTypeFilter.Default.AllowDerivedFrom<Booking>(),
        })
        {
            Serializer serializer = With(filter);
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal(new Refund(2), serializer.Deserialize<Refund>(payload));
                Assert.Equal(new Payment(2), serializer.Deserialize<Payment>(payload));
            }
        }

        byte[] box = new Serializer().Serialize(new BoxB<int> { Value = 5 });
        Assert.Equal(5, With(WireTypeFilter.Default.Allow(typeof(BoxA<>))).Deserialize<BoxB<int>>(box)!.Value);
    }

    [Fact]
    public void What_a_filter_does_not_allow_does_not_count()
    {
        byte[] payload = new Serializer().Serialize<Booking[]>([new Refund(2)]);
        Type[] read =
        [
            .. new[]
            {
                WireTypeFilter.Default.Allow<Refund>(), WireTypeFilter.Default.AllowDerivedFrom<Booking>().Deny<Payment>(),
                WireTypeFilter.Default.AllowDerivedFrom<Refund>(), WireTypeFilter.Default.AllowDerivedFrom<Payment>(),
                WireTypeFilter.Default.AllowWhere((name, _) => name.EndsWith("Refund", StringComparison.Ordinal)),
            }.Select(filter => With(filter).Deserialize<Booking[]>(payload)![0].GetType()),
        ];
        Assert.Equal([typeof(Refund), typeof(Refund), typeof(Refund), typeof(Payment), typeof(Refund)], read);

        // One of them has another name there.
        Serializer aliased = new(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Booking>(),
            TypeAliases = TypeAliases.None.Alias<Refund>("Shared.Refund"),
        });
        Booking[] bookings = [new Payment(1), new Refund(2)];
        Assert.Equal(bookings, aliased.Deserialize<Booking[]>(aliased.Serialize(bookings)));
    }

    [Fact]
    public void A_class_is_never_written_by_the_name_of_its_base()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Derived()));
        Assert.Contains(nameof(Above), e.Message, StringComparison.Ordinal);
        _ = new Serializer().Serialize(new Above());
    }

    [Fact]
    public void Preparation_and_contracts_notice()
    {
        NamesBoth(Assert.Throws<UnsupportedTypeException>(() => Both.Prepare<Booking[]>()));
        NamesBoth(Assert.Throws<UnsupportedTypeException>(() => Both.Prepare<Envelope>()));
        NamesBoth(Assert.Throws<UnsupportedTypeException>(() => WireContract.From(Both, typeof(Envelope))));
        NamesBoth(Assert.Throws<UnsupportedTypeException>(() => new Serializer().Prepare<Till>()));

        // Messages that cannot have one of the two, or may have only one of them.
        Both.Prepare<List<string>>();
        With(WireTypeFilter.Default.AllowDerivedFrom<Booking>().Deny<Payment>()).Prepare<Envelope>();
        Assert.NotNull(WireContract.From(With(WireTypeFilter.Default.AllowDerivedFrom<Refund>()), typeof(Envelope)));
    }

    [Fact]
    public void Two_assemblies_with_copies_of_a_contract_are_two_types()
    {
        WireTypeFilter both = WireTypeFilter.Default.AllowNamespace("Made");
        foreach (Type type in Copies)
        {
            byte[] payload = Name(type);
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => With(both).Deserialize<Type>(payload));
            Assert.All(Copies, copy => Assert.Contains(copy.Assembly.GetName().Name!, e.Reason, StringComparison.Ordinal));
            Assert.Equal(type, With(WireTypeFilter.Default.AllowAssembly(type.Assembly)).Deserialize<Type>(payload));
            Assert.Equal(type, With(WireTypeFilter.Default.Allow(type)).Deserialize<Type>(payload));
            Assert.Throws<UnsupportedTypeException>(() => With(both).Serialize(Activator.CreateInstance(type)));
        }
    }

    [Fact]
    public void Roots_in_turn_cost_no_more_than_one_after_the_other()
    {
        Serializer serializer = With(WireTypeFilter.Default.AllowDerivedFrom<Refund>());
        byte[] one = new Serializer().Serialize(new Envelope { Bookings = [new Refund(1)] });
        byte[] other = new Serializer().Serialize(new List<Booking> { new Refund(2) });
        long apart = Math.Min(Allocated(_ => true), Allocated(_ => true)) + Math.Min(Allocated(_ => false), Allocated(_ => false));
        Assert.InRange(Math.Min(Allocated(i => i % 2 == 0), Allocated(i => i % 2 == 0)), 0, apart / 2);

        long Allocated(Func<int, bool> isOne)
        {
            long before = 0;
            for (int i = -50; i < 100; i++)
            {
                before = i == 0 ? GC.GetAllocatedBytesForCurrentThread() : before;
                Booking read = isOne(i)
                    ? serializer.Deserialize<Envelope>(one)!.Bookings[0]
                    : serializer.Deserialize<List<Booking>>(other)![0];
                Assert.IsType<Refund>(read);
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Emitted_types_count_too()
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Wire.Made.Emitted"), AssemblyBuilderAccess.Run);
        ModuleBuilder module = assembly.DefineDynamicModule("m");
        Type[] types = [Define(module, "Emitted.A", "Emitted.Name"), Define(module, "Emitted.B", "Emitted.Name")];
        Serializer serializer = With(WireTypeFilter.Default.AllowNamespace("Emitted"));
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(Name(types[0], "Emitted.Name")));
        Assert.All(
            types, type => Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(Activator.CreateInstance(type))));
    }

    private static Serializer With(WireTypeFilter filter) => new(new SerializerOptions { TypeFilter = filter });

    private static void NamesBoth(UnsupportedTypeException e)
    {
        Assert.Contains("'Shared.Payment'", e.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Payment) + " of Wire.Tests", e.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Refund) + " of Wire.Tests", e.Message, StringComparison.Ordinal);
    }

    private static byte[] Name(Type type, string name = "Made.Name")
    {
        Assert.Equal(name, type.GetCustomAttribute<WireNameAttribute>()!.Name);
        return TypeNamesTests.TypePayload(name);
    }

    private static Type Load(string assembly, string type) => AssemblyLoadContext.Default
        .Load(MadeAssembly.Make(assembly, module => Define(module, type, "Made.Name"))).GetType(type)!;

    private static Type Define(ModuleBuilder module, string type, string name)
    {
        TypeBuilder made = module.Class(type, ("Id", typeof(int)));
        made.SetCustomAttribute(new CustomAttributeBuilder(typeof(WireNameAttribute).GetConstructor([typeof(string)])!, [name]));
        return made.CreateType();
    }

    public abstract record Booking(int Id);

    [WireName("Shared.Payment")]
    public sealed record Payment(int Id) : Booking(Id);

    [WireName("Shared.Payment")]
    public sealed record Refund(int Id) : Booking(Id);

    public sealed class Till
    {
        public Payment? In;
        public Refund? Out;
        public Booking? Any;
    }

    public sealed class Envelope
    {
        public List<Booking> Bookings = [];
    }

    [WireName("Shared.Box")]
    public sealed class BoxA<T>
    {
        public T? Value;
    }

    [WireName("Shared.Box")]
    public sealed class BoxB<T>
    {
        public T? Value;
    }

    [WireName("Shared.Above")]
    public class Above
    {
        public int Id;
    }

    [WireName("Shared.Above")]
    public sealed class Derived : Above
    {
        public int More;
    }
}
