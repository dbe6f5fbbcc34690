using System.Collections.Immutable;
using System.IO.Pipelines;
using Wire.Testing;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>The elements of an ordinary collection are read one by one from an ordinary payload, as its bytes come.</summary>
public sealed class ElementReadingTests
{
    private readonly Serializer _serializer = Make(change: options => options with { TypeFilter = options.TypeFilter.Allow<Box>() });

    public static TheoryData<object> Collections() =>
    [
        new List<Line>(Lines), Lines.ToArray(), Lines.ToHashSet(), new LinkedList<Line>(Lines), Lines.ToImmutableArray(),
        Lines.Cast<object>().ToList(), new Queue<Line>(Lines), Lines.AsReadOnly(), Lines.Where(line => line.Number >= 0),
    ];

    [Theory]
    [MemberData(nameof(Collections))]
    public async Task Elements_of_each_kind_of_collection_come(object collection)
    {
        byte[] root = _serializer.Serialize(collection);
        byte[] member = _serializer.Serialize(new Box { Before = ["x", "y"], Content = collection, Behind = Lines });
        foreach (int size in new[] { 1, 13, 4096 })
        {
            Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<Line>(Pipe(root, size)).ToListAsync());
            Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<Line>(Trickle(member, size), "Content").ToListAsync());
            Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<object>(Trickle(member, size), "Content").ToListAsync());
        }
    }

    [Fact]
    public async Task Numbers_texts_and_pairs_come()
    {
        string[] texts = ["a", "", new string('x', 9000)];
        var map = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["b"] = 2 };
        byte[] bytes = _serializer.Serialize(new object[] { Numbers, texts, map });

        Assert.Equal(Numbers, await _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 3), "[0]").ToListAsync());
        Assert.Equal([5L, 6L, 7L], await _serializer.DeserializeElementsAsync<long>(Trickle(bytes, 3), "[0]").ToListAsync());
        Assert.Equal(texts, await _serializer.DeserializeElementsAsync<string>(Trickle(bytes, 100), "[1]").ToListAsync());
        Assert.Equal(map, await _serializer.DeserializeElementsAsync<KeyValuePair<string, int>>(Trickle(bytes, 3), "[2]").ToListAsync());
        Assert.Empty(await _serializer.DeserializeElementsAsync<int>(Trickle(_serializer.Serialize(Array.Empty<int>()), 3)).ToListAsync());
    }

    [Fact]
    public async Task An_element_comes_before_the_next_one_is_there()
    {
        byte[] bytes = _serializer.Serialize(new List<Line>(Lines));
        var pipe = new Pipe();
        await using IAsyncEnumerator<Line?> elements = _serializer.DeserializeElementsAsync<Line>(pipe.Reader).GetAsyncEnumerator();
        var read = new List<Line?>();
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, bytes.Length - 1));
        for (int i = 1; i < Lines.Length; i++)
        {
            Assert.True(await elements.MoveNextAsync());
            read.Add(elements.Current);
        }

        Task<bool> last = elements.MoveNextAsync().AsTask();
        Assert.NotSame(last, await Task.WhenAny(last, Task.Delay(100)));
        await pipe.Writer.WriteAsync(bytes.AsMemory(bytes.Length - 1));
        Assert.True(await last);
        read.Add(elements.Current);

        Assert.Equal(Lines, read);
        Assert.False(await elements.MoveNextAsync());
    }

    [Fact]
    public async Task Cut_anywhere_the_whole_elements_come_and_then_an_error()
    {
        byte[] bytes = _serializer.Serialize(new List<Line>(Lines));
        int before = 0;
        for (int cut = 0; cut < bytes.Length; cut++)
        {
            var read = new List<Line?>();
            Exception? error = await Record.ExceptionAsync(async () =>
            {
                await foreach (Line? line in _serializer.DeserializeElementsAsync<Line>(Pipe(bytes[..cut], 16)))
                {
                    read.Add(line);
                }
            });

            Assert.IsType<WireFormatException>(error);
            Assert.Equal(Lines[..read.Count], read);
            Assert.InRange(read.Count, before, before + 1);
            before = read.Count;
        }

        Assert.Equal(Lines.Length - 1, before);
    }

    [Fact]
    public async Task What_stands_behind_is_left_in_the_pipe()
    {
        byte[] bytes = _serializer.Serialize(new[] { 1, 2 });
        PipeReader pipe = Pipe([.. bytes, .. _serializer.Serialize("next")], 4096);

        Assert.Equal([1, 2], await _serializer.DeserializeElementsAsync<int>(pipe).ToListAsync());

        Assert.Equal("next", await _serializer.DeserializeAsync<string>(pipe));
    }

    [Fact]
    public async Task References_are_refused_with_what_to_do()
    {
        Serializer tracking = Make(references: true);
        byte[] bytes = tracking.Serialize(new List<Line>(Lines));

        WireFormatException error = await FailAsync<Line>(bytes, "");

        Assert.Equal(WireFormatError.Reference, error.Error);
        Assert.Contains("as an IAsyncEnumerable", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_has_no_elements_is_refused()
    {
        byte[] bytes = _serializer.Serialize(new Box { Before = ["x"], Content = 1 });

        Assert.Equal(WireFormatError.TypeMismatch, (await FailAsync<object>(bytes, "Content")).Error);
        Assert.Equal(WireFormatError.TypeMismatch, (await FailAsync<object>(bytes, "Behind")).Error);
        await Assert.ThrowsAsync<KeyNotFoundException>(
            () => _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 9), "Missing").ToListAsync().AsTask());
        await Assert.ThrowsAsync<FormatException>(
            () => _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 9), "[").ToListAsync().AsTask());
    }

    [Fact]
    public async Task An_element_that_is_refused_is_named_by_its_place()
    {
        Serializer strict = Make(change: options => options with { TypeFilter = WireTypeFilter.Default.Allow<Sale>().Allow<Box>() });
        byte[] bytes = _serializer.Serialize(new Box { Content = new List<Line> { new Sale(1, "a"), new Refund(2, null) } });

        var read = new List<Line?>();
        TypeRefusedException error = await Assert.ThrowsAsync<TypeRefusedException>(async () =>
        {
            await foreach (Line? line in strict.DeserializeElementsAsync<Line>(Trickle(bytes, 9), "Content"))
            {
                read.Add(line);
            }
        });

        Assert.Equal([new Sale(1, "a")], read);
        Assert.Equal("Content[1]", error.MemberPath);
    }

    [Fact]
    public async Task Limits_are_those_of_each_element()
    {
        Serializer small = Make(
            change: options => options with { Limits = Limits.Default with { MaxFrameBytes = 200, MaxObjects = 3, MaxBytes = 1 << 20 } });
        byte[] bytes = _serializer.Serialize(new List<Line>(Lines));

        Assert.InRange(bytes.Length, 201, int.MaxValue);
        Assert.Equal(Lines, await small.DeserializeElementsAsync<Line>(Trickle(bytes, 9)).ToListAsync());
        byte[] large = _serializer.Serialize(new[] { "a", new string('x', 300) });
        WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(
            () => small.DeserializeElementsAsync<string>(Trickle(large, 9)).ToListAsync().AsTask());
        Assert.Equal(WireFormatError.Limit, error.Error);
    }

    private async Task<WireFormatException> FailAsync<T>(byte[] bytes, string path) => await Assert.ThrowsAsync<WireFormatException>(
        () => _serializer.DeserializeElementsAsync<T>(Trickle(bytes, 9), path).ToListAsync().AsTask());

    internal sealed class Box
    {
        public string[]? Before { get; init; }

        public object? Content { get; init; }

        public IReadOnlyList<Line>? Behind { get; init; }
    }
}
