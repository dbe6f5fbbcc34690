using System.Collections;
using System.Net;
using System.Reflection;
using System.Runtime.Loader;
using Wire.Comparing;
using Wire.Tests.Behaviour.Filtering;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>Values that are of another type than their variable, in every way that the runtime knows.</summary>
public sealed class PolymorphismTests
{
    private static readonly Assembly Made = AssemblyLoadContext.Default.Load(
        MadeAssembly.Make("Wire.Made.Argument", module => module.Class("Made.Argument", ("Id", typeof(int))).CreateType()));

    public static TheoryData<bool> DynamicCode() => [true, false];

    [Fact]
    public void Interfaces_hold_structs() => ValueTester<Shapes>.RunAll(
    [
        new Shapes(),
        new Shapes
        {
            One = new Square(2),
            Many = [new Square(1), null, new Circle { Radius = 1.5, Inside = new Square(3) }, Kind.Large, new Blob { Name = "a" }],
            List = [new Square(1), new Blob { Name = "b" }, null],
            Named = new() { ["a"] = new Square(1), ["b"] = null },
            Comparable = 1,
            Formattable = Kind.Large,
            Equatable = 7,
            Number = (short)3,
        },
        new Shapes { Comparable = "text", Formattable = 1.5m, Equatable = new EqualToInt { Id = 1 }, Number = DayOfWeek.Friday },
    ]);

    [Fact]
    public void Interfaces_are_roots() =>
        ValueTester<IShape?>.RunAll([null, new Square(1), new Blob { Name = "a" }, new Circle { Inside = new Circle { Radius = 1 } }]);

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void A_shared_box_comes_back_shared(bool dynamicCode)
    {
        IShape box = new Square(2);
        object any = new Square(3);
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var copy = serializer.RoundTrip(new Shapes { One = box, Many = [box, new Square(2), (IShape)any], List = [box, (IShape)any] });
        Assert.Same(copy.One, copy.Many![0]);
        Assert.Same(copy.One, copy.List![0]);
        Assert.NotSame(copy.One, copy.Many[1]);
        Assert.Same(copy.Many[2], copy.List[1]);

        object[] objects =
            serializer.RoundTrip<object[]>([any, any, new Box<object> { Value = any }, new Box<IShape> { Value = (IShape)any }]);
        Assert.All(objects[2..], o => Assert.Same(objects[0], o is Box<object> b ? b.Value : ((Box<IShape>)o).Value));
        Assert.Same(objects[0], objects[1]);

        // Changing one box changes what its sharers see, as it did before.
        ((IShape)objects[0]).Grow();
        Assert.Equal(4, ((Square)((Box<object>)objects[2]).Value!).Side);
    }

    [Fact]
    public void Variant_interfaces_hold_what_fits_them() => ValueTester<Variant>.RunAll(
    [
        new Variant
        {
            Objects = new List<string> { "a" },
            Readable = new[] { "a", null },
            Animals = new List<Cat> { new() { Lives = 9 } },
            Comparer = new ByText { Culture = "none" },
            Source = new Source<Cat> { Value = new Cat { Lives = 7 } },
            Sink = new Sink<object> { Last = 1 },
        },
        new Variant
        {
            Objects = new object[] { 1, "a" },
            Readable = new List<object?> { 1, null },
            Animals = new Animal[] { new Cat() },
            Source = new Source<Animal>(),
        },
        new Variant { Objects = new HashSet<string> { "a" }, Animals = new Puppy[1] },
    ]);

    [Fact]
    public void Arrays_hold_what_fits_their_variable() => ValueTester<Arrays>.RunAll(
    [
        new Arrays
        {
            Objects = new string?[] { "a", null },
            Animals = new Cat[] { new() { Lives = 1 } },
            Jagged = new string[][] { ["a"], [] },
            Mixed = [new string[] { "a" }, new object[] { 1 }, new Leaf[1], new[] { new[] { "b" } }, null],
            Shapes = new Blob[] { new() { Name = "a" } },
            Grid = new Cat[1, 2],
            Rows = new string[1, 1][] { { ["a"] } },
            Any = new Square[] { new(1) },
            Items = new[] { Kind.Large },
            List = new IShape[] { new Square(1) },
            Lists = [new string[] { "a" }, new object[] { 1, 'x' }],
        },
        new Arrays
        {
            Objects = new Leaf[1],
            Animals = new Dog[1],
            Jagged = new object[][] { new string[1] },
            Any = new int[1, 1],
            Items = new object[] { 1 },
            List = new List<int> { 1 },
        },
    ]);

