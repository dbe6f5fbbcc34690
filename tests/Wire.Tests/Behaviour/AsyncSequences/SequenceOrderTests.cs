using System.IO.Pipelines;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>Async sequences in a pipe are read once each, in their order.</summary>
public sealed class SequenceOrderTests
{
    private readonly Serializer _serializer = Make();

    [Fact]
    public async Task The_second_passes_over_the_first()
    {
        Report report = await ReadAsync();

        Assert.Equal(Numbers, await report.Numbers!.ToListAsync());
        InvalidOperationException error =
            await Assert.ThrowsAsync<InvalidOperationException>(() => report.Lines!.ToListAsync().AsTask());
        Assert.Contains("passed over", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_second_passes_over_what_is_left_of_the_first()
    {
        Report report = await ReadAsync();
        await using IAsyncEnumerator<Line> lines = report.Lines!.GetAsyncEnumerator();
        Assert.True(await lines.MoveNextAsync());

        Assert.Equal(Numbers, await report.Numbers!.ToListAsync());
        await Assert.ThrowsAsync<InvalidOperationException>(() => lines.MoveNextAsync().AsTask());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task None_is_enumerated_twice(bool isInPipe)
    {
        Report report = isInPipe ? await ReadAsync() : _serializer.Deserialize<Report>(await _serializer.WriteAsync(MakeReport()))!;
        Assert.Equal(Lines[..2], await report.Lines!.Take(2).ToListAsync());

        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => report.Lines!.GetAsyncEnumerator());

        Assert.Contains("enumerated before", error.Message, StringComparison.Ordinal);
        Assert.Equal(Numbers, await report.Numbers!.ToListAsync());
    }

    [Fact]
    public async Task An_element_that_is_refused_ends_its_sequence_and_no_other()
    {
        Serializer strict = Make(change: options => options with { TypeFilter = WireTypeFilter.Default.Allow<Sale>().Allow<Report>() });
        var mixed = new Report { Lines = Source<Line>([new Sale(1, "a"), new Refund(2, null)]), Numbers = Source(Numbers) };
        Report? report = await strict.DeserializeAsync<Report>(Trickle(await _serializer.WriteAsync(mixed), 9));

        var read = new List<Line>();
        TypeRefusedException error = await Assert.ThrowsAsync<TypeRefusedException>(async () =>
        {
            await foreach (Line line in report!.Lines!)
            {
                read.Add(line);
            }
        });

        Assert.Equal([new Sale(1, "a")], read);
        Assert.Equal("[1]", error.MemberPath);
        Assert.Equal(Numbers, await report!.Numbers!.ToListAsync());
    }

    [Fact]
    public async Task Elements_of_another_type_are_refused()
    {
        byte[] bytes = await _serializer.WriteAsync(Source<object>([1, 2]));

        WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(
            () => _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 9)).ToListAsync().AsTask());

        Assert.Equal(WireFormatError.TypeMismatch, error.Error);
        Assert.Equal([1, 2], await _serializer.DeserializeElementsAsync<object>(Trickle(bytes, 9)).ToListAsync());
    }

    [Fact]
    public async Task A_cancelled_wait_ends_the_enumeration()
    {
        byte[] bytes = await _serializer.WriteAsync(MakeReport());
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(bytes.AsMemory(0, bytes.Length / 2));
        Report? report = await _serializer.DeserializeAsync<Report>(pipe.Reader);
        using var stop = new CancellationTokenSource();
        int count = 0;

        Task reading = Task.Run(async () =>
        {
            await foreach (Line line in report!.Lines!.WithCancellation(stop.Token))
            {
                count++;
            }
        });
        await Task.WhenAny(reading, Task.Delay(200));
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        Assert.InRange(count, 1, Lines.Length - 1);
    }

    private async Task<Report> ReadAsync() =>
        (await _serializer.DeserializeAsync<Report>(Trickle(await _serializer.WriteAsync(MakeReport()), 9)))!;
}
