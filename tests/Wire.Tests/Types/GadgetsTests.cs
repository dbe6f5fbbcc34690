using System.ComponentModel;
using System.Reflection;
using System.Reflection.Emit;
using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Filtering;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>
/// Types that research knows as ways to run code are refused wherever a payload names them, whatever wide rule would allow them.
/// </summary>
public sealed class GadgetsTests
{
    private static readonly WireTypeFilter[] Wide =
    [
        WireTypeFilter.Unrestricted,
        WireTypeFilter.Default.AllowAssembly(typeof(GadgetsTests).Assembly).AllowAssembly(typeof(System.Diagnostics.Process).Assembly)
            .AllowAssembly(typeof(System.Data.DataSet).Assembly),
        WireTypeFilter.Default.AllowNamespace("Wire.Tests"),
        WireTypeFilter.Default.AllowDerivedFrom<IThing>(),
        WireTypeFilter.Default.AllowWithAttribute<ThingAttribute>(),
        WireTypeFilter.Default.AllowWhere((_, _) => true),
    ];

    public static TheoryData<string> OfNET() => [.. new[]
    {
        typeof(System.Data.DataSet), typeof(System.Data.DataTable), typeof(System.Diagnostics.Process),
        typeof(System.Diagnostics.ProcessStartInfo), typeof(System.Security.Claims.ClaimsPrincipal),
        typeof(System.Security.Claims.ClaimsIdentity), typeof(System.Security.Principal.GenericPrincipal), typeof(FileInfo),
        typeof(DirectoryInfo), typeof(FileStream), typeof(BufferedStream), typeof(UnmanagedMemoryStream), typeof(FileSystemWatcher),
        typeof(StringReader), typeof(StreamWriter), typeof(System.CodeDom.Compiler.IndentedTextWriter), typeof(System.Xml.XmlDocument),
        typeof(System.Xml.Xsl.XslCompiledTransform), typeof(System.Resources.ResourceSet), typeof(System.Resources.ResourceReader),
        typeof(BackgroundWorker), typeof(System.Net.Sockets.Socket), typeof(HttpClient), typeof(HttpClientHandler), typeof(Thread),
        typeof(Task), typeof(Task<int>), typeof(System.Timers.Timer),
        typeof(System.Runtime.Loader.AssemblyLoadContext), typeof(Microsoft.Win32.SafeHandles.SafeFileHandle), typeof(Assembly),
        typeof(MethodInfo), typeof(DynamicMethod), typeof(Action), typeof(Comparison<string>),
        typeof(System.Runtime.Serialization.DataContractSerializer), typeof(System.Xml.Serialization.XmlSerializer),
        typeof(System.Diagnostics.TextWriterTraceListener), typeof(System.Xml.XmlUrlResolver), typeof(System.Data.DataViewManager),
    }.Select(type => $"{type.Namespace}.{type.Name}{(type.IsConstructedGenericType ? "[[System.Int32]]" : "")}")];

