using System.Buffers;
using System.IO.Pipelines;
using Wire.Testing;
using static Wire.Tests.Behaviour.Frames.FrameModel;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>The end of a framed stream is told apart from a stream that is cut, and from a message that is null.</summary>
public sealed class FrameEndTests
{
    private readonly Serializer _serializer = Make();

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task The_end_is_no_error_and_anything_else_is(bool inPipe, bool inSession)
    {
        using SerializerSession writing = _serializer.GetSerializerSession();
        var stream = new MemoryStream();
        Letter?[] letters = [new Transfer { Cents = 1 }, null, new Refund { Cents = 2 }];
        foreach (Letter? letter in letters)
        {
            await (inSession
                ? _serializer.SerializeFramedAsync(letter, stream, writing)
                : _serializer.SerializeFramedAsync(letter, stream));
        }

        byte[] bytes = stream.ToArray();
        for (int length = 0; length <= bytes.Length; length++)
        {
            int begun = await ReadAsync(bytes[..length], letters, inPipe, inSession);
            Assert.InRange(begun, 0, letters.Length);
        }

        Assert.Equal(letters.Length, await ReadAsync(bytes, letters, inPipe, inSession));
    }

    private async Task<int> ReadAsync(byte[] bytes, Letter?[] letters, bool inPipe, bool inSession)
    {
        using DeserializerSession reading = _serializer.GetDeserializerSession();
        var stream = new TrickleStream(bytes, 3);
        PipeReader pipe = PipeReader.Create(new ReadOnlySequence<byte>(bytes));
        int count = 0, consumed = 0;
        while (true)
        {
            try
            {
                (bool found, Letter? letter) = await TryNextAsync();
                if (!found)
                {
                    Assert.Equal(bytes.Length, consumed);
                    WireFormatException end = await Assert.ThrowsAsync<WireFormatException>(NextAsync);
                    Assert.Equal(WireFormatError.EndOfStream, end.Error);
                    return count;
                }

                Assert.Equal((letters[count]?.GetType(), letters[count]?.Cents), (letter?.GetType(), letter?.Cents));
                consumed += FrameBytes(count++);
            }
            catch (WireFormatException e)
            {
                Assert.Equal(WireFormatError.Frame, e.Error);
                Assert.InRange(bytes.Length, consumed + 1, consumed + FrameBytes(count) - 1);
                return count;
            }
        }

        async Task<(bool, Letter?)> TryNextAsync() => (inPipe, inSession) switch
        {
            (false, false) => await _serializer.TryDeserializeFramedAsync<Letter>(stream),
            (false, true) => await _serializer.TryDeserializeFramedAsync<Letter>(stream, reading),
            (true, false) => await _serializer.TryDeserializeFramedAsync<Letter>(pipe),
            _ => await _serializer.TryDeserializeFramedAsync<Letter>(pipe, reading),
        };

        async Task NextAsync() => _ = (inPipe, inSession) switch
        {
            (false, false) => await _serializer.DeserializeFramedAsync<Letter>(stream),
            (false, true) => await _serializer.DeserializeFramedAsync<Letter>(stream, reading),
            (true, false) => await _serializer.DeserializeFramedAsync<Letter>(pipe),
            _ => await _serializer.DeserializeFramedAsync<Letter>(pipe, reading),
        };

        int FrameBytes(int index)
        {
            using SerializerSession session = _serializer.GetSerializerSession();
            int size = 0;
            foreach (Letter? letter in letters.Take(index + 1))
            {
                var output = new ArrayBufferWriter<byte>();
                size = inSession ? _serializer.SerializeFramed(letter, output, session) : _serializer.SerializeFramed(letter, output);
            }

            return size;
        }
    }
}
