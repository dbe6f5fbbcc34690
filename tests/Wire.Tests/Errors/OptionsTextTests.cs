using System.Reflection;

namespace Wire.Tests.Errors;

/// <summary>Options in a log: one line, with what differs from the default.</summary>
public sealed class OptionsTextTests
{
    [Fact]
    public void The_default_says_so()
    {
        Assert.Equal("SerializerOptions { default }", new SerializerOptions().ToString());
        Assert.Equal("Limits { default }", Limits.Default.ToString());
        Assert.Equal("[]", WireTypeFilter.Default.ToString());
        Assert.Equal("[]", TypeAliases.None.ToString());
    }

    [Fact]
    public void Every_option_that_differs_is_shown_and_no_other()
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = true,
            VersionTolerance = false,
            Surrogates = [Surrogate.Create<Order, string>(_ => "", _ => new Order())],
            Context = "a password",
            Singletons = [new Line()],
            ValueSerializerFactories = [new NoFactory()],
            KnownTypes = [new(1, typeof(Order)), new(7, typeof(int[]))],
            TypeFilter = WireTypeFilter.Default.Allow<Order>().Deny<Line>().AllowNamespace("Shop").AllowDerivedFrom<Order>()
                .DenyAssembly(typeof(int).Assembly)
                .AllowWithAttribute<MarkAttribute>().DenyWhere((_, _) => true),
            TypeRefused = _ => { },
            SchemaDifference = _ => { },
            MissingMembers = MissingMembers.RequiredRefused,
            TypeAliases = TypeAliases.None.Alias<Order>("Order").Redirect("Shop.Old, Shop", typeof(Line)),
            Limits = new Limits { MaxDepth = 5, MaxBytes = 1_000_000 },
        };
        const string Here = "Wire.Tests.Errors.OptionsTextTests+";

        Assert.Equal(
            "SerializerOptions { PreserveObjectReferences = True, VersionTolerance = False, "
            + $"Surrogates = [{Here}Order as System.String], Context = System.String, Singletons = [{Here}Line], "
            + $"ValueSerializerFactories = [{Here}NoFactory], KnownTypes = [1: {Here}Order, 7: System.Int32[]], "
            + $"TypeFilter = [Allow({Here}Order), Deny({Here}Line), AllowNamespace(Shop), "
            + $"AllowDerivedFrom({Here}Order), DenyAssembly(System.Private.CoreLib), "
            + "AllowWithAttribute(" + Here + "MarkAttribute), DenyWhere(...)], TypeRefused = set, "
            + "SchemaDifference = set, MissingMembers = RequiredRefused, "
            + $"TypeAliases = [Order: {Here}Order, Shop.Old, Shop: {Here}Line], Limits = Limits {{ MaxDepth = 5, MaxBytes = 1000000 }} }}",
            options.ToString());
    }

    [Fact]
    public void No_option_is_forgotten()
    {
        foreach (PropertyInfo option in typeof(SerializerOptions).GetProperties().Where(option => option.PropertyType == typeof(bool)))
        {
            var options = new SerializerOptions();
            bool changed = !(bool)option.GetValue(options)!;
            option.SetValue(options, changed);
            Assert.Equal($"SerializerOptions {{ {option.Name} = {changed} }}", options.ToString());
        }
    }

    [Fact]
    public void Long_lists_are_shortened_and_what_cannot_be_listed_is_no_error()
    {
        var many = new SerializerOptions
        {
            KnownTypes = KnownTypes.Create(
                [.. Enumerable.Range(1, 20).Select(rank => new KeyValuePair<int, Type>(rank, typeof(int).MakeArrayType(rank)))]),
        };
        Assert.EndsWith("8: System.Int32[,,,,,,,], ... 12 more] }", many.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("\n", many.ToString(), StringComparison.Ordinal);
        Assert.Equal("SerializerOptions { Surrogates = unset }", new SerializerOptions { Surrogates = default }.ToString());
        Assert.Equal("SerializerOptions { TypeFilter = null }", new SerializerOptions { TypeFilter = null! }.ToString());
        Assert.Equal(
            "SerializerOptions { TypeFilter = Unrestricted }",
            new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted }.ToString());
        Assert.Equal("[AllowEverything, Deny(System.Random)]", WireTypeFilter.Unrestricted.Deny<Random>().ToString());
    }

    private sealed class NoFactory : ValueSerializerFactory
    {
        public override ValueSerializer? Create(Type type) => null;
    }

    [AttributeUsage(AttributeTargets.Class)]
    private sealed class MarkAttribute : Attribute;

    private sealed class Order;

    private sealed class Line;
}
