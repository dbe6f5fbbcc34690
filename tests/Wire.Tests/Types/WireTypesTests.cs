using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>The rows for native code, as far as they can be judged where there is a JIT compiler.</summary>
public sealed class WireTypesTests
{
    private static readonly string[] OfKinds = ["GrowingSerializer`4", "BuiltSerializer`5", "WrapperSerializer`3"];

    private static readonly SerializerOptions Options = new()
    {
        ValueSerializerFactories = [ValueSerializerFactory.ForCollection(typeof(Bag))],
    };

    private static readonly Lazy<Type[]> InAnyCase = new(BuiltIns.SeenInAnyCase);

    private static readonly string[] OfProgram = ["Class", "Struct", "Enum", "InlineArray", "NamedCollection", "Surrogate", "Array"];

    private static Dictionary<string, WireTypes> Libraries => new()
    {
        [nameof(WireRow.Components)] = [WireRow.Components()],
        [nameof(WireRow.Data)] = [WireRow.Data()],
        [nameof(WireRow.Dynamic)] = [WireRow.Dynamic()],
        [nameof(WireRow.Json)] = [WireRow.Json()],
        [nameof(WireRow.Net)] = [WireRow.Net()],
        [nameof(WireRow.Regex)] = [WireRow.Regex()],
        [nameof(WireRow.Scalars)] = [WireRow.Scalars()],
        [nameof(WireRow.Untyped)] = [WireRow.Untyped()],
        [nameof(WireRow.Xml)] = [WireRow.Xml()],
    };

    // These stand for themselves, or are rows of structs and classes.
    private static readonly string[] WithoutRow =
        ["Nullable`1", "KeyValuePair`2", "EqualityComparer`1", "Comparer`1", "HashSetEqualityComparer`1"];

    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    public static TheoryData<Type, Type> Numbers()
    {
        Type[] numbers =
        [
            typeof(sbyte), typeof(byte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long), typeof(ulong),
            typeof(Int128), typeof(UInt128), typeof(nint), typeof(nuint), typeof(Half), typeof(float), typeof(double), typeof(decimal),
        ];
        var pairs = new TheoryData<Type, Type>();
        foreach (Type from in numbers)
        {
            foreach (Type to in numbers.Append(typeof(Small)))
            {
                pairs.Add(from, to);
            }
        }

        return pairs;
    }

    public static TheoryData<string> Rows() => [.. Methods().Select(method => $"{method.Name}`{method.GetGenericArguments().Length}")];

    [Fact]
    public void A_table_has_each_type_once_and_tables_are_joined()
    {
        WireTypes one = [WireRow.List<int>(), WireRow.Struct<Guid>(), WireRow.List<int>()];
        WireTypes both = WireTypes.Combine(one, [WireRow.HashSet<int>(), WireRow.Struct<Guid>()]);

        Assert.Equal([typeof(List<int>), typeof(Guid)], one.Select(row => row.Type));
        Assert.Equal(3, both.Count);
        Assert.True(both.Contains(typeof(HashSet<int>)));
        Assert.False(one.Contains(typeof(HashSet<int>)));
        Assert.Empty(WireTypes.None);
        Assert.Same(WireTypes.None, WireTypes.Combine());
    }

    // Five hundred rows would be made for nothing where there is a JIT compiler.
    [Fact]
    public void A_table_of_a_class_makes_its_rows_when_something_asks_for_them_and_once()
    {
        var table = new Lazily();
        WireTypes joined = WireTypes.Combine(table, WireTypes.None, [WireRow.HashSet<int>()]);
        var serializer = new Serializer(new SerializerOptions { Types = joined, DynamicCode = true });

        Assert.Equal(3, serializer.Clone(new Version2 { Number = 3 })!.Number);
        Assert.Equal(0, table.Made);

        Assert.Equal([typeof(List<int>), typeof(HashSet<int>)], joined.Select(row => row.Type));
        Assert.True(table.Contains(typeof(List<int>)));
        Assert.Single(table);
        Assert.Equal(1, table.Made);
        Assert.Same(WireTypes.None, WireTypes.Combine(WireTypes.None, WireTypes.None));
    }

