namespace Actors.Trial;

/// <summary>What has come of messages of which some were under way when the receiving process was killed.</summary>
/// <param name="Sent">How many were sent.</param>
/// <param name="Before">How many the killed process had received.</param>
/// <param name="After">How many the next one has received.</param>
/// <param name="Lost">How many are missing, by their numbers, between the last one of the killed process and the first of the next.</param>
/// <param name="Misread">How many of all that were ever received had another content than was sent.</param>
/// <param name="InOrder">Whether each of the two has received its messages in a row, from the first one sent to the last one.</param>
/// <param name="Connections">The number of connections, each with its own sessions.</param>
internal sealed record Loss(long Sent, long Before, long After, long Lost, long Misread, bool InOrder, int Connections)
{
    /// <summary>Gets whether what was received and what is missing is what was sent: none came twice.</summary>
    public bool AddsUp => Before + After + Lost == Sent;

    /// <summary>Kills the other process while messages are sent to it, and starts it again.</summary>
    public static async Task<Loss> RunAsync(Cluster cluster, long messages)
    {
        long first = cluster.Sent;
        using var killed = new CancellationTokenSource();
        Task sending = SendUntilAsync(cluster, messages, killed.Token);
        while (cluster.Tally.Received < first + (messages / 2))
        {
            await Task.Delay(1);
        }

        Tally before = await cluster.KillOtherAsync();
        await killed.CancelAsync();
        cluster.RestartOther();
        await sending;
        await cluster.CountAsync();
        Tally after = cluster.Tally;
        return new Loss(
            cluster.Sent - first,
            before.Received - first,
            after.Received,
            after.First - before.Last - 1,
            before.Misread + after.Misread,
            (before.Gaps, after.Gaps) == (0, 0) && (before.First, after.Last) == (0, cluster.Sent - 1) && after.First > before.Last,
            cluster.Peer.Connections);
    }

    // Without an end, so that there is traffic when the process is killed; and then half of the messages once more.
    private static async Task SendUntilAsync(Cluster cluster, long messages, CancellationToken killed)
    {
        while (!killed.IsCancellationRequested)
        {
            await cluster.SendTradesAsync(100);
        }

        await cluster.SendTradesAsync(messages / 2);
    }
}
