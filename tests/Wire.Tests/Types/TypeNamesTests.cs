using System.Net;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Names that travel: what is written for types of .NET does not say where .NET keeps them.</summary>
public sealed class TypeNamesTests
{
    private static readonly Serializer Plain = new();
    private static readonly Serializer Open = new(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });

    public static TheoryData<Type, string> Written() => new()
    {
        { typeof(HttpStatusCode), "System.Net.HttpStatusCode" },
        { typeof(CookieContainer), "System.Net.CookieContainer" },
        { typeof(Environment.SpecialFolder), "System.Environment+SpecialFolder" },
        { typeof(LinkedList<CookieContainer>), "System.Collections.Generic.LinkedList`1[[System.Net.CookieContainer]]" },
        { typeof(System.Text.Json.JsonException[]), "System.Text.Json.JsonException[]" },
        { typeof(List<TypeNamesTests>), "System.Collections.Generic.List`1[[Wire.Tests.Types.TypeNamesTests, Wire.Tests]]" },
        { typeof(FactAttribute), "Xunit.FactAttribute, xunit.core" },
    };

    [Theory]
    [MemberData(nameof(Written))]
    public void No_assembly_of_the_framework_is_named(Type type, string name)
    {
        byte[] payload = Plain.Serialize(type);
        Assert.Equal(TypePayload(name), payload);
        Assert.Equal(type, Open.Deserialize<Type>(payload));
    }

    [Theory]
    [InlineData("System.Net.HttpStatusCode, System.Net.Primitives", typeof(HttpStatusCode))]
    [InlineData(
        "System.Net.HttpStatusCode, System, Version=4.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089", typeof(HttpStatusCode))]
    [InlineData("System.Net.HttpStatusCode, netstandard", typeof(HttpStatusCode))]
    [InlineData("System.DayOfWeek, mscorlib", typeof(DayOfWeek))]
    [InlineData("System.DayOfWeek, System.Runtime", typeof(DayOfWeek))]
    [InlineData("System.Int32, System.Private.CoreLib", typeof(int))]
    [InlineData("System.Collections.Generic.HashSet`1[[System.String, mscorlib]], System.Core", typeof(HashSet<string>))]
    [InlineData(
        "System.Collections.Generic.Dictionary`2[[System.String, System.Runtime],[System.Net.HttpStatusCode[], System]], " +
        "System.Collections", typeof(Dictionary<string, HttpStatusCode[]>))]
    [InlineData("System.Environment+SpecialFolder, System.Runtime.Extensions", typeof(Environment.SpecialFolder))]
    [InlineData("System.InvalidOperationException", typeof(InvalidOperationException))]
    [InlineData("System.InvalidOperationException, mscorlib", typeof(InvalidOperationException))]
    [InlineData("System.Text.Json.JsonException", typeof(System.Text.Json.JsonException))]
    [InlineData("System.Net.Sockets.SocketException, System", typeof(System.Net.Sockets.SocketException))]
    public void Any_home_of_the_framework_is_none(string name, Type type)
    {
        _ = (typeof(System.Net.Sockets.SocketException).Assembly.FullName, typeof(System.Text.Json.JsonException).Assembly.FullName);
        Assert.Equal(type, Plain.Deserialize<Type>(TypePayload(name)));
    }

    [Theory]
    [InlineData("System.Net.CookieContainer")]
    [InlineData("System.Net.CookieContainer, System.Net.Primitives")]
    [InlineData("System.Net.HttpStatusCode, Wire.Tests")]
    [InlineData("System.Net.HttpStatuscode")]
    [InlineData("System.ConsoleColor, Elsewhere")]
    [InlineData("Wire.Tests.Types.OfByte")]
    [InlineData("Wire.Tests.Types.OfByte, System.Runtime")]
    [InlineData("Wire.Tests.Types.OfByte, Wire.Tests")]
    [InlineData("Wire.WireFormatException")]
    [InlineData("Wire.WireFormatException, Wire")]
    public void Nothing_else_is_allowed_with_it(string name) =>
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload(name)));

    [Fact]
    public void What_the_filter_or_the_root_allows_is_found_without_an_assembly()
    {
        byte[] payload = Plain.Serialize(new object[] { typeof(CookieContainer) });
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<object[]>(payload));

        var allowing = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<CookieContainer>() });
        Assert.Equal(typeof(CookieContainer), allowing.Deserialize<object[]>(payload)![0]);
        Assert.Equal(typeof(CookieContainer), allowing.Deserialize<Type>(TypePayload("System.Net.CookieContainer, System.Net.Primitives")));
        var assembly =
            new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(CookieContainer).Assembly) });
        Assert.Equal(typeof(CookieContainer), assembly.Deserialize<object[]>(payload)![0]);
        Assert.Throws<TypeRefusedException>(() => assembly.Deserialize<Type>(TypePayload("System.Net.Http.HttpClient")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_enum_of_any_framework_assembly_stands_in_an_object(bool references)
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        object?[] values =
        [
            HttpStatusCode.NotFound,
            new[] { HttpStatusCode.OK },
            new List<HttpStatusCode?> { HttpStatusCode.Gone, null },
            System.Text.Json.JsonTokenType.True,
            (HttpStatusCode?)null,
        ];
        GraphAssert.Same(values, serializer.Deserialize<object>(serializer.Serialize<object>(values)));
        Assert.Equal(HttpStatusCode.NotFound, serializer.Deserialize<object>(serializer.Serialize<object>(HttpStatusCode.NotFound)));
    }

    [Fact]
    public void An_exception_of_any_framework_assembly_stands_in_an_object()
    {
        Exception[] values =
        [
            new InvalidOperationException("a"),
            new System.Text.Json.JsonException("b"),
            new System.Net.Http.HttpRequestException("c", new IOException("d"), HttpStatusCode.Gone),
        ];
        Exception[] read = (Exception[])Plain.Deserialize<object>(Plain.Serialize<object>(values))!;
        Assert.Equal(values.Select(e => e.GetType()), read.Select(e => e.GetType()));
        Assert.Equal(values.Select(e => e.Message), read.Select(e => e.Message));
        Assert.Equal(HttpStatusCode.Gone, ((System.Net.Http.HttpRequestException)read[2]).StatusCode);
    }

    [Fact]
    public void A_type_that_is_loaded_later_is_found_then()
    {
        const string Name = "System.Made.Late";
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload(Name)));

        Assembly made =
            AssemblyLoadContext.Default.Load(MadeAssembly.Make("System.Made.LateHome", module => module.Enum(Name), likeFramework: true));
        Assert.Equal(made.GetType(Name), Plain.Deserialize<Type>(TypePayload(Name)));

        // An assembly without the key of .NET is the program's own, whatever it calls itself.
        const string Foreign = "System.Made.Foreign";
        AssemblyLoadContext.Default.Load(MadeAssembly.Make("System.Made.ForeignHome", module => module.Enum(Foreign)));
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload(Foreign)));
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload(Foreign + ", System.Made.ForeignHome")));
        Type foreign = Open.Deserialize<Type>(TypePayload(Foreign + ", System.Made.ForeignHome"))!;
        Assert.Equal(TypePayload(Foreign + ", System.Made.ForeignHome"), Open.Serialize(foreign));
    }

    [Fact]
    public void Of_two_types_of_one_name_the_public_one_is_meant()
    {
        const string Name = "System.Made.Twin";
        AssemblyLoadContext context = AssemblyLoadContext.Default;
        context.Load(MadeAssembly.Make("System.Made.TwinA", module => module.Enum(Name, isPublic: false), likeFramework: true));
        Assembly home = context.Load(MadeAssembly.Make("System.Made.TwinB", module => module.Enum(Name), likeFramework: true));
        context.Load(MadeAssembly.Make("System.Made.TwinC", module => module.Enum(Name, isPublic: false), likeFramework: true));

        Assert.Equal(home.GetType(Name), Plain.Deserialize<Type>(TypePayload(Name)));
        Assert.Equal(home.GetType(Name), Open.Deserialize<Type>(TypePayload(Name)));
    }

    [Fact]
    public void An_exception_is_one_by_its_bases()
    {
        Assembly made = AssemblyLoadContext.Default.Load(MadeAssembly.Make(
            "System.Made.Errors",
            module =>
            {
                Type failure = module.DefineType("System.Made.FailureException", TypeAttributes.Public, typeof(IOException)).CreateType();
                module.DefineType("System.Made.DeeperFailure", TypeAttributes.Public, failure).CreateType();
                Type pretender = module.DefineType("System.Made.NoException", TypeAttributes.Public).CreateType();
                module.DefineType("System.Made.Pretender", TypeAttributes.Public, pretender).CreateType();
            },
            likeFramework: true));

        Assert.Equal(made.GetType("System.Made.FailureException"), Plain.Deserialize<Type>(TypePayload("System.Made.FailureException")));
        Assert.Equal(made.GetType("System.Made.DeeperFailure"), Plain.Deserialize<Type>(TypePayload("System.Made.DeeperFailure, System")));
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload("System.Made.NoException")));
        Assert.Throws<TypeRefusedException>(() => Plain.Deserialize<Type>(TypePayload("System.Made.Pretender")));
    }

    /// <summary>A payload of a <see cref="Type"/> by any name.</summary>
    internal static byte[] TypePayload(string name)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream, Encoding.Latin1);
        writer.Write([0x10, 0x2E]);
        writer.Write7BitEncodedInt(1 + (2 * name.Length));
        writer.Write(Encoding.Latin1.GetBytes(name));
        return stream.ToArray();
    }
}
