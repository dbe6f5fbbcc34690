using System.Reflection;
using System.Runtime.Loader;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>
/// Names of .NET's types have no assembly: what is hidden in one and has a namesake in another would come back as that. Such a type is
/// refused on write, wherever it stands.
/// </summary>
public sealed class NamesLeadBackTests
{
    private static readonly Assembly[] Framework = LoadFramework();

    public static TheoryData<string> Filters => ["nothing", "everything", "assembly"];

    [Theory]
    [MemberData(nameof(Filters))]
    public void Every_type_of_the_framework_comes_back_as_itself_or_is_refused(string filter)
    {
        int refused = 0;
        foreach (Assembly assembly in Framework)
        {
            var serializer = new Serializer(new SerializerOptions
            {
                TypeFilter = filter switch
                {
                    "everything" => WireTypeFilter.Unrestricted,
                    // Of the core library no program may allow everything.
                    "assembly" when assembly != typeof(object).Assembly => WireTypeFilter.Default.AllowAssembly(assembly),
                    _ => WireTypeFilter.Default,
                },
            });
            foreach (Type type in TypesOf(assembly).Sample(among: 2, filter.Length))
            {
                byte[] bytes;
                try
                {
                    bytes = serializer.Serialize(type);
                }
                catch (UnsupportedTypeException e)
                {
                    Assert.False(type.IsVisible, e.Message);
                    refused++;
                    continue;
                }

                Type? read = null;
                Exception? failure = Record.Exception(() => read = serializer.Deserialize<Type>(bytes));
                if (failure is null)
                {
                    Assert.True(type == read, $"{type.AssemblyQualifiedName} came back as {read?.AssemblyQualifiedName}.");
                }
                else
                {
                    Assert.IsAssignableFrom<WireFormatException>(failure);
                }
            }
        }

        Assert.InRange(refused, 100, 100_000);
    }

    [Fact]
    public void A_hidden_namesake_is_refused_wherever_it_stands()
    {
        // Two hidden types of one name, and one beside a public one.
        (Type first, Type second, Type beside, Type known) = Twins();
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        foreach (Type hidden in new[] { first, second, beside })
        {
            Type list = typeof(List<>).MakeGenericType(hidden.MakeArrayType());
            Type map = typeof(Dictionary<,>).MakeGenericType(typeof(string), list);
            foreach (Type type in new[] { hidden, hidden.MakeArrayType(), hidden.MakeArrayType(2), list, map })
            {
                var error = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(type));
                Assert.Contains(hidden.FullName!, error.Message, StringComparison.Ordinal);
                Assert.Contains("another type of .NET", error.Message, StringComparison.Ordinal);
                Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(new object[] { type }));
            }

            // As a manifest: boxed, as an element, as an argument.
            object boxed = Enum.ToObject(hidden, 1);
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(boxed));
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(new object[] { boxed }));
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(Array.CreateInstance(hidden, 1)));
            object elements = Activator.CreateInstance(typeof(List<>).MakeGenericType(hidden))!;
            Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(elements));
        }

        Assert.Equal(known, serializer.Deserialize<Type>(serializer.Serialize(known)));
        Assert.Equal(Enum.ToObject(known, 1), serializer.Deserialize<object>(serializer.Serialize(Enum.ToObject(known, 1))));
    }

    [Fact]
    public void A_name_that_several_hidden_types_have_is_nobody_s()
    {
        (Type first, _, _, _) = Twins();
        byte[] bytes = TypeNamesTests.TypePayload(first.FullName!);
        foreach (WireTypeFilter filter in new[] { WireTypeFilter.Default, WireTypeFilter.Unrestricted })
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Type>(bytes));
        }
    }

    [Fact]
    public void A_name_that_the_program_gave_away_is_refused()
    {
        foreach (Type type in new[] { typeof(CallsItselfInt), typeof(CallsItselfDay) })
        {
            var error = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(type));
            Assert.Contains("[WireName", error.Message, StringComparison.Ordinal);
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(Activator.CreateInstance(type)!));
        }
    }

    private static (Type First, Type Second, Type Beside, Type Known) Twins()
    {
        AssemblyLoadContext context = AssemblyLoadContext.Default;
        Type Make(string home, string name, bool isPublic) =>
            AppDomain.CurrentDomain.GetAssemblies().FirstOrDefault(a => a.GetName().Name == home)?.GetType(name)
            ?? context.Load(MadeAssembly.Make(home, module => module.Enum(name, isPublic), likeFramework: true)).GetType(name)!;
        lock (Framework)
        {
            return (
                Make("System.Back.A", "System.Back.Hidden", false),
                Make("System.Back.B", "System.Back.Hidden", false),
                Make("System.Back.C", "System.Back.Twin", false),
                Make("System.Back.D", "System.Back.Twin", true));
        }
    }

    private static Assembly[] LoadFramework() =>
    [
        typeof(object).Assembly, typeof(System.Net.Http.HttpClient).Assembly, typeof(System.Xml.XmlDocument).Assembly,
        typeof(System.Text.Json.JsonElement).Assembly,
        typeof(System.Net.Sockets.Socket).Assembly, typeof(System.Security.Cryptography.Aes).Assembly, typeof(Uri).Assembly,
        typeof(Enumerable).Assembly,
        typeof(System.Collections.Immutable.ImmutableArray).Assembly, typeof(System.Diagnostics.Process).Assembly,
        typeof(System.Linq.Expressions.Expression).Assembly,
    ];

    private static IEnumerable<Type> TypesOf(Assembly assembly) => assembly.GetTypes().Where(type => type.FullName is not null);

    [WireName("System.Int32")]
    public sealed class CallsItselfInt;

    [WireName("System.DayOfWeek")]
    public sealed class CallsItselfDay;
}
