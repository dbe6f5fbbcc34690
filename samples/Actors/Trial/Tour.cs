using System.Text.Json;

namespace Actors.Trial;

/// <summary>What has come of one message of each kind.</summary>
/// <param name="Singleton">Whether a system message was the one instance on both nodes.</param>
/// <param name="Reference">Whether references came back as the objects that they were.</param>
/// <param name="Failure">The type of the exception that came as an answer.</param>
/// <param name="Stowaway">What became of an object that no message should hold.</param>
/// <param name="GoesOn">Whether the same connection then brought the next message.</param>
internal sealed record Tour(bool Singleton, bool Reference, string Failure, string Stowaway, bool GoesOn)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public static async Task<Tour> RunAsync(Cluster cluster)
    {
        (string stowaway, bool goesOn) = await SendStowawayAsync(cluster);
        return new Tour(
            await SendSingletonAsync(cluster), await SendReferenceAsync(cluster), await FailAsync(cluster), stowaway, goesOn);
    }

    private static async Task<bool> SendSingletonAsync(Cluster cluster)
    {
        Echo echo = await cluster.System.AskAsync<Echo>(cluster.Clerk, Ping.Instance, Patience);
        return echo.WasInstance && ReferenceEquals(echo.Original, Ping.Instance);
    }

    private static async Task<bool> SendReferenceAsync(Cluster cluster)
    {
        var guest = new Guest();
        ActorRef self = cluster.System.Start(Numbers.Guest, guest, out _);
        cluster.Clerk.Tell(new Introduction(self));
        (ActorRef who, ActorRef? sender) = await guest.Introduced.WaitAsync(Patience);
        return ReferenceEquals(who, self) && ReferenceEquals(sender, cluster.Clerk);
    }

    private static async Task<string> FailAsync(Cluster cluster)
    {
        try
        {
            await cluster.System.AskAsync<Echo>(cluster.Clerk, new Order("pencils", 8), Patience);
            return "no failure";
        }
        catch (OutOfStockException e) when (e.Left == 7)
        {
            return e.GetType().Name;
        }
        catch (InvalidOperationException e) when (e.Message.Contains(nameof(OutOfStockException), StringComparison.Ordinal))
        {
            return "text";
        }
    }

    private static async Task<(string Stowaway, bool GoesOn)> SendStowawayAsync(Cluster cluster)
    {
        int before = (await cluster.CountAsync()).DeadLetters;
        cluster.Clerk.Tell(new Parcel(new Stowaway("Tom")));
        Report after = await cluster.CountAsync();
        Parcel held = await cluster.System.AskAsync<Parcel>(cluster.Clerk, new Parcel("What was in the last one?"), Patience);
        string? content = held.Content is JsonElement json ? json.GetString() : held.Content as string;
        bool isRefused = after.DeadLetters == before + 1
            && after.LastDeadLetter!.Contains(typeof(Stowaway).FullName!, StringComparison.Ordinal);
        return (isRefused ? "dead letter" : $"a {content}", after.DeadLetters - before <= 1 && cluster.Peer.Connections == 1);
    }

    /// <summary>Waits for its own reference to come back.</summary>
    private sealed class Guest : Actor
    {
        private readonly TaskCompletionSource<(ActorRef, ActorRef?)> _introduced = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<(ActorRef Who, ActorRef? Sender)> Introduced => _introduced.Task;

        protected override void Receive(Message message, ActorRef? sender) =>
            _introduced.TrySetResult((((Introduction)message).Who, sender));
    }
}
