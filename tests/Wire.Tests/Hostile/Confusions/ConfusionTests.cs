using System.Reflection;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Hostile.Confusions;

namespace Wire.Tests.Hostile.Confusions;

/// <summary>
/// No variable ever holds what its type does not allow: into every variable of a graph come every object that a payload can
/// refer to and a value of every type, and what is read is right to the last field or a format error.
/// </summary>
public sealed class ConfusionTests
{
    private static readonly object[] Kinds =
    [
        new Leaf(), new Node(), new Cat(), new Dog(), new Puppy(), new Circle(), new Square(), new ShapeRecord(), new Own { Any = 1 },
        new Point(), Color.Blue, DayOfWeek.Friday,
        new Slot<Leaf>(), new Box<Leaf>(), new Box<int>(), new object[1], new string[1], new Cat[1], new Leaf[1], new int[1], new uint[1],
        new Color[1],
        new short[1], new int[1][], new uint[1][], new int[1, 1], new uint[1, 1], new Leaf[1, 1], new object[1, 1], new List<int>(),
        new List<uint>(), new List<Leaf?> { null }, new List<string>(),
        new Dictionary<string, int>(), new Dictionary<string, Leaf>(), new HashSet<int>(), new HashSet<string>(), (1, "a"), Tuple.Create(
            1), Tuple.Create<Leaf?, Action?>(null, null),
        new KeyValuePair<string, int>("a", 1), new Lazy<Leaf>(new Leaf()), new Memory<Leaf>(
            new Leaf[1]), new ArraySegment<Cat>(new Cat[1]), new Failure(), new InvalidOperationException(), new AggregateException(),
        new ByLength(), StringComparer.Ordinal, (Action)Nothing, (Func<int, string>)Text, typeof(int), new Uri(
            "http://a/"), new Version(1, 2), "text", 1, 2u, 'c', 1.5, new object(), 13,
    ];

    // Values that no writer writes: a nullable type by its own name, and the declared type with what may be its parts.
    private static readonly byte[][] Raw =
    [
        [0x02, 36, 33 << 1, .. "System.Nullable`1[[System.Int32]]"u8, 0x01, 0x40, 0x15, 0x00],
        [0x02, 36, 33 << 1, .. "System.Nullable`1[[System.Int32]]"u8, 0x01, 0x40, 0x15, 0x01, 1, 0, 0, 0],
        [0x04], [0x04, 0x00], [0x04, 0x01, 0x00], [0x04, 0x02, 0x00, 0x00], [0x04, 0x00, 0x01, 0x2F], [0x2A, 0x00], [0x2A, 0x01],
        [0x02, 0x03, 0x00, 0x01, 0x15],
    ];

    public static TheoryData<bool, bool> Readers => new() { { true, false }, { false, false }, { true, true }, { false, true } };

    [Theory]
    [MemberData(nameof(Readers))]
    public void Every_variable_refuses_what_it_cannot_hold(bool dynamicCode, bool foreign)
    {
        Serializer serializer = Serializer(dynamicCode);
        (byte[] start, byte[] payload, List<byte[]> values) = Payloads(serializer);
        Func<byte[], object?> read = foreign
            ? bytes => serializer.Deserialize<Confused<OtherSlots>>(bytes)
            : bytes => serializer.Deserialize<Confused<WrittenSlots>>(bytes);
        for (int i = 0; i < 10; i++)
        {
            // The layout of another program is compiled when it has come eight times.
            Graph.Check(read(payload));
        }

        int refused = 0;
        int accepted = 0;
        for (int at = start.Length; at < payload.Length; at++)
        {
            // References may stand for any byte; values take the place of a null.
            for (byte id = 0; id < 0x7F; id++)
            {
                if (payload[at] != 0 && !Sweep.Takes((at * 0x7F) + id, among: 800))
                {
                    continue;
                }

                Try([.. payload.AsSpan(0, at), 0x01, id, .. payload.AsSpan(at + 1)]);
            }

            foreach (byte[] value in payload[at] == 0 ? values.Sample(among: 36, at) : [])
            {
                Try([.. payload.AsSpan(0, at), .. value, .. payload.AsSpan(at + 1)]);
            }
        }

        int few = Sweep.IsWhole ? 500 : 12;
        Assert.True(refused > 10 * few && accepted > few, $"{refused} were refused, {accepted} were not");
        Graph.Check(read(payload));

        void Try(byte[] bytes)
        {
            object? result;
            try
            {
                result = read(bytes);
            }
            catch (WireFormatException)
            {
                refused++;
                return;
            }

            accepted++;
            Graph.Check(result);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_value_serializer_that_reads_nothing_is_a_format_error(bool dynamicCode)
    {
        Serializer serializer = Serializer(dynamicCode);
        byte[] payload = serializer.Serialize(new Box<Own> { Value = new Own { Any = 13 } });
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<Box<Own>>(payload)).Error);
    }

