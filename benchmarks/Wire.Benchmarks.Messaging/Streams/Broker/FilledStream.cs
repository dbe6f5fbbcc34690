namespace Wire.Benchmarks.Messaging.Streams.Broker;

/// <summary>A stream with messages, which the rows of a table share: the first fills it, and the last deletes it.</summary>
/// <param name="broker">Where it is.</param>
/// <param name="load">A message.</param>
/// <param name="perEntry">How many go together in one entry; 1 for an entry each.</param>
internal sealed class FilledStream(StreamBroker broker, StreamLoad load, int perEntry)
{
    private readonly BenchStream _stream = new(broker);
    private int _users;

    public string Name => _stream.Name;

    public StreamBroker Broker => broker;

    public async Task OpenAsync(int messages)
    {
        if (_users++ == 0)
        {
            await _stream.CreateAsync();
            await _stream.FillAsync(load.Message, messages, perEntry);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (--_users == 0)
        {
            await _stream.DeleteAsync();
        }
    }
}
