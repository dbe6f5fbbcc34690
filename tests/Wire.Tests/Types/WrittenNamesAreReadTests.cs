using System.Reflection;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Types;

/// <summary>One rule for names on both sides: what is written is read with the same options, and all else is refused on write.</summary>
public sealed class WrittenNamesAreReadTests
{
    private static readonly SerializerOptions Options = new()
    {
        TypeFilter = WireTypeFilter.Unrestricted,
        Limits = Limits.Default with { MaxConstructedTypes = 1_000_000 },
    };

    private static readonly Type[] Leaves =
    [
        typeof(int), typeof(string), typeof(object), typeof(Guid), typeof(DayOfWeek), typeof(Leaf), typeof(Uri),
        typeof(void), typeof(Made<>.Inner<>),
    ];

    private static readonly Type[] Definitions =
    [
        typeof(List<>), typeof(Dictionary<,>), typeof(Box<>), typeof(Nullable<>), typeof(ValueTuple<,,,,,,>), typeof(Tuple<,>),
        typeof(HashSet<>), typeof(Made<>.Inner<>), typeof(Span<>),
    ];

    [Fact]
    public void Five_dictionaries_in_each_other_come_back()
    {
        Type type = typeof(int);
        for (int i = 0; i < 5; i++)
        {
            type = typeof(Dictionary<,>).MakeGenericType(type, type);
            AsValue(type, mayBeRefused: false);
            AsManifest(type, mayBeRefused: false);
        }

        type = typeof(string);
        for (int i = 0; i < 12; i++)
        {
            type = typeof(Dictionary<,>).MakeGenericType(typeof(Leaf), type);
            AsValue(type, mayBeRefused: false);
            AsManifest(type, mayBeRefused: false);
        }

        type = typeof(Leaf);
        for (int i = 0; i < 40; i++)
        {
            type = typeof(List<>).MakeGenericType(type);
            AsValue(type, mayBeRefused: false);
        }
    }

