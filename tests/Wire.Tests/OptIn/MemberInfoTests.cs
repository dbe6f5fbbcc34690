using System.Reflection;
using Wire.Tests.Testing;

namespace Wire.Tests.OptIn;

/// <summary>Reflected members, which <see cref="SerializerOptions.AllowMemberInfos"/> allows.</summary>
[TypeNotes(
    "methods, constructors, fields, properties, events, parameters; off by default",
    Title = "MemberInfo, ParameterInfo",
    Options = "AllowMemberInfos",
    Written = "members of a stand-in")]
public sealed class MemberInfoTests
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly Serializer On = OptInTester.With(Allow);

    public static TheoryData<string> Kinds() => ["method", "constructor", "field", "property", "event", "parameter"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_kind_of_member_is_found_again(string kind)
    {
        switch (kind)
        {
            case "method":
                Run<MethodInfo>(
                    Method(typeof(Model), nameof(Model.Generic)),
                    Method(typeof(Model), nameof(Model.Generic)).MakeGenericMethod(typeof(int), typeof(List<string>)),
                    Method(typeof(Model<int>), nameof(Model<>.Take)),
                    Method(typeof(Model<>), nameof(Model<>.Take)),
                    Method(typeof(string), nameof(string.Normalize)));
                break;
            case "constructor":
                Run([.. typeof(Model).GetConstructors(All), .. typeof(Model<string>).GetConstructors(All), typeof(Model).TypeInitializer!]);
                break;
            case "field":
                Run([.. typeof(Model).GetFields(All), .. typeof(Model<string>).GetFields(All)]);
                break;
            case "property":
                Run([.. typeof(Model).GetProperties(All), typeof(List<int>).GetProperty(nameof(List<>.Count))!]);
                break;
            case "event":
                Run([.. typeof(Model).GetEvents(All)]);
                break;
            default:
                Run([
                    .. Method(typeof(Model), nameof(Model.Generic)).GetParameters(),
                    Method(typeof(Model), nameof(Model.Generic)).ReturnParameter,
                    typeof(Model).GetProperty("Item", [typeof(int)])!.GetIndexParameters()[0],
                ]);
                break;
        }
    }

    [Fact]
    public void Every_method_of_a_type_with_many_overloads_is_found_again()
    {
        foreach (Type type in new[]
        {
            typeof(Model),
            typeof(Model<>),
            typeof(Model<int>),
            typeof(Derived),
            typeof(decimal),
            typeof(string),
            typeof(List<int>),
            typeof(IModel),
        })
        {
            bool own = type.Assembly == typeof(Model).Assembly;
            MemberInfo[] members = type.GetMembers(own ? All : BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public);
            foreach (MemberInfo member in members.Where(m => m is not Type
                && !(m is MethodInfo method && method.GetParameters().Any(p => p.ParameterType.IsPointer))
                && !(m is ConstructorInfo c && c.GetParameters().Any(p => p.ParameterType.IsPointer))))
            {
                if (member.DeclaringType != typeof(object) || member is MethodInfo { IsPublic: true })
                {
                    Assert.Equal(member, On.Deserialize<MemberInfo>(On.Serialize(member)));
                }
            }
        }
    }

    [Fact]
    public void A_member_keeps_the_type_through_which_it_was_found()
    {
        MethodInfo inherited = typeof(Derived).GetMethod(nameof(Model.Plain), [])!;
        MethodInfo read = On.Deserialize<MethodInfo>(On.Serialize(inherited))!;
        Assert.Equal(typeof(Derived), read.ReflectedType);
        Assert.Equal(inherited, read);
    }

    [Fact]
    public void Without_the_option_nothing_of_it_is_written_or_read()
    {
        OptInTester.IsRefusedWithout(nameof(SerializerOptions.AllowMemberInfos), Method(typeof(Model), nameof(Model.Plain)), On);
        OptInTester.IsRefusedWithout(
            nameof(SerializerOptions.AllowMemberInfos), Method(typeof(Model), nameof(Model.Generic)).GetParameters()[0], On);
    }

    [Fact]
    public void Assemblies_and_modules_are_refused()
    {
        foreach (object value in new object[] { typeof(Model).Assembly, typeof(Model).Module })
        {
            Assert.Contains(
                "Write its name", Assert.Throws<UnsupportedTypeException>(() => On.Serialize(value)).Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Members_of_the_framework_and_of_refused_types_are_refused()
    {
        foreach (MemberInfo member in new MemberInfo[]
        {
            Method(typeof(File), nameof(File.Exists)),
            typeof(Environment).GetProperty(nameof(Environment.CommandLine))!,
            typeof(string).GetField("_stringLength", All)!,
        })
        {
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => OptInTester.With(
                o => Allow(o) with { TypeFilter = WireTypeFilter.Unrestricted }).Deserialize<MemberInfo>(On.Serialize(member)));
            Assert.Contains(member.Name, e.Reason, StringComparison.Ordinal);
        }

        Assert.Throws<TypeRefusedException>(() => new Serializer(new SerializerOptions { AllowMemberInfos = true }).Deserialize<MemberInfo>(
            On.Serialize(Method(typeof(Model), nameof(Model.Plain)))));
        MethodInfo generic = Method(typeof(Model), nameof(Model.Generic)).MakeGenericMethod(typeof(Derived), typeof(string));
        Serializer narrow = new(new SerializerOptions { AllowMemberInfos = true, TypeFilter = WireTypeFilter.Default.Allow<Model>() });
        Assert.Contains(
            nameof(Derived),
            Assert.Throws<TypeRefusedException>(() => narrow.Deserialize<MemberInfo>(On.Serialize(generic))).TypeName,
            StringComparison.Ordinal);
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize(Method(typeof(Type), nameof(Type.InvokeMember))));
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize(Method(typeof(MethodBase), nameof(MethodBase.Invoke))));
    }

    [Fact]
    public void After_too_many_constructed_methods_the_known_ones_are_still_found()
    {
        Serializer reader = OptInTester.With(Allow), writer = OptInTester.With(Allow);
        Type[] types = OptInTester.ManyTypes();
        MethodInfo definition = Method(typeof(Model), nameof(Model.Generic));
        MethodInfo[] methods = [.. types.SelectMany(argument => types.Select(result => definition.MakeGenericMethod(argument, result)))];
        foreach (MethodInfo method in methods)
        {
            reader.Deserialize<MemberInfo>(writer.Serialize<MemberInfo>(method));
        }

        foreach (MethodInfo known in new[] { methods[0], methods[^1], definition })
        {
            Assert.Equal(known, reader.Deserialize<MemberInfo>(writer.Serialize<MemberInfo>(known)));
        }

        // The writer's program has made the method itself; for the reader it is one too many, until its own program has it.
        MethodInfo other = definition.MakeGenericMethod(typeof(Guid), typeof(Guid));
        byte[] payload = writer.Serialize<MemberInfo>(other);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => reader.Deserialize<MemberInfo>(payload)).Error);
        Assert.Equal(other, reader.Clone<MemberInfo>(other));
    }

    private static SerializerOptions Allow(SerializerOptions options) => options with
    {
        AllowMemberInfos = true,
        TypeFilter = options.TypeFilter.Allow<MethodInfo>().Allow<ConstructorInfo>().Allow<FieldInfo>().Allow<PropertyInfo>()
            .Allow<EventInfo>(),
    };

    private static void Run<T>(params T[] samples)
        where T : class
    {
        Assert.NotEmpty(samples);
        OptInTester.RunAll(samples, Allow);
    }

    private static MethodInfo Method(Type type, string name) => type.GetMethods().First(method => method.Name == name);

    private interface IModel
    {
        void Act(ref int value);
    }

    private class Model
    {
        public static readonly int Shared = Environment.TickCount;

        private int _field;

        static Model() => Shared++;

        public Model() => _field = 1;

        public Model(int field) => _field = field;

        public event EventHandler? Changed;

        public int Property { get; set; }

        public int this[int index] => index + _field;

        public string this[string index] => index;

        public static implicit operator int(Model model) => model._field;

        public static implicit operator string(Model model) => model.ToString() ?? "";

        public static TResult? Generic<TArgument, TResult>(TArgument argument, ref int by) =>
            argument is null || by > 0 ? default : default;

        public void Plain() => Changed?.Invoke(this, EventArgs.Empty);

        public void Plain(int[] a) => Plain();

        public void Plain(int[,] a) => Plain();

        public void Plain(List<int> a) => Plain();

        public void Plain<T>(List<T> a) => Plain();

        public void Plain(in int a) => Plain();

        public void Plain(int a) => Plain();
    }

    private sealed class Derived : Model;

    private sealed class Model<T>(T value)
    {
        private readonly T _value = value;

        public T Take(T other) => other ?? _value;

        public T Take(int other) => other > 0 ? _value : _value;

        public TOther? Take<TOther>(T value, TOther other) => value is null ? other : default;
    }
}
