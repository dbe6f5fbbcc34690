using System.Collections;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>Collection classes that the program names to the serializer.</summary>
public sealed class CollectionFactoryTests
{
    private static readonly Serializer Wire = With(typeof(Ring<>), typeof(Ranged), typeof(Sealed<>), typeof(Explicit));

    [Fact]
    public void Elements_come_back_through_its_own_methods()
    {
        Ring<object?> ring = Wire.CopyBothWays(new Ring<object?> { 1, null, "x" });
        Assert.Equal([1, null, "x"], ring);
        Assert.Equal(3, ring.Added);
        Ranged ranged = Wire.CopyBothWays(new Ranged { "a", "b" });
        Assert.Equal(["a", "b"], ranged);
        Assert.Equal(1, ranged.Ranges);
        Assert.Equal([1, 2], Wire.CopyBothWays(new Sealed<int>([1, 2])));
        Assert.Equal([3], Wire.CopyBothWays(Filled(new Explicit(), 3)));
        Assert.Empty(Wire.CopyBothWays(new Ring<int>()));
    }

    [Fact]
    public void It_is_written_like_any_sequence()
    {
        var holder = new Holder<Ring<int>> { Declared = [1, 2], Any = new Ring<int> { 3 } };
        byte[] bytes = Wire.Serialize(holder);
        Holder<Ring<int>> copy = Wire.Deserialize<Holder<Ring<int>>>(bytes)!;
        Assert.Equal([1, 2], copy.Declared!);
        Assert.Equal([3], (Ring<int>)copy.Any!);
        Assert.Contains("sequence", PayloadDump.Describe(bytes), StringComparison.Ordinal);
        foreach (bool dynamicCode in new[] { true, false })
        {
            var twin = new Serializer(Options(typeof(Ring<>)) with { DynamicCode = dynamicCode });
            Assert.Equal([1, 2], twin.DeserializeTyped<Ring<int>>(twin.SerializeTyped(new Ring<int> { 1, 2 }))!);
        }
    }

    [Fact]
    public void It_may_hold_itself_where_it_is_there_before_its_elements()
    {
        var serializer = new Serializer(Options(typeof(Ring<>)) with { PreserveObjectReferences = true });
        var ring = new Ring<object?>();
        ring.Add(ring);
        Ring<object?> copy = serializer.CopyBothWays(ring);
        Assert.Same(copy, copy.Single());
    }

