using System.Buffers;
using System.IO.Pipelines;
using Wire.Testing;
using static Wire.Tests.Behaviour.Frames.FrameModel;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>Frames that a pipe already has are read without waiting for it; whatever it has or lacks, the same frames come.</summary>
public sealed class FramePipeTests
{
    private static readonly Letter[] Letters = [.. Enumerable.Range(0, 100).Select(i => new Transfer { Cents = i, To = $"No. {i}" })];

    private readonly Serializer _serializer = Make();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Only_the_end_is_waited_for_where_all_frames_are_there(bool hasDeadLetters)
    {
        var pipe = new CountingPipe(PipeReader.Create(new ReadOnlySequence<byte>(Write())));

        Assert.Equal(Cents(Letters), Cents(await ReadAsync(pipe, hasDeadLetters)));
        Assert.Equal(1, pipe.Waits);
    }

    [Fact]
    public async Task A_pipe_that_gives_nothing_without_waiting_is_waited_for()
    {
        var pipe = new CountingPipe(PipeReader.Create(new ReadOnlySequence<byte>(Write()))) { IsReluctant = true };

        Assert.Equal(Cents(Letters), Cents(await ReadAsync(pipe, hasDeadLetters: true)));
        Assert.Equal(Letters.Length + 1, pipe.Waits);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(64)]
    public async Task Frames_may_be_cut_anywhere(int size)
    {
        byte[] bytes = Write();

        Assert.Equal(Cents(Letters), Cents(await ReadAsync(PipeReader.Create(Sequences.Chunked(bytes, size)), hasDeadLetters: false)));
        Assert.Equal(Cents(Letters), Cents(await ReadAsync(Pipe(bytes, atOnce: size), hasDeadLetters: true)));
    }

    [Fact]
    public async Task A_cancelled_read_consumes_nothing_of_a_frame_that_is_there()
    {
        var memory = new Pipe();
        await memory.Writer.WriteAsync(Write());
        await memory.Writer.CompleteAsync();
        PipeReader pipe = memory.Reader;

        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _serializer.DeserializeFramedAsync<Letter>(pipe, new CancellationToken(canceled: true)).AsTask());
        pipe.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _serializer.DeserializeFramedAsync<Letter>(pipe).AsTask());

        Assert.Equal(Cents(Letters), Cents(await ReadAsync(pipe, hasDeadLetters: false)));
    }

    [Fact]
    public async Task A_frame_that_is_too_large_is_refused_each_time_that_it_is_looked_at()
    {
        Serializer small = Make(change: options => options with { Limits = Limits.Default with { MaxFrameBytes = 8 } });
        PipeReader pipe = PipeReader.Create(new ReadOnlySequence<byte>(Write()));

        for (int i = 0; i < 2; i++)
        {
            WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(
                () => small.DeserializeFramedAsync<Letter>(pipe).AsTask());
            Assert.Equal(WireFormatError.Limit, error.Error);
        }

        Assert.Equal(Cents(Letters), Cents(await ReadAsync(pipe, hasDeadLetters: false)));
    }

    private static int[] Cents(IEnumerable<Letter?> letters) => [.. letters.Select(letter => letter!.Cents)];

    private byte[] Write()
    {
        var output = new ArrayBufferWriter<byte>();
        using SerializerSession session = _serializer.GetSerializerSession();
        foreach (Letter letter in Letters)
        {
            _serializer.SerializeFramed(letter, output, session);
        }

        return output.WrittenSpan.ToArray();
    }

    private async Task<List<Letter?>> ReadAsync(PipeReader pipe, bool hasDeadLetters)
    {
        using DeserializerSession session = _serializer.GetDeserializerSession();
        return await (hasDeadLetters
            ? _serializer.DeserializeAllFramedAsync<Letter>(pipe, session, static letter => throw letter.Exception)
            : _serializer.DeserializeAllFramedAsync<Letter>(pipe, session)).ToListAsync();
    }

    /// <summary>Counts how often it is waited for.</summary>
    private sealed class CountingPipe(PipeReader inner) : PipeReader
    {
        /// <summary>Gets or sets whether it never says without waiting what it has.</summary>
        public bool IsReluctant { get; init; }

        public int Waits { get; private set; }

        public override bool TryRead(out ReadResult result)
        {
            result = default;
            return !IsReluctant && inner.TryRead(out result);
        }

        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
        {
            Waits++;
            return inner.ReadAsync(cancellationToken);
        }

        public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);

        public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => inner.AdvanceTo(consumed, examined);

        public override void CancelPendingRead() => inner.CancelPendingRead();

        public override void Complete(Exception? exception = null) => inner.Complete(exception);
    }
}