    [Fact]
    public void A_wrong_object_in_a_field_would_be_found()
    {
        var graph = new Box<Leaf>();
        System.Runtime.CompilerServices.Unsafe.As<Box<Cat>>(graph).Value = new Cat();
        Assert.ThrowsAny<Xunit.Sdk.XunitException>(() => Graph.Check(graph));
    }

    private static Serializer Serializer(bool dynamicCode) => Setup.Serializer(dynamicCode, o => o with
    {
        // Two classes of slots have one name: only a root says which it is.
        TypeFilter = WireTypeFilter.Default.AllowWhere(
            (name, assembly) => assembly == "Wire.Tests" && !name.EndsWith("Slots", StringComparison.Ordinal)),
        PreserveObjectReferences = true,
        AllowDelegates = true,
        Surrogates = [Shape.Surrogate],
        ValueSerializerFactories = [ValueSerializerFactory.For(new Own.Serializer())],
    });

    // The payload up to the variables, all of it, and the bytes of each of the objects before them, with their types.
    private static (byte[] Start, byte[] Payload, List<byte[]> Values) Payloads(Serializer serializer)
    {
        var values = new List<byte[]>(Raw);
        byte[] before = serializer.Serialize(new Confused<WrittenSlots> { Pool = [] });
        for (int i = 1; i <= Kinds.Length; i++)
        {
            byte[] next = serializer.Serialize(new Confused<WrittenSlots> { Pool = Kinds[..i] });
            values.Add(next[(before.Length - 1)..^1]);
            before = next;
        }

        return (before[..^1], serializer.Serialize(new Confused<WrittenSlots> { Pool = Kinds, Slots = new WrittenSlots() }), values);
    }

    private static void Nothing()
    {
    }

    private static string Text(int number) => $"{number}";

    /// <summary>Goes through every field of every object, those of .NET too.</summary>
    private static class Graph
    {
        private static readonly Dictionary<Type, FieldInfo[]> Fields = [];

        public static void Check(object? root)
        {
            var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
            var open = new Stack<object>();
            Add(root, typeof(object), "root");
            while (open.TryPop(out object? value))
            {
                if (value is Array array)
                {
                    foreach (object? item in array.GetType().GetElementType()!.IsPrimitive ? Array.Empty<object>() : array)
                    {
                        Add(item, array.GetType().GetElementType()!, "an element");
                    }

                    continue;
                }

                foreach (FieldInfo field in FieldsOf(value.GetType()))
                {
                    Add(field.GetValue(value), field.FieldType, field.Name);
                }
            }

            void Add(object? value, Type variable, string name)
            {
                if (value is null)
                {
                    return;
                }

                Type declared = Nullable.GetUnderlyingType(variable) ?? variable;
                Assert.True(declared.IsInstanceOfType(value), $"{name}, a {variable}, holds a {value.GetType()}");
                Assert.True(
                    value is not Array || !declared.IsArray || !declared.GetElementType()!.IsValueType || value.GetType() == declared,
                    $"{name}, a {variable}, holds a {value.GetType()}");
                if (value is not (string or MemberInfo or Module or Assembly or Delegate)
                    && !value.GetType().IsPrimitive
                    && (value.GetType().IsValueType || seen.Add(value)))
                {
                    open.Push(value);
                }
            }
        }

        private static FieldInfo[] FieldsOf(Type type)
        {
            lock (Fields)
            {
                if (!Fields.TryGetValue(type, out FieldInfo[]? fields))
                {
                    var all = new List<FieldInfo>();
                    for (Type? current = type; current is not null; current = current.BaseType)
                    {
                        all.AddRange(current.GetFields(
                            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
                            .Where(field => !field.FieldType.IsPointer && !field.FieldType.IsPrimitive && !field.FieldType.IsEnum));
                    }

                    Fields.Add(type, fields = [.. all]);
                }

                return fields;
            }
        }
    }
}