    [Fact]
    public void A_table_has_no_row_that_is_null()
    {
        Assert.Throws<ArgumentNullException>(() => WireTypes.Create([null!]));
        Assert.Throws<ArgumentNullException>(() => WireTypes.Combine([null!]));
        Assert.Throws<ArgumentNullException>(() => new Serializer(new SerializerOptions { Types = null! }));
    }

    [Fact]
    public void Rows_change_no_byte_and_show_in_the_text_of_options()
    {
        var options = new SerializerOptions { Types = [WireRow.List<int>(), WireRow.Enum<DayOfWeek>()] };
        List<int> value = [1, 2];

        byte[] payload = new Serializer(options).Serialize(value);

        Assert.Equal(new Serializer().Serialize(value), payload);
        Assert.Equal(value, new Serializer(options).Deserialize<List<int>>(payload));
        Assert.Contains("System.DayOfWeek", options.ToString(), StringComparison.Ordinal);
    }

    // The advice of a native program is made of the name of the type.
    [Fact]
    public void Each_generic_type_of_the_table_of_families_has_a_row()
    {
        (string Name, int Count)[] rows = [.. Methods().Select(method => (method.Name, method.GetGenericArguments().Length))];
        IEnumerable<Type> generic = BuiltIns.Families.Where(type => type.IsGenericTypeDefinition
            && !typeof(ITuple).IsAssignableFrom(type) && !WithoutRow.Contains(type.Name));

        Assert.All(generic, type => Assert.Contains(
            (type.Name[(type.IsInterface ? 1 : 0)..type.Name.IndexOf('`', StringComparison.Ordinal)], type.GetGenericArguments().Length),
            rows));
    }

    // What reflection makes of the type is what the row has told: another one would be missing in native code.
    [Theory]
    [MemberData(nameof(Rows))]
    public void A_row_tells_what_is_made_of_its_type(string name)
    {
        MethodInfo method = Methods().Single(each => $"{each.Name}`{each.GetGenericArguments().Length}" == name);
        WireTypeRow? row = null;

        Type[] seen = BuiltIns.SeenByNativeCode(() => row = (WireTypeRow)method.MakeGenericMethod(Arguments(method)).Invoke(null, null)!);

        ValueSerializer made = BuiltIns.SerializerOf(row!.Type, Options);
        Assert.Equal(made.Type, row.Type);
        Assert.Contains(made.GetType(), seen);
        // Values are also where they may be null, and in arrays and lists.
        Assert.All(row.Type.IsValueType && method.Name != nameof(WireRow.Surrogate) ? Around(row.Type) : [], around => Assert.Contains(
            BuiltIns.SerializerOf(around, Options).GetType(), seen));
    }

    // What reads numbers of each type as those of each other, and as enums.
    [Theory]
    [MemberData(nameof(Numbers))]
    public void Numbers_of_all_types_are_read_as_each_other(Type from, Type to)
    {
        ValueSerializer target = BuiltIns.SerializerOf(to, SerializerOptions.Default);

        if (BuiltIns.ReaderOf(from, target) is { } reader && reader != target)
        {
            Assert.Contains(reader.GetType(), to.IsEnum ? BuiltIns.SeenByNativeCode(() => WireRow.Enum<Small, byte>()) : InAnyCase.Value);
        }
    }

    // These have no type arguments, and so no rows of their own.
    [Fact]
    public void Types_of_the_table_of_families_that_are_not_generic_are_in_the_rows_of_their_libraries()
    {
        Type[] seen = [.. InAnyCase.Value, .. BuiltIns.SeenByNativeCode(() => _ = Libraries)];
        IEnumerable<ValueSerializer> made = BuiltIns.Families
            .Where(type => !type.IsGenericTypeDefinition && !type.IsValueType && !type.IsInterface)
            .Select(type => BuiltIns.SerializerOf(type, SerializerOptions.Default));

        Assert.All(made.Where(each => OfKinds.Contains(each.GetType().Name)), each => Assert.Contains(each.GetType(), seen));
    }

    // The names are a table, since to look at the methods would keep all of them in a native program.
    [Fact]
    public void Each_row_of_a_generic_type_of_NET_is_in_the_table_of_names() => Assert.All(
        typeof(WireRow).GetMethods().Where(method => method.IsGenericMethod && !OfProgram.Contains(method.Name)),
        method => Assert.True(BuiltIns.HasRow($"{method.Name}`{method.GetGenericArguments().Length}"), method.Name));

