using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>A payload may name the assembly where a type used to be.</summary>
public sealed class TypeForwardTests
{
    private static readonly Assembly Now = Load(MadeAssembly.Make(
        "Wire.Made.Now",
        module => module.Class("Made.Moved", ("Id", typeof(int))).CreateType()));

    private static readonly Assembly Old = Load(MadeAssembly.Make(
        "Wire.Made.Old",
        module => module.Class("Made.Stayed", ("Id", typeof(int))).CreateType(),
        [
            ("Made", "Moved", "Wire.Made.Now"),
            ("Made", "Gone", "Wire.Made.Nowhere"),
            ("Made", "Lost", "Wire.Made.Now"),
            ("Made", "Round", "Wire.Made.Old"),
            ("System", "Uri", "System.Private.Uri"),
        ]));

    private static readonly Type Moved = Now.GetType("Made.Moved")!;

    [Fact]
    public void A_forward_is_followed_when_the_target_is_allowed()
    {
        _ = Old;
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default.Allow(Moved),
            WireTypeFilter.Default.AllowAssembly(Now),
            WireTypeFilter.Default.AllowNamespace("Made"),
            WireTypeFilter.Unrestricted,
        })
        {
            Assert.Equal(Moved, Read("Made.Moved, Wire.Made.Old", filter));
            Assert.Equal(
                typeof(List<>).MakeGenericType(Moved),
                Read("System.Collections.Generic.List`1[[Made.Moved, Wire.Made.Old]], mscorlib", filter));
        }

        Assert.Equal(typeof(Uri), Read("System.Uri, Wire.Made.Old", WireTypeFilter.Default));
    }

    [Fact]
    public void The_old_assembly_allows_nothing_of_the_new_one()
    {
        TypeRefusedException e =
            Assert.Throws<TypeRefusedException>(() => Read("Made.Moved, Wire.Made.Old", WireTypeFilter.Default.AllowAssembly(Old)));
        Assert.Equal("Made.Moved, Wire.Made.Now", e.TypeName);
        Assert.Throws<TypeRefusedException>(() => Read("Made.Moved, Wire.Made.Old", WireTypeFilter.Default));
    }

    [Fact]
    public void Nothing_is_loaded_to_follow_one()
    {
        WireTypeFilter filter = WireTypeFilter.Default.AllowAssembly(Old).AllowNamespace("Made");
        var asked = new List<string?>();
        Assembly? Note(object? sender, ResolveEventArgs e)
        {
            lock (asked)
            {
                asked.Add(e.Name);
            }

            return null;
        }

        AppDomain.CurrentDomain.AssemblyResolve += Note;
        try
        {
            Assert.ThrowsAny<WireFormatException>(() => Read("Made.Gone, Wire.Made.Old", filter));
            Assert.ThrowsAny<WireFormatException>(() => Read("Made.Gone, Wire.Made.Old", WireTypeFilter.Unrestricted));
        }
        finally
        {
            AppDomain.CurrentDomain.AssemblyResolve -= Note;
        }

        Assert.DoesNotContain(asked, name => name?.Contains("Nowhere", StringComparison.Ordinal) == true);
    }

    [Theory]
    [InlineData("Made.Lost, Wire.Made.Old")]
    [InlineData("Made.Round, Wire.Made.Old")]
    [InlineData("Made.Never, Wire.Made.Old")]
    [InlineData("Made.Moved+Never, Wire.Made.Old")]
    public void A_forward_that_leads_nowhere_is_a_type_that_is_not_there(string name)
    {
        WireFormatException e =
            Assert.ThrowsAny<WireFormatException>(() => Read(name, WireTypeFilter.Default.AllowAssembly(Old).AllowAssembly(Now)));
        Assert.Equal(WireFormatError.TypeNotFound, e.Error);
    }

    [Fact]
    public void An_object_written_before_the_move_is_read()
    {
        // The same class, in an assembly of the old name, as the writer had it.
        Assembly before = new AssemblyLoadContext("before").Load(
            MadeAssembly.Make("Wire.Made.Old", module => module.Class("Made.Moved", ("Id", typeof(int))).CreateType()));
        object value = Activator.CreateInstance(before.GetType("Made.Moved")!)!;
        value.GetType().GetField("Id")!.SetValue(value, 7);

        object read = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow(Moved).AllowAssembly(Old) })
            .Deserialize<object>(new Serializer().Serialize(value))!;
        Assert.Equal(Moved, read.GetType());
        Assert.Equal(7, Moved.GetField("Id")!.GetValue(read));
    }

    [Fact]
    public void A_type_says_itself_where_it_was()
    {
        Type type = Load(MadeAssembly.Make("Wire.Made.Home", module =>
        {
            TypeBuilder made = module.Class("Made.Guest", ("Id", typeof(int)));
            made.SetCustomAttribute(new CustomAttributeBuilder(
                typeof(TypeForwardedFromAttribute).GetConstructor([typeof(string)])!,
                ["Wire.Made.Away, Version=1.2.3.4, Culture=neutral, PublicKeyToken=null"]));
            made.CreateType();
        })).GetType("Made.Guest")!;
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default.Allow(type), WireTypeFilter.Default.AllowAssembly(type.Assembly), WireTypeFilter.Unrestricted,
        })
        {
            Assert.Equal(type, Read("Made.Guest, Wire.Made.Away", filter));
            Assert.ThrowsAny<WireFormatException>(() => Read("Made.Guest, Wire.Made.Elsewhere", filter));
        }

        // It says nothing of what payloads may have.
        Assert.Throws<TypeRefusedException>(() => Read("Made.Guest, Wire.Made.Away", WireTypeFilter.Default));
        Assert.Throws<TypeRefusedException>(
            () => Read("Made.Guest, Wire.Made.Away", WireTypeFilter.Unrestricted.Deny(type)));
    }

    private static Type? Read(string name, WireTypeFilter filter) =>
        new Serializer(new SerializerOptions { TypeFilter = filter }).Deserialize<Type>(TypeNamesTests.TypePayload(name));

    private static Assembly Load(byte[] file) => AssemblyLoadContext.Default.Load(file);
}