    [Theory]
    [MemberData(nameof(OfNET))]
    public void A_gadget_of_NET_is_refused_everywhere(string name)
    {
        foreach (WireTypeFilter filter in Wide)
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            foreach (string each in new[]
            {
                name,
                $"{name}, System.Private.CoreLib",
                $"{name}[]",
                $"{name}[,]",
                $"System.Collections.Generic.List`1[[{name}]]",
                $"System.Collections.Generic.Dictionary`2[[System.Int32],[System.Collections.Generic.List`1[[{name}]]]]",
                $"System.Nullable`1[[{name}]]",
            })
            {
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(each)));
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(TypeNamed(each)));
            }
        }
    }

    [Fact]
    public void What_derives_from_a_gadget_is_one()
    {
        foreach (WireTypeFilter filter in Wide)
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            foreach (Type type
                in new[] { typeof(Starter), typeof(Starter<>), typeof(OwnStream), typeof(OwnFormatter), typeof(Home.Nested) })
            {
                string name = $"{type.FullName}{(type.IsGenericTypeDefinition ? "[[System.Int32]]" : "")}, Wire.Tests";
                Assert.Contains(
                    TypeNameWithoutArguments(name),
                    Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(name))).TypeName,
                    StringComparison.Ordinal);
                Assert.Throws<TypeRefusedException>(
                    () => serializer.Deserialize<object>(FilterTests.Named($"System.Collections.Generic.List`1[[{name}]]")));
                Assert.Throws<TypeRefusedException>(() =>
                    serializer
                        .Deserialize<object>(FilterTests.Named($"{name[..name.IndexOf(',', StringComparison.Ordinal)]}[], Wire.Tests")));
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(TypeNamed(name)));
            }
        }

        Assert.Equal(2, new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<IThing>(),
        }).RoundTrip<IThing>(new Thing { Id = 2 }).Id);
    }

    [Theory]
    [InlineData("System.Windows.Data.ObjectDataProvider")]
    [InlineData("System.Data.Services.Internal.ExpandedWrapper`2")]
    [InlineData("System.Windows.Forms.AxHost+State")]
    [InlineData("System.Management.Automation.PSObject")]
    [InlineData("Microsoft.VisualStudio.Text.Formatting.TextFormattingRunProperties")]
    [InlineData("System.IdentityModel.Tokens.SessionSecurityToken")]
    [InlineData("NLog.Targets.FileTarget")]
    [InlineData("Xunit.Xunit1Executor")]
    [InlineData("System.Configuration.SettingsPropertyValue")]
    [InlineData("WinRT.BaseActivationFactory")]
    public void A_namesake_is_refused_by_its_full_name_and_no_other_is(string name)
    {
        string assembly = "Wire.Made." + name.GetHashCode(StringComparison.Ordinal).ToString("x8", null);
        AssemblyBuilder made = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName(assembly), AssemblyBuilderAccess.Run);
        ModuleBuilder module = made.DefineDynamicModule(assembly);
        string[] nest = name.Split('+');
        TypeBuilder outer = module.DefineType(nest[0], TypeAttributes.Public);
        if (nest[0].Contains('`', StringComparison.Ordinal))
        {
            outer.DefineGenericParameters("A", "B");
        }

        if (nest.Length == 2)
        {
            outer.DefineNestedType(nest[1], TypeAttributes.NestedPublic).CreateType();
        }

        outer.CreateType();
        Type honest = module.DefineType(nest[0].Split('`')[0] + "Like", TypeAttributes.Public).CreateType();
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Unrestricted,
            WireTypeFilter.Default.AllowAssembly(made),
            WireTypeFilter.Default.AllowWhere((_, a) => a == assembly),
        })
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter });
            var error = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<Type>(TypeNamed($"{name}, {assembly}")));
            Assert.Contains("attacker", error.Reason, StringComparison.Ordinal);
            Assert.Equal(honest, serializer.Deserialize<Type>(TypeNamed($"{honest.FullName}, {assembly}")));
        }
    }

    [Fact]
    public void A_program_that_names_a_gadget_itself_has_it_by_its_own_means()
    {
        var options = new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Stream, byte[]>(stream => ((MemoryStream)stream).ToArray(), bytes => new MemoryStream(bytes))],
        };
        Stream read = new Serializer(options).RoundTrip<Stream>(new MemoryStream([1, 2, 3]));
        Assert.Equal([1, 2, 3], ((MemoryStream)read).ToArray());

        // Without such means there is nothing to fill it with.
        byte[] payload = FilterTests.Named("System.Diagnostics.ProcessStartInfo");
        var allowing = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<System.Diagnostics.ProcessStartInfo>() };
        Assert.Throws<TypeRefusedException>(() => new Serializer(allowing).Deserialize<object>(payload));
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<System.Diagnostics.ProcessStartInfo>(payload));
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new System.Diagnostics.ProcessStartInfo()));
    }

    [Fact]
    public void Exceptions_are_none()
    {
        var serializer = new Serializer();
        foreach (Exception value in new Exception[]
        {
            new System.Security.SecurityException("a"),
            new Win32Exception(5),
            new System.Data.DataException("b"),
            new FileNotFoundException("c", "d"),
            new TaskCanceledException("e"),
        })
        {
            Assert.Equal(value.Message, ((Exception)serializer.Deserialize<object>(serializer.Serialize(value))!).Message);
        }
    }

    private static byte[] TypeNamed(string name)
    {
        var serializer = new Serializer();
        byte[] known = serializer.Serialize(typeof(int));
        byte[] named = serializer.Serialize(name);
        return [known[0], known[1], .. named[2..]];
    }

    private static string TypeNameWithoutArguments(string name) => name.Split('[', ',')[0];

    [AttributeUsage(AttributeTargets.Class)]
    private sealed class ThingAttribute : Attribute;

    private interface IThing
    {
        int Id { get; }
    }

    [Thing]
    private sealed class Thing : IThing
    {
        public int Id { get; set; }
    }

    [Thing]
    private class Starter : System.Diagnostics.Process, IThing;

    [Thing]
    private sealed class Starter<T> : System.Net.Sockets.Socket, IThing
    {
        public Starter()
            : base(System.Net.Sockets.SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp)
        {
        }

        public int Id { get; set; }

        public T? Value { get; set; }
    }

    [Thing]
    private sealed class OwnStream : MemoryStream, IThing
    {
        public int Id { get; set; }
    }

#pragma warning disable SYSLIB0050, SYSLIB0011
    [Thing]
    private sealed class OwnFormatter : System.Runtime.Serialization.IFormatter, IThing
    {
        public int Id { get; set; }

        public System.Runtime.Serialization.SerializationBinder? Binder { get; set; }

        public System.Runtime.Serialization.StreamingContext Context { get; set; }

        public System.Runtime.Serialization.ISurrogateSelector? SurrogateSelector { get; set; }

        public object Deserialize(Stream serializationStream) => serializationStream;

        public void Serialize(Stream serializationStream, object graph) => serializationStream.WriteByte(1);
    }
#pragma warning restore SYSLIB0050, SYSLIB0011

    private sealed class Home
    {
        [Thing]
        internal sealed class Nested : System.Data.DataSet, IThing
        {
            public int Id { get; set; }
        }
    }
}
