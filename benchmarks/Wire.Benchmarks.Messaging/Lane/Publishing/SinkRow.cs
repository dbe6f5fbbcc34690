using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Publishing;

/// <summary>Publishes to a sink, one message after the other, until all have arrived.</summary>
/// <param name="sender">How.</param>
/// <param name="load">What.</param>
/// <param name="messages">How many.</param>
/// <param name="sink">Where.</param>
internal sealed class SinkRow(Sender sender, Load load, int messages, SinkProcess sink) : MessageRow(sender.Name, messages)
{
    public override Task OpenAsync() => sender.OpenAsync(sink.Uri);

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await sender.SendAsync(load);
        }

        await sender.FlushAsync();
        await sink.AwaitAsync(Messages);
    }

    public override ValueTask CloseAsync() => sender.DisposeAsync();
}