    [Fact]
    public void Up_to_the_limit_names_are_read_and_beyond_it_they_are_not_written()
    {
        foreach (Func<Type, Type> around in new Func<Type, Type>[]
        {
            type => typeof(List<>).MakeGenericType(type), type => type.MakeArrayType(), type => type.MakeArrayType(3),
            type => typeof(Made<>.Inner<>).MakeGenericType(type, typeof(int)),
            type => typeof(List<>).MakeGenericType(type.MakeArrayType()),
            type => typeof(ALongNameOfATypeSoThatNamesWithItReachTheLimitOfCharactersBeforeTheyReachThatOfParts<>).MakeGenericType(type),
        })
        {
            Type type = typeof(int);
            bool refused = false;
            for (int i = 0; i < 300; i++)
            {
                bool written = AsValue(type, mayBeRefused: true);
                // What has become too long stays so.
                Assert.False(refused && written);
                refused = !written;
                if (i % 16 == 0)
                {
                    AsManifest(type, mayBeRefused: true);
                }

                type = around(type);
            }

            Assert.True(refused);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Whatever_is_constructed_comes_back_or_is_refused(int seed)
    {
        var random = new Random(seed);
        int written = 0, refused = 0;
        for (int i = 0; i < 400; i++)
        {
            Type type = MakeUp(random, random.Next(2, 9));
            _ = AsValue(type, mayBeRefused: true) ? written++ : refused++;
            AsManifest(type, mayBeRefused: true);
        }

        Assert.InRange(written, 50, 400);
        Assert.InRange(refused, 1, 350);
    }

    [Fact]
    public unsafe void Pointers_references_and_parameters_are_refused_on_write()
    {
        Type[] types =
        [
            typeof(int*), typeof(int**), typeof(int*[]), typeof(int*[][]), typeof(int*[,]), typeof(int).MakeByRefType(),
            typeof(int[]).MakeByRefType(), typeof(Leaf).MakePointerType(),
            typeof(delegate*<int, void>), typeof(delegate* unmanaged<int>), typeof(delegate*<int>[]), typeof(List<int*[]>),
            typeof(Dictionary<string, int*[][]>),
            typeof(List<>).GetGenericArguments()[0], typeof(List<>).MakeArrayType(),
            typeof(Enumerable).GetMethod(nameof(Enumerable.Empty))!.GetGenericArguments()[0],
            typeof(List<>).GetInterfaces()[0], typeof(Dictionary<,>).MakeGenericType(typeof(int), typeof(List<>).GetGenericArguments()[0]),
        ];
        foreach (Type type in types)
        {
            Assert.False(AsValue(type, mayBeRefused: true), $"{type} has been written.");
            Assert.Throws<UnsupportedTypeException>(() => new Serializer(Options).Clone(type));
            Assert.Throws<UnsupportedTypeException>(() => new Serializer(Options).Serialize<object>(new object[] { type }));
        }

        foreach (Array array in new Array[] { new int*[1], new int*[1][], new delegate*<int>[1] })
        {
            Assert.Throws<UnsupportedTypeException>(() => new Serializer(Options).Serialize<object>(array));
            Assert.Throws<UnsupportedTypeException>(() => new Serializer(Options).Serialize<object>(new object[] { array }));
        }
    }

    [Fact]
    public void Open_types_and_arrays_of_every_kind_come_back()
    {
        foreach (Type type in new[]
        {
            typeof(List<>), typeof(Dictionary<,>), typeof(Made<>), typeof(Made<>.Inner<>), typeof(int).MakeArrayType(1),
            typeof(int).MakeArrayType(1).MakeArrayType(), typeof(int[]).MakeArrayType(1),
            typeof(int).MakeArrayType(32), typeof(List<>).MakeGenericType(typeof(int).MakeArrayType(1)), typeof(Span<int>), typeof(void),
            typeof(TypedReference), typeof(Made<int>.Inner<string>[,][]),
        })
        {
            AsValue(type, mayBeRefused: false);
        }

        AsInstance(Array.CreateInstance(typeof(int), [2], [5]), mayBeRefused: false);
        AsInstance(Array.CreateInstance(typeof(int).MakeArrayType(1), 2), mayBeRefused: false);
    }

    [Fact]
    public void A_schema_that_is_too_deep_is_of_a_type_that_cannot_be_written()
    {
        Type type = typeof(int);
        for (int i = 0; i < 20; i++)
        {
            type = typeof(List<>).MakeGenericType(type);
        }

        object value = Activator.CreateInstance(type)!;
        foreach (object root in new[] { value, new object[] { value } })
        {
            var error = Assert.Throws<UnsupportedTypeException>(() => new Serializer(Options).Serialize(root));
            Assert.Equal(type, error.Type);
            Assert.Contains("levels", error.Message, StringComparison.Ordinal);
        }
    }

    private static bool AsValue(Type type, bool mayBeRefused)
    {
        var serializer = new Serializer(Options);
        byte[] bytes;
        try
        {
            bytes = serializer.Serialize(type);
        }
        catch (UnsupportedTypeException) when (mayBeRefused)
        {
            Assert.Throws<UnsupportedTypeException>(() => serializer.Clone(type));
            return false;
        }

        Assert.Equal(type, serializer.Deserialize<Type>(bytes));
        Assert.Equal(type, new Serializer(Options).Deserialize<Type>(bytes));
        Assert.Equal(type, serializer.Clone(type));
        return true;
    }

    private static void AsManifest(Type type, bool mayBeRefused)
    {
        if (type.IsPointer || type.IsByRef || type.IsByRefLike || type == typeof(void) || type.ContainsGenericParameters)
        {
            return;
        }

        AsInstance(Array.CreateInstance(type, 0), mayBeRefused);
        if (type.IsGenericType && !type.IsAbstract && type.GetConstructor([]) is { } make)
        {
            AsInstance(make.Invoke([]), mayBeRefused);
        }
    }

    private static void AsInstance(object value, bool mayBeRefused)
    {
        var serializer = new Serializer(Options);
        byte[] bytes;
        try
        {
            bytes = serializer.Serialize(value);
        }
        catch (UnsupportedTypeException) when (mayBeRefused)
        {
            return;
        }

        Assert.Equal(value.GetType(), new Serializer(Options).Deserialize<object>(bytes)!.GetType());
        Assert.Equal(value.GetType(), serializer.Clone(value).GetType());
    }

    private static Type MakeUp(Random random, int depth)
    {
        if (depth == 0 || random.Next(8) == 0)
        {
            return Leaves[random.Next(Leaves.Length)];
        }

        Type definition = Definitions[random.Next(Definitions.Length)];
        try
        {
            return random.Next(12) switch
            {
                0 => MakeUp(random, depth - 1).MakeArrayType(),
                1 => MakeUp(random, depth - 1).MakeArrayType(random.Next(1, 5)),
                2 => random.Next(4) == 0 ? MakeUp(random, depth - 1).MakePointerType() : typeof(int),
                3 => random.Next(4) == 0 ? MakeUp(random, depth - 1).MakeByRefType() : typeof(string),
                _ => definition.MakeGenericType([.. definition.GetGenericArguments().Select(_ => MakeUp(random, depth - 1))]),
            };
        }
        catch (Exception e) when (e is ArgumentException or TypeLoadException or NotSupportedException)
        {
            // No such type.
            return typeof(List<>).MakeGenericType(typeof(Leaf));
        }
    }

    public sealed class Made<T>
    {
        public T? First { get; set; }

        public sealed class Inner<TInner>
        {
            public T? First { get; set; }

            public TInner? Second { get; set; }
        }
    }

    public sealed class ALongNameOfATypeSoThatNamesWithItReachTheLimitOfCharactersBeforeTheyReachThatOfParts<T>
    {
        public T? Value { get; set; }
    }
}