    // A native program that has none of these rows is told which it needs, by the name of the type.
    [Fact]
    public void The_name_of_each_family_of_a_row_leads_to_the_row() => Assert.All(
        Libraries.Keys.SelectMany(row => BuiltIns.FamiliesOf(row).Select(name => (Row: row, Name: name))),
        family => Assert.Equal(family.Row, BuiltIns.RowOf(family.Name)));

    [Fact]
    public void Rows_of_what_is_no_such_type_are_refused()
    {
        Assert.Throws<ArgumentException>(WireRow.Array<Version2, int>);
        Assert.Throws<ArgumentException>(WireRow.Array<int[], int>);
        Assert.Throws<ArgumentException>(WireRow.Array<int[,], long>);
        Assert.Throws<ArgumentException>(WireRow.Enum<Small>);
        Assert.Throws<ArgumentException>(WireRow.Enum<Small, short>);
        Assert.Throws<ArgumentException>(WireRow.InlineArray<Celsius, int>);
        Assert.Throws<ArgumentException>(WireRow.InlineArray<Four, long>);
    }

    [Theory]
    [InlineData(typeof(int?), "WireRow.Struct<Int32>()")]
    [InlineData(typeof(Celsius), "WireRow.Struct<WireTypesTests.Celsius>()")]
    [InlineData(typeof(Celsius?[]), "WireRow.Array<WireTypesTests.Celsius?>()")]
    [InlineData(typeof(int[][,]), "WireRow.Array<Int32[,]>()")]
    [InlineData(typeof(int[,][]), "WireRow.Array<Int32[,][], Int32[]>()")]
    [InlineData(typeof(Small), "WireRow.Enum<WireTypesTests.Small, Byte>()")]
    [InlineData(typeof(DayOfWeek), "WireRow.Enum<DayOfWeek>()")]
    [InlineData(typeof(Dictionary<Small, List<int>>), "WireRow.Dictionary<WireTypesTests.Small, List<Int32>>()")]
    [InlineData(typeof(ILookup<int, string>), "WireRow.Lookup<Int32, String>()")]
    [InlineData(typeof(KeyValuePair<int, string>), "WireRow.Struct<KeyValuePair<Int32, String>>()")]
    [InlineData(typeof((int, string)), "WireRow.Struct<ValueTuple<Int32, String>>()")]
    [InlineData(typeof(Page<int>.Cursor), "WireRow.Struct<WireTypesTests.Page<Int32>.Cursor>()")]
    [InlineData(typeof(Page<int>.Part<string>), "WireRow.Class<WireTypesTests.Page<Int32>.Part<String>>()")]
    [InlineData(typeof(Dictionary<Small, Hidden>), "WireRow.Dictionary<WireTypesTests.Small, object>()")]
    [InlineData(typeof(EqualityComparer<int>), "WireRow.Class<EqualityComparer<Int32>>()")]
    [InlineData(typeof(Memory<int>?), "WireRow.Memory<Int32>()")]
    public void The_line_to_add_is_the_row_of_the_type(Type type, string line) =>
        Assert.Contains($" Add {line} to ", BuiltIns.Unseen(type).Message, StringComparison.Ordinal);