    [Fact]
    public void The_root_may_be_a_covariant_array()
    {
        ValueTester<object[]>.RunAll(
            [new string[] { "a" }, new Cat[1], new string[][] { ["a"] }, new List<int>[] { [1] }, new IShape[] { new Square(1) }]);
        ValueTester<Animal?[]>.RunAll([new Cat[] { new() { Lives = 1 } }, new Dog[] { new Puppy() }]);
        foreach (IEnumerable<object> value in new IEnumerable<object>[] { new string[] { "a" }, new List<Cat> { new() } })
        {
            // The interface itself is one of .NET, which nothing allows as an argument of a payload's types.
            GraphAssert.Same(value, Setup.Serializer(true).RoundTrip(value));
            GraphAssert.Same(value, Setup.Serializer(false).CopyBothWays(value));
        }
    }

    [Fact]
    public void Arrays_may_begin_anywhere()
    {
        Array strings = Array.CreateInstance(typeof(string), [2], [3]);
        strings.SetValue("a", 4);
        Array shapes = Array.CreateInstance(typeof(IShape), [2], [-1]);
        shapes.SetValue(new Square(1), 0);
        shapes.SetValue(new Blob { Name = "b" }, -1);
        Array cats = Array.CreateInstance(typeof(Cat), [1, 2], [5, -5]);
        cats.SetValue(new Cat { Lives = 2 }, 5, -4);
        Array inner = Array.CreateInstance(typeof(int), [3], [7]);
        Array outer = Array.CreateInstance(inner.GetType(), [2], [int.MaxValue - 2]);
        outer.SetValue(inner, int.MaxValue - 1);
        Array empty = Array.CreateInstance(typeof(object), [0], [9]);
        ValueTester<Array?>.RunAll([strings, shapes, cats, outer, empty, null]);
        ValueTester<Arrays>.RunAll([new Arrays { Any = strings, Items = shapes, List = outer, Grid = (Animal?[,])cats }]);
    }

    [Fact]
    public void Dynamic_members_are_objects() => ValueTester<Dynamic>.RunAll(
        [new Dynamic { Value = 1, Values = ["a", new Square(1)] }, new Dynamic { Value = new Dynamic { Value = new { A = 1 } } }]);

