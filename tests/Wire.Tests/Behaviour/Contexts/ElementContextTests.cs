using System.Buffers;
using System.Collections;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Contexts;

/// <summary>
/// Runs of elements, nested objects and roots whose types can be unloaded: read often enough for flat code, they keep nothing, and two
/// contexts of equal names never mix.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class ElementContextTests
{
    private const int Elements = 40;

    private static readonly byte[] File = MadeAssembly.Make("Wire.Made.Elements", module =>
    {
        Type leaf = module.DefineType("Elements.Leaf", TypeAttributes.Public | TypeAttributes.Sealed).With(
            ("Id", typeof(int)), ("Name", typeof(string))).CreateType();
        module.DefineType("Elements.Root", TypeAttributes.Public | TypeAttributes.Sealed).With(
            ("Leaf", leaf),
            ("Array", leaf.MakeArrayType()),
            ("List", typeof(List<>).MakeGenericType(leaf)),
            ("Named", typeof(Dictionary<,>).MakeGenericType(typeof(string), leaf)),
            ("Queue", typeof(Queue<>).MakeGenericType(leaf)),
            ("Any", typeof(object))).CreateType();
    });

    public static TheoryData<bool, bool> Options => new() { { true, false }, { true, true }, { false, false }, { false, true } };

    [Theory]
    [MemberData(nameof(Options))]
    public void Elements_and_nested_objects_keep_nothing_of_their_context(bool tolerance, bool references)
    {
        Serializer serializer = Create(tolerance, references);
        for (int i = 0; i < 2; i++)
        {
            AssertCollected(Use(serializer));
        }

        // It is as usable as before.
        Assert.Equal(3, serializer.RoundTrip(new Leaf { Id = 3 }).Id);
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void Two_contexts_of_equal_names_never_mix_their_elements(bool tolerance, bool references)
    {
        Serializer serializer = Create(tolerance, references);
        (WeakReference first, WeakReference second) = UseTwo(serializer);
        AssertCollected(first);
        AssertCollected(second);
        GC.KeepAlive(serializer);
    }

    private static Serializer Create(bool tolerance, bool references) => new(new SerializerOptions
    {
        VersionTolerance = tolerance,
        PreserveObjectReferences = references,
        TypeFilter = WireTypeFilter.Unrestricted,
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use(Serializer serializer)
    {
        var context = new AssemblyLoadContext("elements", isCollectible: true);
        Assembly assembly = context.Load(File);
        using (context.EnterContextualReflection())
        {
            for (int i = 0; i < 5; i++)
            {
                CheckAll(serializer, assembly, i);
            }
        }

        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (WeakReference First, WeakReference Second) UseTwo(Serializer serializer)
    {
        AssemblyLoadContext[] contexts = [new("first", isCollectible: true), new("second", isCollectible: true)];
        Assembly[] assemblies = [.. contexts.Select(context => context.Load(File))];
        for (int i = 0; i < 8; i++)
        {
            int one = i % 3 == 0 ? 1 : 0;
            CheckAll(serializer, assemblies[one], i);
            CheckAll(serializer, assemblies[1 - one], i);
        }

        foreach (AssemblyLoadContext context in contexts)
        {
            context.Unload();
        }

        return (new WeakReference(contexts[0]), new WeakReference(contexts[1]));
    }

    private static void CheckAll(Serializer serializer, Assembly assembly, int seed)
    {
        Type type = assembly.GetType("Elements.Leaf")!;
        object root = Activator.CreateInstance(assembly.GetType("Elements.Root")!)!;
        Array array = Array.CreateInstance(type, Elements);
        var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(type))!;
        var named = (IDictionary)Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(typeof(string), type))!;
        for (int i = 0; i < Elements; i++)
        {
            object leaf = Leaf(type, (seed * 1_000) + i);
            array.SetValue(leaf, i);
            list.Add(leaf);
            named.Add($"{i}", leaf);
        }

        void Set(string name, object value) => root.GetType().GetField(name)!.SetValue(root, value);
        object queue = Activator.CreateInstance(typeof(Queue<>).MakeGenericType(type), list)!;
        Set("Leaf", Leaf(type, seed));
        Set("Array", array);
        Set("List", list);
        Set("Named", named);
        Set("Queue", queue);
        Set("Any", Leaf(type, -seed));
        foreach (object value in (object[])[array.GetValue(0)!, root, array, list, named, queue])
        {
            typeof(ElementContextTests).GetMethod(nameof(Check), BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(value.GetType()).Invoke(
                    null, BindingFlags.DoNotWrapExceptions, null, [serializer, value], System.Globalization.CultureInfo.InvariantCulture);
            var around = (IAround)Activator.CreateInstance(typeof(Around<>).MakeGenericType(value.GetType()))!;
            around.Put(value);
            typeof(ElementContextTests).GetMethod(nameof(Check), BindingFlags.Static | BindingFlags.NonPublic)!
                .MakeGenericMethod(around.GetType()).Invoke(
                    null, BindingFlags.DoNotWrapExceptions, null, [serializer, around], System.Globalization.CultureInfo.InvariantCulture);
        }
    }

    private static void Check<T>(Serializer serializer, T value)
        where T : class
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 3; i++)
        {
            byte[] bytes = serializer.Serialize(value);
            var output = new ArrayBufferWriter<byte>();
            serializer.Serialize(value, output);
            Assert.Equal(bytes, output.WrittenSpan);
            Same(value, serializer.Deserialize<T>(bytes));
            Same(value, serializer.Deserialize<T>(Sequences.Chunked(bytes, 5)));
            Same(value, serializer.Deserialize<T>(serializer.Serialize(value, writing), reading));
            Same(value, serializer.DeserializeTyped<T>(serializer.SerializeTyped(value)));
        }
    }

    private static object Leaf(Type type, int id)
    {
        object leaf = Activator.CreateInstance(type)!;
        type.GetField("Id")!.SetValue(leaf, id);
        type.GetField("Name")!.SetValue(leaf, $"name {id}");
        return leaf;
    }

    private static void Same(object? expected, object? actual)
    {
        Assert.NotSame(expected, actual);
        Assert.Equal(Describe(expected), Describe(actual));
    }

    // With the very types: those of the other context have the same names.
    private static List<object?> Describe(object? value) => value switch
    {
        null or string or int => [value],
        IAround around => [value.GetType(), .. Describe(around.Take())],
        IDictionary dictionary => [value.GetType(), .. dictionary.Keys.Cast<object>().SelectMany(
            key => Describe(key).Concat(Describe(dictionary[key])))],
        IEnumerable items => [value.GetType(), .. items.Cast<object?>().SelectMany(Describe)],
        _ => [value.GetType(), .. value.GetType().GetFields().SelectMany(field => Describe(field.GetValue(value)))],
    };

    private static void AssertCollected(WeakReference context)
    {
        for (int i = 0; i < 20 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(context.IsAlive, "Something keeps the context alive.");
    }

    private interface IAround
    {
        void Put(object value);

        object? Take();
    }

    public sealed class Around<T> : IAround
        where T : class
    {
        public int Before { get; set; } = 5;

        public T? Value { get; set; }

        void IAround.Put(object value) => Value = (T)value;

        object? IAround.Take() => Value;
    }
}
