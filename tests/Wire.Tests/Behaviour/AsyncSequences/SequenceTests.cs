using System.IO.Pipelines;
using Wire.Testing;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>An async sequence is written behind the value that leads to it, and read from there as it is enumerated.</summary>
public sealed class SequenceTests
{
    private readonly Serializer _serializer = Make();

    [Theory]
    [InlineData(false, false, 1)]
    [InlineData(false, true, 7)]
    [InlineData(true, false, 4096)]
    [InlineData(true, true, 1)]
    [InlineData(false, true, 4096)]
    public async Task Members_come_back_with_their_elements(bool references, bool dynamicCode, int segment)
    {
        Serializer serializer = Make(references, dynamicCode);
        byte[] bytes = await serializer.WriteAsync(MakeReport());

        foreach (PipeReader pipe in new[] { Pipe(bytes, segment), Trickle(bytes, segment) })
        {
            Report? report = await serializer.DeserializeAsync<Report>(pipe);

            Assert.Equal(("March", 2), (report!.Title, report.Count));
            Assert.Equal(Lines, await report.Lines!.ToListAsync());
            Assert.Equal(Numbers, await report.Numbers!.ToListAsync());
            Assert.True((await pipe.ReadAsync()) is { IsCompleted: true, Buffer.IsEmpty: true });
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(4096)]
    public async Task The_root_may_be_one(int segment)
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Lines));

        Assert.Equal(Lines, await (await _serializer.DeserializeAsync<IAsyncEnumerable<Line>>(Pipe(bytes, segment)))!.ToListAsync());
        Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<Line>(Pipe(bytes, segment)).ToListAsync());
        Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<object>(Trickle(bytes, segment), "").ToListAsync());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4096)]
    public async Task Elements_are_found_by_a_path(int segment)
    {
        byte[] bytes = await _serializer.WriteAsync(new Dictionary<string, Report> { ["a"] = MakeReport() });

        Assert.Equal(Lines, await _serializer.DeserializeElementsAsync<Line>(Pipe(bytes, segment), "[\"a\"].Lines").ToListAsync());
        Assert.Equal(Numbers, await _serializer.DeserializeElementsAsync<int>(Pipe(bytes, segment), "[\"a\"].Numbers").ToListAsync());
        await Assert.ThrowsAsync<KeyNotFoundException>(
            () => _serializer.DeserializeElementsAsync<int>(Pipe(bytes, segment), "[\"b\"].Numbers").ToListAsync().AsTask());
        await Assert.ThrowsAsync<WireFormatException>(
            () => _serializer.DeserializeElementsAsync<int>(Pipe(bytes, segment), "[\"a\"].Title").ToListAsync().AsTask());
    }

    [Fact]
    public async Task They_are_read_from_memory_and_streams_too()
    {
        byte[] bytes = await _serializer.WriteAsync(MakeReport());
        byte[] two = [.. bytes, .. _serializer.Serialize(1)];
        using var stream = new MemoryStream(two);
        using var connection = new TrickleStream(two, 3);
        using DeserializerSession session = _serializer.GetDeserializerSession();
        Report?[] reports =
        [
            _serializer.Deserialize<Report>(bytes), _serializer.Deserialize<Report>(Sequences.Chunked(bytes, 3)),
            _serializer.Deserialize<Report>(stream), _serializer.Deserialize<Report>(connection),
            _serializer.Deserialize<Report>(bytes, session), _serializer.Deserialize<Report>(two, out int consumed),
        ];

        Assert.Equal(bytes.Length, consumed);
        Assert.Equal(1, _serializer.Deserialize<int>(stream));
        Assert.Equal(1, _serializer.Deserialize<int>(connection));
        foreach (Report? report in reports)
        {
            // Each has its own place, so that they may be enumerated in any order.
            Assert.Equal(Numbers, await report!.Numbers!.ToListAsync());
            Assert.Equal(Lines, await report.Lines!.ToListAsync());
        }
    }

    [Fact]
    public async Task A_value_without_one_is_written_as_it_always_is()
    {
        object value = new List<Line>(Lines);

        byte[] bytes = await _serializer.WriteAsync(value);

        Assert.Equal(_serializer.Serialize(value), bytes);
        Assert.Equal(Lines, await _serializer.DeserializeAsync<List<Line>>(Trickle(bytes, 5)));
        Assert.Null(await _serializer.DeserializeAsync<object>(Trickle(await _serializer.WriteAsync<object?>(null), 1)));
        Report? report = await _serializer.DeserializeAsync<Report>(Trickle(await _serializer.WriteAsync(new Report { Count = 3 }), 1));
        Assert.Equal((3, null, null), (report!.Count, report.Lines, report.Numbers));
    }

    [Fact]
    public async Task Several_stand_behind_each_other_in_a_pipe()
    {
        byte[] one = await _serializer.WriteAsync(MakeReport());
        PipeReader pipe = Trickle([.. one, .. one, .. _serializer.Serialize(7)], 9);

        for (int i = 0; i < 2; i++)
        {
            Report? report = await _serializer.DeserializeAsync<Report>(pipe);
            Assert.Equal(Lines, await report!.Lines!.ToListAsync());
            Assert.Equal(Numbers, await report.Numbers!.ToListAsync());
        }

        Assert.Equal(7, await _serializer.DeserializeAsync<int>(pipe));
    }

    [Fact]
    public async Task What_has_been_read_is_written_again()
    {
        byte[] bytes = await _serializer.WriteAsync(MakeReport());

        Report? passing = await _serializer.DeserializeAsync<Report>(Trickle(bytes, 9));

        Assert.Equal(bytes, await _serializer.WriteAsync(passing));
    }

    [Fact]
    public async Task Null_elements_and_empty_sequences_come_back()
    {
        byte[] bytes = await _serializer.WriteAsync(
            new object[] { Source<string?>(["a", null, ""]), Source<int?>([null, 1]), Source(Array.Empty<Line>()) });

        object[]? parts = await _serializer.DeserializeAsync<object[]>(Trickle(bytes, 3));

        Assert.Equal(["a", null, ""], await ((IAsyncEnumerable<string?>)parts![0]).ToListAsync());
        Assert.Equal([null, 1], await ((IAsyncEnumerable<int?>)parts[1]).ToListAsync());
        Assert.Empty(await ((IAsyncEnumerable<Line>)parts[2]).ToListAsync());
    }

    [Fact]
    public async Task Operators_of_NET_and_channels_are_sources()
    {
        var channel = System.Threading.Channels.Channel.CreateUnbounded<int>();
        channel.Writer.TryWrite(1);
        channel.Writer.Complete();
        foreach (IAsyncEnumerable<int> source in new[]
        {
            channel.Reader.ReadAllAsync(), new[] { 1 }.ToAsyncEnumerable(), Source([0]).Select(number => number + 1),
        })
        {
            byte[] bytes = await _serializer.WriteAsync(source);
            Assert.Equal([1], await _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 5)).ToListAsync());
        }
    }

    [Fact]
    public async Task A_member_that_the_reader_does_not_have_is_passed_over_with_its_elements()
    {
        Serializer old = Make(change: options => options with { TypeFilter = WireTypeFilter.Default.Allow<Sale>().Allow<Refund>() });
        byte[] bytes = await old.WriteAsync(new OldReport { Lines = Source(Lines), Numbers = Source(Numbers) });
        var reader = new Serializer();

        Assert.Equal(Numbers, await (await reader.DeserializeAsync<NewReport>(Trickle(bytes, 9)))!.Numbers!.ToListAsync());
        Assert.Equal(Numbers, await reader.Deserialize<NewReport>(bytes)!.Numbers!.ToListAsync());
    }

    [Fact]
    public async Task One_object_in_two_places_is_one_with_references_and_without()
    {
        IAsyncEnumerable<int> source = Source(Numbers);
        byte[] apart = await _serializer.WriteAsync(new[] { source, source });
        Serializer tracking = Make(references: true);
        byte[] shared = await tracking.WriteAsync(new[] { source, source });

        IAsyncEnumerable<int>[] two = _serializer.Deserialize<IAsyncEnumerable<int>[]>(apart)!;
        IAsyncEnumerable<int>[] one = tracking.Deserialize<IAsyncEnumerable<int>[]>(shared)!;

        Assert.Same(one[0], one[1]);
        Assert.Equal(Numbers, await one[1].ToListAsync());
        Assert.Same(two[0], two[1]);
        Assert.Equal(Numbers, await two[1].ToListAsync());
    }

    [Fact]
    public async Task An_element_of_another_writer_may_be_a_payload_with_sequences_of_its_own()
    {
        byte[] element = await _serializer.WriteAsync(MakeReport());
        byte[] outer = await _serializer.WriteAsync(Source(Array.Empty<Report>()));
        byte[] bytes = [.. outer[..^4], .. BitConverter.GetBytes(element.Length), .. element, 0, 0, 0, 0];

        Report? report = Assert.Single(await _serializer.DeserializeElementsAsync<Report>(Trickle(bytes, 9)).ToListAsync());

        Assert.Equal(Numbers, await report!.Numbers!.ToListAsync());
        Assert.Equal(Lines, await report.Lines!.ToListAsync());
    }

    [Fact]
    public async Task Types_are_named_once_for_each_sequence()
    {
        byte[] few = await _serializer.WriteAsync(Source(Enumerable.Range(0, 10).Select(i => new Sale(i, "a"))));
        byte[] more = await _serializer.WriteAsync(Source(Enumerable.Range(0, 20).Select(i => new Sale(i, "a"))));

        // A length of four bytes, a header, a tag, the number and the text.
        Assert.Equal(10 * (4 + 1 + 1 + 4 + 2), more.Length - few.Length);
    }
}
