using Wire.AsyncSequences;
using Wire.Framing;

namespace Wire.ValueSerializers.Collections;

/// <summary>An async sequence that has been read: its elements are read from the payload when they are asked for.</summary>
/// <param name="serializer">The serializer that reads them.</param>
/// <param name="frames">Their frames.</param>
internal sealed class AsyncSequence<T>(Serializer serializer, SequenceFrames frames) : IAsyncEnumerable<T>
{
    /// <exception cref="InvalidOperationException">It has been enumerated before.</exception>
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        frames.Begin();
        return ReadAsync(cancellationToken);
    }

    private async IAsyncEnumerator<T> ReadAsync(CancellationToken cancellationToken)
    {
        using DeserializerSession session = serializer.GetDeserializerSession();
        long index = 0;
        while (true)
        {
            // What is there already is read without a wait, which alone would look at the token.
            cancellationToken.ThrowIfCancellationRequested();
            ReceivedFrame frame = await frames.NextAsync(cancellationToken).ConfigureAwait(false);
            if (!frame.IsFound)
            {
                yield break;
            }

            T element;
            try
            {
                element = serializer.Deserialize<T>(frame.Payload, session)!;
            }
            catch (WireFormatException e)
            {
                e.LocateIn($"[{index}]");
                throw;
            }
            finally
            {
                frame.Release();
            }

            index++;
            yield return element;
        }
    }
}
