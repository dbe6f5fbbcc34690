using System.IO.Pipelines;
using System.Runtime.Serialization;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>Async sequences that the reader's types lack, and what is asked for too early or not to the end.</summary>
public sealed class SequencePassingTests
{
    // What the callback met: only one test runs it.
    private static Exception? _early;

    private readonly Serializer _serializer = Make();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_program_in_the_middle_never_passes_one_sequence_for_another(bool references)
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        byte[] bytes = await serializer.WriteAsync(
            new Newer { Extra = Source([1, 2]), Nested = new[] { Source([3]) }, Note = "kept", Orders = Source(Numbers) });

        var middle = new Serializer(serializer.Options);
        foreach (Middle? read in new[] { await middle.DeserializeAsync<Middle>(Trickle(bytes, 9)), middle.Deserialize<Middle>(bytes) })
        {
            Assert.Equal(["Extra", "Nested"], read!.UnknownMembers!.Dropped.Order());
            Assert.Equal(["Note"], read.UnknownMembers.Names);
            Newer? last = new Serializer(serializer.Options).Deserialize<Newer>(await middle.WriteAsync(read));

            Assert.Equal((null, null, "kept"), (last!.Extra, last.Nested, last.Note));
            Assert.Equal(Numbers, await last.Orders!.ToListAsync());
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_source_that_gives_its_elements_once_may_be_in_two_places(bool references)
    {
        var channel = System.Threading.Channels.Channel.CreateUnbounded<int>();
        Assert.All(Numbers, number => Assert.True(channel.Writer.TryWrite(number)));
        channel.Writer.Complete();
        IAsyncEnumerable<int> source = channel.Reader.ReadAllAsync();
        byte[] bytes = await Make(references).WriteAsync(new[] { source, Source([1]), source });

        foreach (IAsyncEnumerable<int>[]? read in new[]
        {
            await Make().DeserializeAsync<IAsyncEnumerable<int>[]>(Trickle(bytes, 9)), Make().Deserialize<IAsyncEnumerable<int>[]>(bytes),
        })
        {
            Assert.Same(read![0], read[2]);
            Assert.Equal(Numbers, await read[2].ToListAsync());
            Assert.Equal([1], await read[1].ToListAsync());
        }
    }

    [Fact]
    public async Task Sequences_that_the_type_lacks_are_passed_over_to_the_end_of_the_payload()
    {
        byte[] bytes = await new Serializer().WriteAsync(new Both { First = Source(Numbers), Second = Source(Enumerable.Range(0, 20)) });
        PipeReader pipe = Trickle([.. bytes, .. bytes, .. bytes, .. _serializer.Serialize(7)], 9);

        OnlyFirst? first = await new Serializer().DeserializeAsync<OnlyFirst>(pipe);
        Assert.Equal(Numbers, await first!.First!.ToListAsync());
        Assert.NotNull(await new Serializer().DeserializeAsync<Neither>(pipe));
        OnlyFirst? next = await new Serializer().DeserializeAsync<OnlyFirst>(pipe);
        Assert.Equal(Numbers, await next!.First!.ToListAsync());

        Assert.Equal(7, await _serializer.DeserializeAsync<int>(pipe));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(9)]
    public async Task A_cut_in_a_sequence_that_the_type_lacks_is_refused(int missing)
    {
        byte[] bytes = (await new Serializer().WriteAsync(new Both { First = Source(Numbers), Second = Source(Numbers) }))[..^missing];

        OnlyFirst? first = await new Serializer().DeserializeAsync<OnlyFirst>(Trickle(bytes, 9));
        var read = new List<int>();
        WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(async () =>
        {
            await foreach (int number in first!.First!)
            {
                read.Add(number);
            }
        });
        WireFormatException none = await Assert.ThrowsAsync<WireFormatException>(
            () => new Serializer().DeserializeAsync<Neither>(Trickle(bytes, 9)).AsTask());

        Assert.Equal(Numbers, read);
        Assert.Equal((WireFormatError.Frame, WireFormatError.Frame), (error.Error, none.Error));

        // By its path, one sequence is read, and not what stands behind it.
        Assert.Equal(Numbers, await new Serializer().DeserializeElementsAsync<int>(Trickle(bytes, 9), "First").ToListAsync());
    }

    [Fact]
    public async Task A_token_ends_the_elements_that_are_there()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Lines));
        byte[] list = _serializer.Serialize(new List<Line>(Lines));
        foreach (Func<CancellationToken, IAsyncEnumerable<Line?>> read in new Func<CancellationToken, IAsyncEnumerable<Line?>>[]
        {
            token => _serializer.DeserializeElementsAsync<Line>(Pipe(bytes, 4096), null, token),
            token => _serializer.DeserializeElementsAsync<Line>(Pipe(list, 4096), null, token),
            _ => _serializer.Deserialize<IAsyncEnumerable<Line?>>(bytes)!,
        })
        {
            using var stop = new CancellationTokenSource();
            int count = 0;

            await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            {
                await foreach (Line? line in read(stop.Token).WithCancellation(stop.Token))
                {
                    count++;
                    await stop.CancelAsync();
                }
            });

            Assert.Equal(1, count);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(
                () => read(stop.Token).ToListAsync(stop.Token).AsTask());
        }
    }

    [Fact]
    public async Task What_enumerates_while_the_value_is_read_is_told_so()
    {
        var serializer = new Serializer(new SerializerOptions { UseSerializationCallbacks = true });
        byte[] bytes = await serializer.WriteAsync(new Hasty { Numbers = Source(Numbers) });

        Assert.NotNull(await serializer.DeserializeAsync<Hasty>(Pipe(bytes, 4096)));

        Assert.Contains("when that has been read", Assert.IsType<InvalidOperationException>(_early).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Elements_that_are_not_asked_for_are_in_the_pipe_at_once()
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(_serializer.Serialize(new[] { 1, 2, 3 }));

        Assert.Equal(1, await _serializer.DeserializeElementsAsync<int>(pipe.Reader).FirstAsync());

        Assert.True(pipe.Reader.TryRead(out ReadResult left));
        Assert.Equal(2 * sizeof(int), left.Buffer.Length);
    }

    [WireName("Tests.Passing")]
    internal sealed class Newer
    {
        public IAsyncEnumerable<int>? Extra { get; init; }

        public object? Nested { get; init; }

        public string? Note { get; init; }

        public IAsyncEnumerable<int>? Orders { get; init; }
    }

    [WireName("Tests.Passing")]
    internal sealed class Middle : IUnknownMembers
    {
        public IAsyncEnumerable<int>? Orders { get; init; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    [WireName("Tests.Both")]
    internal sealed class Both
    {
        public string? Title { get; init; }

        public IAsyncEnumerable<int>? First { get; init; }

        public IAsyncEnumerable<int>? Second { get; init; }
    }

    [WireName("Tests.Both")]
    internal sealed class OnlyFirst
    {
        public IAsyncEnumerable<int>? First { get; init; }
    }

    [WireName("Tests.Both")]
    internal sealed class Neither
    {
        public string? Title { get; init; }
    }

    internal sealed class Hasty
    {
        public IAsyncEnumerable<int>? Numbers { get; init; }

        [OnDeserialized]
        private void Enumerate(StreamingContext context) =>
            _early = Record.Exception(() => Numbers!.GetAsyncEnumerator().MoveNextAsync().AsTask().GetAwaiter().GetResult());
    }
}
