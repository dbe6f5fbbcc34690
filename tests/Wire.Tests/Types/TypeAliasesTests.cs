using Wire.Comparing;
using Wire.Tests.Behaviour.Filtering;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>Names that the program gives to types, and names that types once had.</summary>
public sealed class TypeAliasesTests
{
    private const string Home = "Wire.Tests.Types.TypeAliasesTests+";

    public static TheoryData<bool> DynamicCode() => [true, false];

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void An_alias_is_written_and_read(bool dynamicCode)
    {
        TypeAliases aliases = TypeAliases.None.Alias<Order>("Shop.Order").Alias(typeof(Pair<>), "Shop.Pair").Alias<Pair<long>>(
            "Shop.LongPair").Alias<Kind>("Shop.Kind");
        Serializer serializer = With(aliases, dynamicCode: dynamicCode);
        object[] values =
        [
            new Order
            {
                Id = 7,
                Kind = Kind.Large,
                Line = new Line { Text = "a" },
            }, new Pair<Order> { First = new Order() }, new Pair<long> { First = 1 },
            Kind.Large, new List<Order> { new() }, new Kind[2, 1], typeof(Pair<Kind[]>), typeof(Pair<>),
        ];

        byte[] bytes = serializer.Serialize<object>(values);
        GraphAssert.Same(values, serializer.Deserialize<object>(bytes));
        GraphAssert.Same(values, serializer.Clone<object>(values));
        string text = System.Text.Encoding.Latin1.GetString(bytes);
        Assert.DoesNotContain("Wire.Tests", text, StringComparison.Ordinal);
        Assert.Contains("Shop.Pair`1[[Shop.Order]]", text, StringComparison.Ordinal);
        Assert.Contains("Shop.LongPair", text, StringComparison.Ordinal);
        Assert.Contains("Shop.Pair`1[[Shop.Kind[]]]", text, StringComparison.Ordinal);
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(bytes));
    }

    [Fact]
    public void An_alias_takes_the_place_of_a_given_name()
    {
        Serializer serializer = With(TypeAliases.None.Alias<Named>("Shop.Alias"));
        Assert.Equal(TypeNamesTests.TypePayload("Shop.Alias"), serializer.Serialize(typeof(Named)));
        Assert.Equal(typeof(Named), serializer.Deserialize<Type>(TypeNamesTests.TypePayload("Shop.Alias")));
        Assert.Equal(TypeNamesTests.TypePayload("Shop.Given"), new Serializer().Serialize(typeof(Named)));
    }

    [Fact]
    public void An_alias_names_the_type_and_its_members_and_nothing_else()
    {
        byte[] line = new Serializer().Serialize<object>(new Line());
        byte[] other = new Serializer().Serialize<object>(new Other());
        Serializer serializer = With(TypeAliases.None.Alias<Order>("Shop.Order"));
        Assert.IsType<Line>(serializer.Deserialize<object>(line));
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(other));

        // Its own name is no longer one of payloads: that is what a redirect is for.
        byte[] own = new Serializer().Serialize<object>(new Order { Id = 7 });
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(own));
        Serializer both = With(TypeAliases.None.Alias<Order>("Shop.Order").Redirect(Home + "Order", typeof(Order)));
        Assert.Equal(7, Assert.IsType<Order>(both.Deserialize<object>(own)).Id);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_redirect_reads_what_was_written_before_a_rename(bool dynamicCode)
    {
        byte[] old = new Serializer().Serialize<object>(new object[]
        {
            new OldOrder { Id = 7, Gone = "x" },
            new OldPair<OldOrder> { First = new OldOrder { Id = 8 } },
            OldKind.Large,
            new OldOrder[] { new() { Id = 9 } },
        });
        TypeAliases aliases = TypeAliases.None
            .Redirect(Home + "OldOrder, Wire.Tests, Version=9.9.9.9", typeof(Order))
            .Redirect(Home + "OldPair`1", typeof(Pair<>))
            .Redirect(Home + "OldKind", typeof(Kind));

        object[] read = (object[])With(aliases, dynamicCode: dynamicCode).Deserialize<object>(old)!;
        GraphAssert.Same(new object[]
        {
            new Order { Id = 7 },
            new Pair<Order> { First = new Order { Id = 8 } },
            Kind.Large,
            new Order[] { new() { Id = 9 } },
        }, read);
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(old));
    }

    [Theory]
    [InlineData("Version=1.2.3.4-beta")]
    [InlineData("Version=1.2.3.4-beta+sha.5114f85, Culture=neutral, PublicKeyToken=null")]
    [InlineData("Version=next")]
    [InlineData("Version=")]
    [InlineData("Culture=of-the-moon, PublicKeyToken=none")]
    [InlineData("Version=1.2.3.4, Culture=neutral, PublicKeyToken=b77a5c561934e089, ProcessorArchitecture=MSIL, Custom=null")]
    public void What_a_redirect_says_behind_the_assembly_is_ignored(string details)
    {
        TypeAliases aliases = TypeAliases.None.Redirect("A.B, Special, " + details, typeof(Line));
        Assert.Equal(typeof(Line), Read(aliases, "A.B, Special"));
        Assert.Throws<TypeRefusedException>(() => Read(aliases, "A.B, Other"));
        Assert.Throws<ArgumentException>(() => aliases.Redirect("A.B, Special", typeof(Order)));
    }

    [Fact]
    public void A_redirect_with_an_assembly_comes_first()
    {
        TypeAliases aliases = TypeAliases.None.Redirect("A.B", typeof(Order)).Redirect("A.B, Special", typeof(Line));
        Assert.Equal(typeof(Line), Read(aliases, "A.B, Special"));
        Assert.Equal(typeof(Order), Read(aliases, "A.B, Anything"));
        Assert.Equal(typeof(Order), Read(aliases, "A.B"));
        Assert.Equal(typeof(Pair<Order[]>), Read(aliases.Redirect("A.P`1", typeof(Pair<>)), "A.P`1[[A.B[], Any]], Other"));
        Assert.Throws<TypeRefusedException>(() => Read(aliases, "A.b"));
    }

    [Fact]
    public void A_redirect_from_the_framework_holds_for_every_home_of_it()
    {
        TypeAliases aliases = TypeAliases.None.Redirect("System.Drawing.Font, System.Drawing, Version=4.0.0.0", typeof(Line));
        Assert.Equal(typeof(Line), Read(aliases, "System.Drawing.Font"));
        Assert.Equal(typeof(Line), Read(aliases, "System.Drawing.Font, System.Drawing.Common"));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Typed_payloads_of_one_alias_are_of_one_type(bool dynamicCode)
    {
        // Two types with the same members under the same name: what moved to another assembly looks like this.
        byte[] typed = With(TypeAliases.None.Alias<OldPair<int>>("Shop.Pair"), dynamicCode: dynamicCode).SerializeTyped(
            new OldPair<int> { First = 3 });
        Assert.Equal(
            3, With(TypeAliases.None.Alias<Pair<int>>("Shop.Pair"), dynamicCode: dynamicCode).DeserializeTyped<Pair<int>>(typed)!.First);
        Assert.Throws<WireFormatException>(() => With(TypeAliases.None, dynamicCode: dynamicCode).DeserializeTyped<Pair<int>>(typed));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData(" A")]
    [InlineData("A ")]
    [InlineData("A, B")]
    [InlineData("A+B")]
    [InlineData("A[]")]
    [InlineData("A*")]
    [InlineData("A&")]
    [InlineData("A\\B")]
    [InlineData("System.Int32")]
    [InlineData("System.DayOfWeek")]
    [InlineData("System.Exception")]
    public void Names_that_cannot_be_aliases(string name) =>
        Assert.Equal("name", Assert.Throws<ArgumentException>(() => TypeAliases.None.Alias<Order>(name)).ParamName);

    [Fact]
    public void Types_that_cannot_have_one()
    {
        foreach (Type type in new[]
        {
            typeof(int),
            typeof(string),
            typeof(Order[]),
            typeof(int*),
            typeof(int).MakeByRefType(),
            typeof(Pair<>).GetGenericArguments()[0],
            typeof(object),
        })
        {
            Assert.Throws<ArgumentException>(() => TypeAliases.None.Alias(type, "A"));
            Assert.Throws<ArgumentException>(() => TypeAliases.None.Redirect("A", type));
        }

        Assert.Throws<ArgumentNullException>(() => TypeAliases.None.Alias(null!, "A"));
        Assert.Throws<ArgumentNullException>(() => TypeAliases.None.Alias<Order>(null!));
        Assert.Throws<ArgumentNullException>(() => TypeAliases.None.Redirect(null!, typeof(Order)));
        Assert.Throws<ArgumentNullException>(() => new Serializer(new SerializerOptions { TypeAliases = null! }));
    }

    [Fact]
    public void Conflicts_say_what_is_in_conflict()
    {
        TypeAliases aliases = TypeAliases.None.Alias<Order>("A").Redirect("B, Old", typeof(Line));
        string message = Assert.Throws<ArgumentException>(() => aliases.Alias<Line>("A")).Message;
        Assert.Contains(nameof(Order), message, StringComparison.Ordinal);
        Assert.Contains(nameof(Line), message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => aliases.Alias<Order>("C"));
        Assert.Throws<ArgumentException>(() => aliases.Redirect("A", typeof(Line)));
        Assert.Throws<ArgumentException>(() => aliases.Redirect("B, Old, Version=1.0.0.0", typeof(Order)));
        Assert.NotNull(aliases.Redirect("B", typeof(Order)).Alias<Line>("C"));

        // A generic definition and a class may share a word: the arity is part of the name.
        Assert.NotNull(aliases.Alias(typeof(Pair<>), "A"));
    }

    [Theory]
    [InlineData("")]
    [InlineData("A,")]
    [InlineData("A[]")]
    [InlineData("A*")]
    [InlineData("A`1[[System.Int32]]")]
    [InlineData("System.Int32")]
    [InlineData("System.Int32, mscorlib")]
    [InlineData("A`1")]
    [InlineData("A`1+B")]
    [InlineData("A.B, Special, next")]
    [InlineData("A.B, Special, Version=1.0.0.0, ")]
    [InlineData("A.B, , Version=1.0.0.0")]
    [InlineData("A`1[[B, C, Version=1.0.0.0]], D")]
    public void Names_that_cannot_be_redirected(string name) =>
        Assert.Throws<ArgumentException>(() => TypeAliases.None.Redirect(name, typeof(Order)));

    [Fact]
    public void A_type_whose_own_name_stands_for_another_is_not_written()
    {
        // Once: it was written by its own name, and read as the other one.
        foreach (string name in new[] { Home + "OldOrder", Home + "OldOrder, Wire.Tests" })
        {
            Serializer serializer = With(TypeAliases.None.Redirect(name, typeof(Order)));
            foreach (object value in new object[] { new OldOrder(), new List<OldOrder>(), typeof(OldOrder), new OldOrder[1] })
            {
                string message = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(value)).Message;
                Assert.Contains("OldOrder", message, StringComparison.Ordinal);
                Assert.Contains(typeof(Order).ToString(), message, StringComparison.Ordinal);
            }

            Assert.Equal(7, Assert.IsType<Order>(serializer.Clone<object>(new Order { Id = 7 })).Id);
        }

        Assert.Throws<UnsupportedTypeException>(() => With(TypeAliases.None.Alias<Order>("Shop.Given")).Serialize<object>(new Named()));
        Assert.Throws<UnsupportedTypeException>(
            () => With(TypeAliases.None.Redirect(Home + "OldPair`1", typeof(Pair<>))).Serialize<object>(new OldPair<int>()));
        Assert.NotNull(
            With(TypeAliases.None.Alias<OldOrder>("Shop.Old").Redirect(Home + "OldOrder", typeof(Order))).Clone<object>(new OldOrder()));
    }

    [Fact]
    public void The_number_of_arguments_has_to_fit()
    {
        Assert.Throws<ArgumentException>(() => TypeAliases.None.Redirect("A", typeof(Pair<>)));
        Assert.Throws<ArgumentException>(() => TypeAliases.None.Redirect("A`2", typeof(Pair<>)));
        Assert.Throws<ArgumentException>(() => TypeAliases.None.Redirect("A`1+B`1", typeof(Pair<>)));
        Assert.Equal(typeof(Dictionary<int, Order>), Read(
            TypeAliases.None.Redirect("A`1+B`1", typeof(Dictionary<,>)).Redirect("O", typeof(Order)), "A`1+B`1[[System.Int32],[O]], X"));
    }

    [Fact]
    public void Gadgets_do_not_become_more_than_the_program_said()
    {
        // Redirected on purpose, a type is still none that Wire can write or read.
        byte[] payload = FilterTests.Named("A.Process");
        Serializer serializer = With(TypeAliases.None.Redirect("A.Process", typeof(System.Diagnostics.Process)));
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
    }

    private static Serializer With(TypeAliases aliases, bool dynamicCode = true) =>
        new(new SerializerOptions { TypeAliases = aliases, DynamicCode = dynamicCode });

    private static Type? Read(TypeAliases aliases, string name) => With(aliases).Deserialize<Type>(TypeNamesTests.TypePayload(name));

    public enum OldKind { Small, Large }

    public enum Kind { Small, Large }

    [WireName("Shop.Given")]
    public sealed class Named;

    public sealed class Other;

    public sealed class Line
    {
        public string? Text;
    }

    public sealed class OldOrder
    {
        public int Id;
        public string? Gone;
    }

    public sealed class Order
    {
        public int Id;
        public Kind Kind;
        public Line? Line;
    }

    public sealed class OldPair<T>
    {
        public T? First;
    }

    public sealed class Pair<T>
    {
        public T? First;
    }
}
