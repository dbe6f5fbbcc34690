using System.Buffers.Binary;
using System.IO.Pipelines;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>Bytes that are cut or changed: the elements before that place come as they were, and what is not whole is refused.</summary>
public sealed class SequenceDamageTests
{
    private const int Header = 5;
    private const int Length = 4;

    private readonly Serializer _serializer = Make();

    [Fact]
    public async Task Cut_anywhere_the_whole_elements_come_and_then_an_error()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Lines));
        int[] ends = Ends(bytes);
        for (int cut = 0; cut < bytes.Length; cut++)
        {
            (List<Line> read, Exception? error) = await ReadAsync(bytes[..cut]);

            Assert.Equal(Lines[..ends.Count(end => end <= cut)], read);
            Assert.IsType<WireFormatException>(error);
            Assert.IsType<WireFormatException>(Record.Exception(() => _serializer.Deserialize<object>(bytes[..cut])));
        }
    }

    [Fact]
    public async Task Changed_anywhere_the_elements_in_front_are_the_same()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Lines));
        int[] ends = Ends(bytes);
        int refused = 0;
        for (int at = 0; at < bytes.Length; at++)
        {
            foreach (byte change in new byte[] { 0x01, 0x80, 0xFF })
            {
                byte[] damaged = [.. bytes];
                damaged[at] ^= change;

                (List<Line> read, Exception? error) = await ReadAsync(damaged);

                Line[] before = Lines[..ends.Count(end => end <= at)];
                Assert.Equal(before, read.Take(before.Length));
                Assert.True(error is null or WireFormatException, $"{at}: {error}");
                refused += error is null ? 0 : 1;

                // From memory, the same comes of the same bytes, or they are refused before.
                Exception? whole = await Record.ExceptionAsync(
                    async () => Assert.Equal(read, await _serializer.Deserialize<IAsyncEnumerable<Line>>(damaged)!.ToListAsync()));
                Assert.True(whole is WireFormatException || (whole is null && error is null), $"{at}: {whole}");
            }
        }

        Assert.InRange(refused, bytes.Length, 3 * bytes.Length);
    }

    [Fact]
    public async Task A_number_of_sequences_that_are_not_there_is_refused()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Numbers));
        byte[] more = [.. bytes];
        more[1]++;
        byte[] none = [.. bytes];
        none[1] = 0;

        Assert.Equal(WireFormatError.Truncated, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(more)).Error);
        Assert.Equal(WireFormatError.Header, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(none)).Error);
    }

    [Fact]
    public async Task A_number_of_no_sequence_is_refused()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Numbers));
        int length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(Header));
        byte[] value = bytes[(Header + Length)..(Header + Length + length)];

        // The value alone, and with a number that is too large.
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(value)).Error);
        bytes[Header + Length + length - 4] = 1;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(bytes)).Error);
        Assert.Equal(
            WireFormatError.InvalidValue,
            (await Assert.ThrowsAsync<WireFormatException>(() => _serializer.DeserializeAsync<object>(Trickle(bytes, 3)).AsTask())).Error);
    }

    [Fact]
    public async Task A_value_that_is_a_message_of_a_session_is_refused()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Numbers));
        bytes[Header + Length] |= 0x04;

        Assert.Equal(WireFormatError.Header, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(bytes)).Error);
        Assert.Equal(
            WireFormatError.Header,
            (await Assert.ThrowsAsync<WireFormatException>(() => _serializer.DeserializeAsync<object>(Trickle(bytes, 3)).AsTask())).Error);
    }

    [Fact]
    public async Task A_value_that_is_shorter_than_its_length_is_refused()
    {
        byte[] bytes = await _serializer.WriteAsync(Source(Numbers));
        int length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(Header));
        byte[] longer = [.. bytes[..(Header + Length + length)], 0, .. bytes[(Header + Length + length)..]];
        longer[Header]++;

        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(longer)).Error);
        Assert.Equal(
            WireFormatError.TrailingBytes,
            (await Assert.ThrowsAsync<WireFormatException>(() => _serializer.DeserializeAsync<object>(Trickle(longer, 3)).AsTask())).Error);
    }

    [Fact]
    public async Task Who_reads_no_elements_says_what_does()
    {
        byte[] bytes = await _serializer.WriteAsync(MakeReport());
        foreach (Action<byte[]> read in new Action<byte[]>[]
        {
            payload => _serializer.DeserializeTyped<Report>(payload), payload => _serializer.Read<string>(payload, "Title"),
            payload => PayloadDocument.Parse(payload), payload => _serializer.Path<string>("Title").Read(payload),
        })
        {
            WireFormatException error = Assert.Throws<WireFormatException>(() => read(bytes));
            Assert.Equal(WireFormatError.Header, error.Error);
            Assert.Contains("DeserializeElementsAsync", error.Message, StringComparison.Ordinal);
        }
    }

    // Where each element ends.
    private static int[] Ends(byte[] bytes)
    {
        var ends = new List<int>();
        int at = Header;
        while (at < bytes.Length)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
            at += Length + length;
            ends.Add(at);
        }

        // The first is the value, and the last the end.
        return [.. ends.Skip(1).SkipLast(1)];
    }

    private async Task<(List<Line> Read, Exception? Error)> ReadAsync(byte[] bytes)
    {
        var read = new List<Line>();
        PipeReader pipe = Pipe(bytes, 64);
        Exception? error = await Record.ExceptionAsync(async () =>
        {
            await foreach (Line? line in _serializer.DeserializeElementsAsync<Line>(pipe))
            {
                read.Add(line!);
            }
        });
        return (read, error);
    }
}
