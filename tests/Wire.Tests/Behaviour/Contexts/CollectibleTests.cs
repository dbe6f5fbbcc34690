using System.Buffers;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Contexts;

/// <summary>What plugins implement; it belongs to the program.</summary>
public interface IPlugin;

/// <summary>Types of an assembly that can be unloaded: a serializer that outlives them keeps none of them alive.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class CollectibleTests
{
    private static readonly byte[] Plugin =
        MadeAssembly.Make("Wire.Made.Plugin", module => Define(module, ("Id", typeof(int)), ("Gone", typeof(string))));
    private static readonly byte[] NextPlugin =
        MadeAssembly.Make("Wire.Made.Plugin", module => Define(module, ("Id", typeof(long)), ("New", typeof(string))));

    public static TheoryData<bool, bool> Options() => new() { { false, true }, { true, true }, { false, false }, { true, false } };

    [Theory]
    [MemberData(nameof(Options))]
    public void An_unloaded_context_is_collected(bool references, bool dynamicCode)
    {
        WireTypeFilter none = WireTypeFilter.Default;
        foreach ((WireTypeFilter filter, bool isEnough) in new[]
        {
            (none, false),
            (none.AllowDerivedFrom<IPlugin>(), false),
            (none.AllowNamespace("Plugin"), true),
            (WireTypeFilter.Unrestricted, true),
        })
        {
            Serializer serializer = Serializer(references, dynamicCode, filter);
            AssertCollected(UseEverything(serializer, isEnough));

            // The serializer is as usable as before, for a context of the same assembly too.
            AssertCollected(UseEverything(serializer, isEnough));
            Assert.Equal(1, serializer.RoundTrip(new Leaf { Id = 1 }).Id);
        }
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void Sessions_that_ended_keep_nothing(bool references, bool dynamicCode)
    {
        Serializer serializer = Serializer(references, dynamicCode, WireTypeFilter.Unrestricted);
        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        AssertCollected(UseSessions(serializer, writing, reading));
        GC.KeepAlive(writing);
        GC.KeepAlive(reading);
        GC.KeepAlive(serializer);
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void Payloads_of_another_version_keep_nothing(bool references, bool dynamicCode)
    {
        Serializer serializer = Serializer(references, dynamicCode, WireTypeFilter.Default.AllowNamespace("Plugin"));
        (byte[] payload, WeakReference first) = WriteWith(serializer, Plugin);
        AssertCollected(first);
        AssertCollected(ReadWith(serializer, NextPlugin, payload));
        GC.KeepAlive(serializer);
    }

    [Fact]
    public void Delegates_and_members_keep_nothing()
    {
        var serializer =
            new Serializer(
                new SerializerOptions { AllowDelegates = true, AllowMemberInfos = true, TypeFilter = WireTypeFilter.Unrestricted });
        AssertCollected(UseMembers(serializer));
        GC.KeepAlive(serializer);
    }

    [Fact]
    public void Failures_keep_nothing()
    {
        Serializer serializer = Serializer(references: true, dynamicCode: true, WireTypeFilter.Unrestricted);
        AssertCollected(Fail(serializer));
        GC.KeepAlive(serializer);
    }

    [Fact]
    public void A_session_that_goes_on_keeps_nothing_of_a_message_that_failed()
    {
        Serializer serializer = Serializer(references: false, dynamicCode: true, WireTypeFilter.Unrestricted);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 3; i++)
        {
            AssertCollected(FailInSession(serializer, writing));
            foreach (object value in new object[] { new Uri("http://wire/"), new KeyValuePair<string, object>("a", new Tuple<int>(i)) })
            {
                GraphAssert.Same(value, serializer.Deserialize<object>(serializer.Serialize(value, writing), reading));
            }
        }
    }

    [Fact]
    public void Variables_of_a_type_that_can_be_unloaded_are_not_remembered_for_lasting_objects()
    {
        Serializer serializer = Serializer(references: false, dynamicCode: true, WireTypeFilter.Unrestricted);
        AssertCollected(UseContravariance(serializer));
        GC.KeepAlive(serializer);
    }

    [Fact]
    public void Two_contexts_with_the_same_assembly_keep_apart()
    {
        foreach (WireTypeFilter filter in new[]
        {
            WireTypeFilter.Default,
            WireTypeFilter.Default.AllowDerivedFrom<IPlugin>(),
            WireTypeFilter.Default.AllowNamespace("Plugin"),
            WireTypeFilter.Unrestricted,
        })
        {
            Serializer serializer = Serializer(references: false, dynamicCode: true, filter);
            (WeakReference first, WeakReference second) = UseTwo(serializer);
            AssertCollected(first);
            AssertCollected(second);
            GC.KeepAlive(serializer);
        }
    }

    [Fact]
    public void A_context_keeps_its_own_copy_of_an_assembly_that_stays()
    {
        // As of contracts that both the program and its plugins have.
        Assembly staying = new AssemblyLoadContext("staying").Load(Plugin);
        Type type = staying.GetType("Plugin.Message")!;
        Serializer serializer =
            Serializer(references: false, dynamicCode: true, WireTypeFilter.Default.Allow(type).Allow(staying.GetType("Plugin.Kind")!));
        object message = Message(staying, 1);
        Each(serializer, message);
        AssertCollected(UseEverything(serializer, isEnough: true, type));
        Each(serializer, message);
    }

    private static Serializer Serializer(bool references, bool dynamicCode, WireTypeFilter filter) => new(new SerializerOptions
    {
        PreserveObjectReferences = references,
        DynamicCode = dynamicCode,
        TypeFilter = filter,
    });

    private static void Define(ModuleBuilder module, params (string, Type)[] members)
    {
        Type kind = module.Enum("Plugin.Kind");
        Type part = module.DefineType("Plugin.Part", TypeAttributes.Public | TypeAttributes.Sealed, typeof(ValueType)).With(
            ("X", typeof(int)), ("Y", typeof(string))).CreateType();
        TypeBuilder box = module.DefineType("Plugin.Box`1", TypeAttributes.Public);
        box.DefineField("Value", box.DefineGenericParameters("T")[0], FieldAttributes.Public);
        Type finished = box.CreateType();
        module.DefineType("Plugin.Failure", TypeAttributes.Public, typeof(Exception)).With(("Part", part)).CreateType();
        TypeBuilder message = module.Class("Plugin.Message", members);
        message.AddInterfaceImplementation(typeof(IPlugin));
        ILGenerator get = message.DefineMethod("Get", MethodAttributes.Public, typeof(int), []).GetILGenerator();
        get.Emit(OpCodes.Ldc_I4_7);
        get.Emit(OpCodes.Ret);
        message.With(
            ("Any", typeof(object)),
            ("Kind", kind),
            ("Part", part),
            ("Parts", part.MakeArrayType()),
            ("Next", message),
            ("Children", typeof(List<>).MakeGenericType(message)),
            ("Map", typeof(Dictionary<,>).MakeGenericType(typeof(string), message)),
            ("Boxed", finished.MakeGenericType(message))).CreateType();
    }

    // Debug code keeps locals alive to the end of their method: nothing of the context is in the frame that waits.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseEverything(Serializer serializer, bool isEnough, Type? asObject = null)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        object message = Message(assembly, 7);
        Type type = message.GetType();
        Type part = assembly.GetType("Plugin.Part")!;
        Array array = Array.CreateInstance(type, 2);
        array.SetValue(message, 1);
        object list = Activator.CreateInstance(typeof(List<>).MakeGenericType(type))!;
        ((System.Collections.IList)list).Add(message);
        Each(serializer, message);
        Each(serializer, list);
        Each(serializer, array);
        Each(serializer, Activator.CreateInstance(part)!);
        Each(serializer, Enum.ToObject(assembly.GetType("Plugin.Kind")!, 1));
        Each(serializer, Activator.CreateInstance(assembly.GetType("Plugin.Box`1")!.MakeGenericType(part))!);
        foreach (Type collection in new[]
        {
            typeof(Queue<>),
            typeof(Stack<>),
            typeof(LinkedList<>),
            typeof(HashSet<>),
            typeof(System.Collections.ObjectModel.Collection<>),
            typeof(System.Collections.Concurrent.ConcurrentQueue<>),
        })
        {
            Each(serializer, Activator.CreateInstance(collection.MakeGenericType(type), list)!);
        }

        Each(serializer, typeof(System.Collections.Immutable.ImmutableList<>).MakeGenericType(type).GetMethod("Add")!.Invoke(
            typeof(System.Collections.Immutable.ImmutableList<>).MakeGenericType(type).GetField("Empty")!.GetValue(null), [message])!);
        Each(serializer, Activator.CreateInstance(assembly.GetType("Plugin.Failure")!)!);
        Each(
            serializer,
            Activator.CreateInstance(typeof(KeyValuePair<,>).MakeGenericType(part, type), Activator.CreateInstance(part), message)!);
        if (asObject is not null)
        {
            Assert.Same(asObject, serializer.Deserialize<object>(serializer.Serialize(message))!.GetType());
            context.Unload();
            return new WeakReference(context);
        }

        AsObjects(serializer, isEnough, [message, 1, message, list, array, type]);
        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseSessions(Serializer serializer, SerializerSession writing, DeserializerSession reading)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        for (int i = 0; i < 3; i++)
        {
            foreach (object value in new[]
            {
                Message(assembly, i),
                new object[] { Message(assembly, i), Activator.CreateInstance(assembly.GetType("Plugin.Part")!)! },
            })
            {
                GraphAssert.Same(value, serializer.Deserialize<object>(serializer.Serialize(value, writing), reading));
            }
        }

        writing.Dispose();
        reading.Dispose();
        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (byte[] Payload, WeakReference Context) WriteWith(Serializer serializer, byte[] file)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(file);
        byte[] payload = serializer.Serialize<object>(new object[] { Message(assembly, 7), new object[] { Message(assembly, 8) } });
        context.Unload();
        return (payload, new WeakReference(context));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference ReadWith(Serializer serializer, byte[] file, byte[] payload)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(file);
        // Often enough that the reader of the other schema is compiled.
        for (int i = 0; i < 20; i++)
        {
            object read = ((object[])serializer.Deserialize<object>(payload)!)[0];
            Assert.Same(assembly.GetType("Plugin.Message"), read.GetType());
            Assert.Equal(7L, read.GetType().GetField("Id")!.GetValue(read));
        }

        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseMembers(Serializer serializer)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        object message = Message(assembly, 7);
        MethodInfo get = message.GetType().GetMethod("Get")!;
        var call = get.CreateDelegate<Func<int>>(message);
        using AssemblyLoadContext.ContextualReflectionScope entered = context.EnterContextualReflection();
        MethodInfo empty = typeof(Array).GetMethod(nameof(Array.Empty))!.MakeGenericMethod(message.GetType());
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(7, serializer.Deserialize<Func<int>>(serializer.Serialize(call))!());
            Assert.Equal(7, serializer.Clone(call)());
            object[] members = [get, message.GetType().GetField("Id")!, empty];
            Assert.Equal(members[..2], serializer.Deserialize<object[]>(serializer.Serialize(members[..2])));
            Assert.Equal(members, serializer.Clone(members));
        }

        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Fail(Serializer serializer)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        object message = Message(assembly, 7);
        byte[] payload = serializer.Serialize(message);
        Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload[..^1]));
        message.GetType().GetField("Any")!.SetValue(message, () => { });
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(message));
        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference FailInSession(Serializer serializer, SerializerSession writing)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        object part = Activator.CreateInstance(assembly.GetType("Plugin.Part")!)!;
        Action unwritable = () => { };
        Assert.Throws<UnsupportedTypeException>(
            () => serializer.Serialize(new object[] { Message(assembly, 1), part, unwritable }, writing));
        context.Unload();
        return new WeakReference(context);
    }

    // An object of a lasting class, which can stand in variables of the context's own interface type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseContravariance(Serializer serializer)
    {
        (AssemblyLoadContext context, Assembly assembly) = Load(Plugin);
        using AssemblyLoadContext.ContextualReflectionScope entered = context.EnterContextualReflection();
        Type box =
            assembly.GetType("Plugin.Box`1")!.MakeGenericType(typeof(IComparer<>).MakeGenericType(assembly.GetType("Plugin.Message")!));
        object Create()
        {
            object made = Activator.CreateInstance(box)!;
            box.GetField("Value")!.SetValue(made, new AnyComparer());
            return made;
        }

        object values = new object[] { new AnyComparer(), Create(), Create(), Create() };
        for (int i = 0; i < 4; i++)
        {
            GraphAssert.Same(values, serializer.Deserialize<object>(serializer.Serialize(values)));
        }

        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (WeakReference First, WeakReference Second) UseTwo(Serializer serializer)
    {
        (AssemblyLoadContext first, Assembly one) = Load(Plugin);
        (AssemblyLoadContext second, Assembly two) = Load(Plugin);
        for (int i = 0; i < 3; i++)
        {
            Each(serializer, Message(one, 1));
            Each(serializer, Message(two, 2));
        }

        foreach ((AssemblyLoadContext context, Assembly assembly) in new[] { (first, one), (second, two), (first, one) })
        {
            // A program says which it means where only a name can.
            byte[] payload = serializer.Serialize(Activator.CreateInstance(assembly.GetType("Plugin.Message")!)!);
            using (context.EnterContextualReflection())
            {
                if (serializer.Options.TypeFilter == WireTypeFilter.Default)
                {
                    Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
                }
                else
                {
                    Assert.Same(assembly.GetType("Plugin.Message"), serializer.Deserialize<object>(payload)!.GetType());
                }
            }
        }

        first.Unload();
        second.Unload();
        return (new WeakReference(first), new WeakReference(second));
    }

    private static (AssemblyLoadContext Context, Assembly Assembly) Load(byte[] file)
    {
        var context = new AssemblyLoadContext("plugin", isCollectible: true);
        return (context, context.Load(file));
    }

    private static object Message(Assembly assembly, int id)
    {
        Type type = assembly.GetType("Plugin.Message")!;
        Type part = assembly.GetType("Plugin.Part")!;
        object Create(Type asked) => Activator.CreateInstance(asked)!;
        object message = Create(type);
        object next = Create(type);
        void Set(string name, object value) => type.GetField(name)!.SetValue(message, value);
        type.GetField("Any")!.SetValue(
            next, new object[] { "text", Create(part), Enum.ToObject(assembly.GetType("Plugin.Kind")!, 1), type.MakeArrayType() });
        Set("Id", id);
        Set("Kind", Enum.ToObject(assembly.GetType("Plugin.Kind")!, 1));
        Set("Any", next);
        Set("Next", Create(type));
        Set("Parts", Array.CreateInstance(part, 2));
        object children = Create(typeof(List<>).MakeGenericType(type));
        ((System.Collections.IList)children).Add(Create(type));
        Set("Children", children);
        object map = Create(typeof(Dictionary<,>).MakeGenericType(typeof(string), type));
        ((System.Collections.IDictionary)map).Add("a", Create(type));
        Set("Map", map);
        object box = Create(assembly.GetType("Plugin.Box`1")!.MakeGenericType(type));
        box.GetType().GetField("Value")!.SetValue(box, Create(type));
        Set("Boxed", box);
        return message;
    }

    private static void Each(Serializer serializer, object value) =>
        typeof(CollectibleTests).GetMethod(nameof(RoundTrip), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(
            value.GetType()).Invoke(null, [serializer, value]);

    private static void RoundTrip<T>(Serializer serializer, T value)
    {
        Type type = typeof(T);
        for (int i = 0; i < 3; i++)
        {
            Check(value, serializer.Deserialize<T>(serializer.Serialize(value)));
            Check(value, serializer.Clone(value));
            Check(value, serializer.DeserializeTyped<T>(serializer.SerializeTyped(value)));
            var output = new ArrayBufferWriter<byte>();
            Assert.True(serializer.EstimateSize(value) > 0);
            serializer.Serialize(value, output);
            Check(value, serializer.Deserialize<T>(new ReadOnlySequence<byte>(output.WrittenMemory)));
            Check(value, (T)serializer.Deserialize(type, output.WrittenSpan)!);
            output.ResetWrittenCount();
            serializer.SerializeTyped(type, value, output);
            Check(value, (T)serializer.DeserializeTyped(type, output.WrittenSpan)!);
            using var stream = new MemoryStream();
            serializer.Serialize(value, stream);
            stream.Position = 0;
            Check(value, serializer.Deserialize<T>(stream));
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            Check(value, serializer.Deserialize<T>(serializer.Serialize(value, writing), reading));
            Check(value, serializer.Deserialize<T>(serializer.Serialize(value, writing), reading));
        }
    }

    private static void Check<T>(T expected, T? actual)
    {
        Assert.Same(expected!.GetType(), actual!.GetType());
        switch (expected)
        {
            case System.Collections.IEnumerable items:
                // What else a collection of .NET has in its fields is its own affair.
                GraphAssert.Same(items.Cast<object>().ToArray(), ((System.Collections.IEnumerable)actual).Cast<object>().ToArray());
                break;
            case Exception exception:
                Assert.Equal(exception.Message, ((Exception)(object)actual).Message);
                break;
            default:
                GraphAssert.Same(expected, actual);
                break;
        }
    }

    private static void AsObjects(Serializer serializer, bool isEnough, object[] values)
    {
        for (int i = 0; i < 3; i++)
        {
            GraphAssert.Same(values, serializer.Clone<object>(values));
            byte[] bytes = serializer.Serialize<object>(values);
            if (isEnough)
            {
                GraphAssert.Same(values, serializer.Deserialize<object>(bytes));
            }
            else
            {
                Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(bytes));
            }
        }
    }

    private static void AssertCollected(WeakReference context)
    {
        for (int i = 0; i < 20 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(context.IsAlive, "Something keeps the context alive.");
    }

    private sealed class AnyComparer : IComparer<object>
    {
        public int Compare(object? x, object? y) => 0;
    }
}
