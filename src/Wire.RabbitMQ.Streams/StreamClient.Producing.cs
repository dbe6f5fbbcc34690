namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamClient
{
    /// <summary>Makes a producer of a stream, and connects it.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="options">How it behaves.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">An option is out of range: the message names it, and says what it may be.</exception>
    /// <exception cref="StreamException">The broker refuses it: there is no such stream, for example.</exception>
    /// <exception cref="StreamConnectionException">The node with the stream's leader cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public async Task<StreamProducer> CreateProducerAsync(string stream, StreamProducerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        var producer = new StreamProducer(this, stream, (options ?? new StreamProducerOptions()).Validate());
        try
        {
            await producer.ConnectAsync(cancellationToken).ConfigureAwait(false);
            return producer;
        }
        catch
        {
            await producer.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