    [Fact]
    public void Private_types_inside_others()
    {
        ValueTester<object>.RunAll([
            new Hidden { Value = new Hidden.Deeper<int> { Value = 3 } },
            new Hidden.Deeper<Hidden>.Deepest<string> { First = new Hidden(), Second = "b" },
            Hidden.Secret.B,
        ]);
        ValueTester<Hidden.Deeper<Square>[]>.RunAll([[new Hidden.Deeper<Square> { Value = new Square(1) }]]);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Arguments_come_from_several_assemblies(bool dynamicCode)
    {
        Type argument = Made.GetType("Made.Argument")!;
        object foreign = Activator.CreateInstance(argument)!;
        argument.GetField("Id")!.SetValue(foreign, 7);
        Type type = typeof(Three<,,>).MakeGenericType(argument, typeof(HttpStatusCode), typeof(List<Dictionary<string, Square[]>>));
        object value = Activator.CreateInstance(type)!;
        type.GetField("A")!.SetValue(value, foreign);
        type.GetField("B")!.SetValue(value, HttpStatusCode.NotFound);
        type.GetField("C")!.SetValue(value, new List<Dictionary<string, Square[]>> { new() { ["a"] = [new Square(1)] } });

        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { TypeFilter = o.TypeFilter.AllowAssembly(Made) });
        GraphAssert.Same(value, serializer.Deserialize<object>(serializer.Serialize(value)));
        GraphAssert.Same(value, serializer.CopyBothWays(value));
        object pair = Activator.CreateInstance(typeof(KeyValuePair<,>).MakeGenericType(argument, type), foreign, value)!;
        GraphAssert.Same(pair, serializer.Deserialize<object>(serializer.Serialize(pair)));
        Assert.Throws<TypeRefusedException>(() => Setup.Serializer(dynamicCode).Deserialize<object>(serializer.Serialize(value)));
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Pointers_are_refused_by_their_member(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        Refused(new Pointers(), "Pointers.Pointer");
        Refused(new FunctionPointers(), "FunctionPointers.Function");
        Refused(new Struct(), "Inner.Pointer");
        Refused(new Generic<Struct>(), "Inner.Pointer");
        UnsupportedTypeException array = Assert.Throws<UnsupportedTypeException>(
            () => serializer.Serialize(new PointerArrays { Name = "a", Pointers = new PointerArray() }));
        Assert.Equal("Pointers.Many", array.MemberPath);

        void Refused(object value, string member)
        {
            foreach (object root in new[] { value, new object[] { 1, value }, new Box<object> { Value = value } })
            {
                UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(root));
                Assert.Contains("+" + member + ";", e.Message, StringComparison.Ordinal);
                Assert.Contains("[IgnoreMember]", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void Ref_structs_are_refused(bool dynamicCode)
    {
        // No object can hold one, so only their names could come.
        Serializer serializer = Setup.Serializer(dynamicCode);
        foreach (Type type in new[] { typeof(RefStruct), typeof(Span<int>), typeof(RefField) })
        {
            string name = type == typeof(Span<int>) ? "System.Span`1[[System.Int32]]" : $"{type.FullName}, Wire.Tests";
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(FilterTests.Named(name)));
            Assert.ThrowsAny<WireFormatException>(
                () => serializer.Deserialize<object>(FilterTests.Named($"System.Collections.Generic.List`1[[{name}]]")));
            Assert.ThrowsAny<WireFormatException>(
                () => serializer.Deserialize<object>(FilterTests.Named($"Wire.Tests.Behaviour.Box`1[[{name}]], Wire.Tests")));
        }
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void What_the_compiler_makes_of_lambdas_is_plain_fields(bool dynamicCode)
    {
        int count = 3;
        var shared = new Leaf { Id = 4 };
        Func<int> captures = () => count + (int)shared.Id;
        Func<int, int> pure = static x => x + 1;
        object closure = captures.Target!;
        object singleton = pure.Target!;
        Assert.StartsWith("<>c", closure.GetType().Name, StringComparison.Ordinal);
        Assert.StartsWith("<>c", singleton.GetType().Name, StringComparison.Ordinal);

        Serializer serializer = Setup.WithReferences(dynamicCode);
        object[] copy = serializer.RoundTrip<object[]>([closure, shared, singleton, GenericClosure("text")]);
        GraphAssert.Same(closure, copy[0]);
        Assert.Same(copy[1], copy[0].GetType().GetField(nameof(shared))!.GetValue(copy[0]));
        Assert.Same(singleton.GetType(), copy[2].GetType());
        Assert.Equal(7, captures.Method.CreateDelegate<Func<int>>(copy[0])());
        GraphAssert.Same(GenericClosure("text"), copy[3]);
    }

    [Theory]
    [MemberData(nameof(DynamicCode))]
    public void What_the_compiler_makes_of_collections_and_iterators_comes_back_as_a_collection(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var value = new Variant { Objects = ["a", 1], Readable = ["b"], Animals = Cats(2) };
        Variant copy = serializer.RoundTrip(value);
        Assert.IsType<System.Collections.ObjectModel.ReadOnlyCollection<object>>(copy.Objects);
        Assert.IsType<List<Cat>>(copy.Animals);
        Assert.Equal(["a", 1], copy.Objects);
        Assert.Equal(["b"], copy.Readable!);
        Assert.Equal([0, 1], copy.Animals!.Select(a => ((Cat)a).Lives));
    }

    [Fact]
    public void A_type_may_be_an_argument_of_its_own_base() =>
        ValueTester<Ring<Curious>?>.RunAll([new Curious { Self = new Curious(), Name = "a" }, null]);

    private static object GenericClosure<T>(T value)
    {
        Func<T> captures = () => value;
        return captures.Target!;
    }

    private static IEnumerable<Cat> Cats(int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return new Cat { Lives = i };
        }
    }

    public interface IShape
    {
        void Grow();
    }

    public interface ISource<out T>
    {
        T? Get();
    }

    public interface ISink<in T>
    {
        void Put(T value);
    }

    public enum Kind : byte { Small, Large }

    public struct Square(int side) : IShape
    {
        public int Side = side;

        public void Grow() => Side++;
    }

    public struct Circle : IShape
    {
        public double Radius;
        public IShape? Inside;

        public readonly void Grow()
        {
        }
    }

    public sealed class Blob : IShape
    {
        public string? Name;

        public void Grow()
        {
        }
    }

    public sealed class EqualToInt : IEquatable<int>
    {
        public int Id;

        public bool Equals(int other) => other == Id;

        public override bool Equals(object? obj) => obj is int other && Equals(other);

        public override int GetHashCode() => Id;
    }

    public sealed class Shapes
    {
        public IShape? One;
        public object?[]? Many;
        public List<IShape?>? List;
        public Dictionary<string, IShape?>? Named;
        public IComparable? Comparable;
        public IFormattable? Formattable;
        public IEquatable<int>? Equatable;
        public IConvertible? Number;
    }

    public sealed class Source<T> : ISource<T>
    {
        public T? Value;

        public T? Get() => Value;
    }

    public sealed class Sink<T> : ISink<T>
    {
        public T? Last;

        public void Put(T value) => Last = value;
    }

    public sealed class ByText : IComparer<object>
    {
        public string? Culture;

        public int Compare(object? x, object? y) => string.CompareOrdinal(x?.ToString(), y?.ToString());
    }

    public sealed class Variant
    {
        public IEnumerable<object>? Objects;
        public IReadOnlyList<object?>? Readable;
        public IEnumerable<Animal>? Animals;
        public IComparer<string>? Comparer;
        public ISource<Animal>? Source;
        public ISink<string>? Sink;
    }

    public sealed class Arrays
    {
        public object?[]? Objects;
        public Animal?[]? Animals;
        public object[][]? Jagged;
        public object?[]?[]? Mixed;
        public IShape?[]? Shapes;
        public Animal?[,]? Grid;
        public object[,][]? Rows;
        public Array? Any;
        public IEnumerable? Items;
        public IList? List;
        public List<object[]>? Lists;
    }

    public sealed class Dynamic
    {
        public dynamic? Value;
        public List<dynamic>? Values;
    }

    public sealed class Three<TA, TB, TC>
    {
        public TA? A;
        public TB? B;
        public TC? C;
    }

    public abstract class Ring<T>
        where T : Ring<T>
    {
        public T? Self;
    }

    public sealed class Curious : Ring<Curious>
    {
        public string? Name;
    }

    private sealed class Hidden
    {
        public object? Value;

        internal enum Secret { A, B }

        internal sealed class Deeper<T>
        {
            public T? Value;

            internal sealed class Deepest<TInner>
            {
                public T? First;
                public TInner? Second;
            }
        }
    }

    public sealed unsafe class Pointers
    {
        public int* Pointer;
    }

    public sealed unsafe class FunctionPointers
    {
        public delegate*<int, void> Function;
    }

    public struct Inner
    {
        public nint Fine;
        public unsafe byte** Pointer;
    }

    public struct Struct
    {
        public Inner Inner;
    }

    public sealed class Generic<T>
    {
        public T? Value;
    }

    public sealed class PointerArrays
    {
        public string? Name;
        public PointerArray? Pointers;
    }

    public sealed unsafe class PointerArray
    {
        public int*[] Many = new int*[1];
    }

    public ref struct RefStruct
    {
        public int Value;
    }

    public ref struct RefField
    {
        public ref int Value;
    }
}