    [Fact]
    public void What_no_code_can_name_is_refused_without_a_line()
    {
        string message = BuiltIns.Unseen(new { A = 1 }.GetType()).Message;

        Assert.DoesNotContain("WireRow", message, StringComparison.Ordinal);
        Assert.Contains("use a type with a name of its own, or replace it by a surrogate", message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_error_at_a_member_is_that_of_its_type_with_the_member_in_front()
    {
        var inner = new NotSupportedException();
        UnsupportedTypeException error = BuiltIns.AtMember(BuiltIns.Unseen(typeof(Celsius), inner), "Order.Degrees");

        Assert.Same(inner, error.InnerException);
        Assert.True(BuiltIns.IsUnseen(error));
        Assert.Equal(typeof(Celsius), error.Type);
        Assert.Contains("it is the type of Order.Degrees; this native program", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_that_others_derive_from_is_stateless_in_the_table_if_it_is() => Assert.All(
        BuiltIns.Families.Where(type => type is { IsClass: true, IsSealed: false } && !BuiltIns.FamilyOf(type).CoversDerived),
        type => Assert.Equal(type.GetFields(Declared).Length == 0, BuiltIns.FamilyOf(type).IsStateless));

    [Fact]
    public void A_row_says_how_objects_of_a_class_are_made_where_nothing_is_emitted()
    {
        int made = 0;
        WireTypeRow row = WireRow.Class(() =>
        {
            made++;
            return new Version2();
        });
        Version2[] three = [new() { Number = 1 }, new() { Number = 2 }, new() { Number = 3 }];

        // Two are made to be looked at, once. A row that has no function, before or after, takes nothing away.
        var interpreting = new Serializer(Interpreting(WireRow.Class<Version2>(), row, WireRow.Class<Version2>()));
        byte[] payload = interpreting.Serialize(three);
        Assert.Equal(2, made);
        for (int i = 1; i <= 3; i++)
        {
            Assert.Equal([1, 2, 3], interpreting.Deserialize<Version2[]>(payload)!.Select(version => version.Number));
            Assert.Equal([1, 2, 3], interpreting.Clone(three).Select(version => version.Number));
            Assert.Equal(2 + (6 * i), made);
        }
    }

    // First values and those of other schemas are interpreted there too.
    [Fact]
    public void Where_code_is_emitted_no_function_of_a_row_is_called()
    {
        WireTypeRow row = WireRow.Class<Version2>(() => throw new InvalidOperationException());
        var emitting = new Serializer(new SerializerOptions { Types = [row], TypeAliases = TypeAliases.None.Alias<Version2>("version") });
        byte[] payload = emitting.Serialize(new Version2 { Number = 2 });
        byte[] older = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Version3>("version") })
            .Serialize(new Version3 { Other = 4 });
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(2, emitting.Deserialize<Version2>(payload)!.Number);
            Assert.Equal(2, emitting.Clone(new Version2 { Number = 2 }).Number);
            Assert.Equal(3, emitting.Deserialize<Version2>(older)!.Number);
        }
    }

    [Fact]
    public void Of_two_rows_with_a_function_the_first_counts()
    {
        WireTypeRow first = WireRow.Class(() => new Version2());
        WireTypeRow second = WireRow.Class<Version2>(() => throw new InvalidOperationException());
        WireTypes[] tables = [WireTypes.Combine([WireRow.Class<Version2>(), first], [second]), WireTypes.Combine([first], [second])];
        Assert.All(tables, table => Assert.Same(first, Assert.Single(table)));
        Assert.Same(second, Assert.Single(WireTypes.Combine([second], [WireRow.Class<Version2>(), first])));
    }

    [Fact]
    public void A_constructor_that_is_called_for_missing_members_goes_before_the_row()
    {
        byte[] payload = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Version1>("version") })
            .Serialize(new Version1());
        SerializerOptions options = Interpreting(WireRow.Class<Version3>(() => throw new InvalidOperationException())) with
        {
            TypeAliases = TypeAliases.None.Alias<Version3>("version"),
            UseConstructors = true,
        };