    [Fact]
    public void Elements_that_it_does_not_take_are_invalid()
    {
        byte[] bytes = Wire.SerializeTyped(new Ring<byte> { 1, 2 });
        bytes[^1] = 99;
        Assert.Equal(2, Wire.DeserializeTyped<Ring<byte>>(bytes)!.Count());
        byte[] picky = With(typeof(Picky)).Serialize(new Picky { 1 });
        picky[^1] = 13;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => With(typeof(Picky)).Deserialize<Picky>(picky)).Error);
    }

    [Fact]
    public void Whatever_it_throws_is_invalid_and_what_its_elements_throw_stays()
    {
        Serializer grumpy = With(typeof(Grumpy));
        byte[] bytes = grumpy.Serialize(new Grumpy { 1 });
        foreach (byte item in new byte[] { 13, 14 })
        {
            bytes[^1] = item;
            WireFormatException e = Assert.Throws<WireFormatException>(() => grumpy.Deserialize<Grumpy>(bytes));
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
            Assert.NotNull(e.InnerException);
        }

        // A mistake of the program's in an element is none of the payload's.
        SerializerOptions options = Options(typeof(Ring<>));
        var failing = new Serializer(options with
        {
            ValueSerializerFactories = [.. options.ValueSerializerFactories, ValueSerializerFactory.For(new FailingSerializer())],
        });
        byte[] ring = failing.Serialize(new Ring<Failing> { new() });
        Assert.Equal("mine", Assert.Throws<InvalidOperationException>(() => failing.Deserialize<Ring<Failing>>(ring)).Message);
    }

    [Fact]
    public void Payloads_may_name_it_and_what_is_in_it_is_judged_on_its_own()
    {
        byte[] bytes = Wire.Serialize<object>(new Ring<CollectionFactoryTests> { new() });
        Assert.Throws<TypeRefusedException>(() => Wire.Deserialize<object>(bytes));
        Assert.IsType<Ring<int>>(Wire.Deserialize<object>(Wire.Serialize<object>(new Ring<int> { 1 })));
    }

    [Theory]
    [InlineData(typeof(int))]
    [InlineData(typeof(int[]))]
    [InlineData(typeof(IList<int>))]
    [InlineData(typeof(string))]
    [InlineData(typeof(List<>))]
    [InlineData(typeof(Holder<int>))]
    [InlineData(typeof(Unfillable))]
    [InlineData(typeof(Twofold))]
    public void A_type_that_does_not_fit_is_refused_at_once(Type type) =>
        Assert.Contains(
            type.Name.Split('`')[0],
            Assert.Throws<ArgumentException>(() => ValueSerializerFactory.ForCollection(type)).Message,
            StringComparison.Ordinal);

    private static SerializerOptions Options(params Type[] types) =>
        new() { ValueSerializerFactories = [.. types.Select(ValueSerializerFactory.ForCollection)] };

    private static Serializer With(params Type[] types) => new(Options(types));

    private static Explicit Filled(Explicit collection, int item)
    {
        ((ICollection<int>)collection).Add(item);
        return collection;
    }

    public sealed class Ring<T> : IEnumerable<T>
    {
        // A field that no serializer writes.
        private readonly Func<int, int> _next = i => i + 1;
        private readonly List<T> _items = [];

        public int Added { get; private set; }

        public void Add(T item)
        {
            Added = _next(Added);
            _items.Add(item);
        }

        public IEnumerator<T> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Ranged : IEnumerable<string>
    {
        private readonly List<string> _items = [];

        public int Ranges { get; private set; }

        public bool Add(string item)
        {
            _items.Add(item);
            return true;
        }

        public void AddRange(IEnumerable<string> items)
        {
            Ranges++;
            _items.AddRange(items);
        }

        public IEnumerator<string> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Sealed<T>(IEnumerable<T> items) : IEnumerable<T>
    {
        private readonly T[] _items = [.. items];

        public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)_items).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Explicit : ICollection<int>
    {
        private readonly List<int> _items = [];

        public int Count => _items.Count;

        public bool IsReadOnly => false;

        void ICollection<int>.Add(int item) => _items.Add(item);

        public void Clear() => _items.Clear();

        public bool Contains(int item) => _items.Contains(item);

        public void CopyTo(int[] array, int arrayIndex) => _items.CopyTo(array, arrayIndex);

        public bool Remove(int item) => _items.Remove(item);

        public IEnumerator<int> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Picky : IEnumerable<byte>
    {
        private readonly List<byte> _items = [];

        public void Add(byte item) => _items.Add(item == 13 ? throw new ArgumentOutOfRangeException(nameof(item)) : item);

        public IEnumerator<byte> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Failing;

    public sealed class FailingSerializer : ValueSerializer<Failing>
    {
        public override void Write(ref WireWriter writer, Failing value) => writer.WriteByte(1);

        public override Failing Read(ref WireReader reader) => throw new InvalidOperationException("mine");
    }

    public sealed class Grumpy : IEnumerable<byte>
    {
        private readonly List<byte> _items = [];

        public void Add(byte item) => _items.Add(item switch
        {
            13 => throw new KeyNotFoundException(),
            14 => throw new InvalidProgramException(),
            _ => item,
        });

        public IEnumerator<byte> GetEnumerator() => _items.GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Unfillable : IEnumerable<int>
    {
        public IEnumerator<int> GetEnumerator() => Enumerable.Empty<int>().GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public sealed class Twofold : IEnumerable<int>, IEnumerable<string>
    {
        IEnumerator<int> IEnumerable<int>.GetEnumerator() => Enumerable.Empty<int>().GetEnumerator();

        IEnumerator<string> IEnumerable<string>.GetEnumerator() => Enumerable.Empty<string>().GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => Enumerable.Empty<int>().GetEnumerator();
    }
}