        Assert.Equal(3, new Serializer(options).Deserialize<Version3>(payload)!.Number);
    }

    [Theory]
    [MemberData(nameof(WrongCreations))]
    public void A_row_that_makes_other_objects_is_refused(WireTypeRow row, object value, string reason)
    {
        byte[] payload = new Serializer().Serialize(value);
        Action<Serializer>[] uses =
        [
            serializer => serializer.Serialize(value),
            serializer => serializer.Deserialize<object>(payload),
            serializer => serializer.Clone(value),
        ];

        Assert.All(uses, use =>
        {
            SerializerOptions options = Interpreting(row) with { TypeFilter = WireTypeFilter.Default.Allow(value.GetType()) };
            var serializer = new Serializer(options);
            UnsupportedTypeException error = Assert.Throws<UnsupportedTypeException>(() => use(serializer));
            Assert.Equal(value.GetType(), error.Type);
            Assert.Contains(reason, error.Message, StringComparison.Ordinal);
            Assert.Throws<UnsupportedTypeException>(() => use(serializer));
        });
    }

    public static TheoryData<WireTypeRow, object, string> WrongCreations()
    {
        var one = (Version3)RuntimeHelpers.GetUninitializedObject(typeof(Version3));
        var value = new Version3();
        return new()
        {
            { WireRow.Class(() => new Version3()), value, "fields that are set" },
            { WireRow.Class(() => one), value, "a new object of this class each time" },
            { WireRow.Class<Version3>(() => new Version4()), value, "a new object of this class each time" },
            { WireRow.Class<Version3>(() => null!), value, "a new object of this class each time" },
            { WireRow.Class(() => new Numbered()), new Numbered(), "fields that are set" },
            { WireRow.Class(() => new Derived()), new Derived { 1 }, "fields that are set" },
        };
    }

    [Fact]
    public void A_function_is_there_and_makes_objects()
    {
        Assert.Throws<ArgumentNullException>(() => WireRow.Class<Version3>(null!));
        Assert.Throws<ArgumentException>(() => WireRow.Class<Stream>(() => new MemoryStream()));
        Assert.Throws<ArgumentException>(() => WireRow.Class<IDisposable>(() => new MemoryStream()));
    }

    private static SerializerOptions Interpreting(params WireTypeRow[] rows) =>
        new() { DynamicCode = false, Types = WireTypes.Create(rows) };

    private static Type[] Around(Type type) =>
        [typeof(Nullable<>).MakeGenericType(type), type.MakeArrayType(), typeof(List<>).MakeGenericType(type)];

    private static IEnumerable<MethodInfo> Methods() =>
        typeof(WireRow).GetMethods(BindingFlags.Public | BindingFlags.Static)
            .Where(method => method.IsGenericMethod && method.GetParameters().Length == 0);

    private static Type[] Arguments(MethodInfo method) => method.Name switch
    {
        nameof(WireRow.Class) => [typeof(Version2)],
        nameof(WireRow.Struct) => [typeof(Celsius)],
        nameof(WireRow.Enum) => method.GetGenericArguments().Length == 1 ? [typeof(DayOfWeek)] : [typeof(Small), typeof(byte)],
        nameof(WireRow.InlineArray) => [typeof(Four), typeof(int)],
        nameof(WireRow.NamedCollection) => [typeof(Bag), typeof(Celsius)],
        nameof(WireRow.Surrogate) => [typeof(Fahrenheit), typeof(Celsius)],
        nameof(WireRow.Array) when method.GetGenericArguments().Length == 2 => [typeof(Celsius[,]), typeof(Celsius)],
        nameof(WireRow.WeakReference) => [typeof(string)],
        nameof(WireRow.Array) or nameof(WireRow.List) => [typeof(Celsius)],
        _ => [.. method.GetGenericArguments().Select(_ => typeof(int))],
    };

    private sealed class Lazily : WireTypes
    {
        public int Made { get; private set; }

        protected override IEnumerable<WireTypeRow> CreateRows()
        {
            Made++;
            return [WireRow.List<int>(), WireRow.List<int>()];
        }
    }

    public sealed class Page<T>
    {
        public struct Cursor
        {
            public int At { get; set; }
        }

        public sealed class Part<TPart>
        {
            public TPart? Value { get; set; }
        }
    }

    [InlineArray(4)]
    public struct Four
    {
        public int First;
    }

    public sealed class Bag : IEnumerable<Celsius>
    {
        private readonly List<Celsius> _items = [];

        public void Add(Celsius item) => _items.Add(item);

        public IEnumerator<Celsius> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public enum Small : byte
    {
        None,
    }

    public sealed class Version2
    {
        public int Number { get; set; }
    }

    public sealed class Version1;

    public class Version3
    {
        public int Number { get; set; } = 3;

        public int Other { get; set; }
    }

    // The first of them has nothing that is set.
    public sealed class Numbered
    {
        private static int _next;

        [IgnoreMember]
        public int Id = _next++;
    }

    public sealed class Derived : List<int>;

    public sealed class Version4 : Version3;

    public sealed record Fahrenheit(double Degrees);

    private sealed class Hidden;

    public struct Celsius : ISurrogate<Celsius, Fahrenheit>
    {
        public double Degrees { get; set; }

        public static Celsius From(Fahrenheit value) => new() { Degrees = (value.Degrees - 32) / 1.8 };

        public readonly Fahrenheit ToSource() => new((Degrees * 1.8) + 32);
    }
}
