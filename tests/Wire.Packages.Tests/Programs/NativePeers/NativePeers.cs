// Four serializers over the same classes. trips: each round trip by each of them, in a process of its own, since what overflows the stack
// ends it; the exit code is the number of those that Wire fails. times: how long two messages take, the serializers in turn.
return args switch
{
    ["trips"] => Print(Trips.All, Peer.All),
    ["trip", string trip, string peer] => RunOne(Trips.All[int.Parse(trip)], Peer.All[int.Parse(peer)]),
    ["times", string rounds] => Times.Print(int.Parse(rounds)),
    _ => throw new ArgumentException("trips, or times and the number of rounds"),
};

static int RunOne(Trip trip, Peer peer)
{
    Console.WriteLine(trip.Run(peer));
    return 0;
}

static int Print(Trip[] trips, Peer[] peers)
{
    int[] passed = new int[peers.Length];
    string[] names = [.. peers.Select(peer => peer.Name)];
    List<string> reasons = [];
    Console.WriteLine($"| round trip | {string.Join(" | ", names)} |");
    Console.WriteLine($"|---|{string.Concat(names.Select(_ => "---|"))}");
    for (int trip = 0; trip < trips.Length; trip++)
    {
        string[] results = [.. peers.Select((_, peer) => Apart.Run(trip, peer))];
        for (int i = 0; i < peers.Length; i++)
        {
            if (results[i] == Trip.Passed)
            {
                passed[i]++;
            }
            else
            {
                reasons.Add($"{trips[trip].Name}: {names[i]}: {results[i]}");
            }
        }

        // As a word: the reasons stand below.
        Console.WriteLine($"| {trips[trip].Name} | {string.Join(" | ", results.Select(result => result.Split(':')[0]))} |");
    }

    Console.WriteLine($"| **of {trips.Length}** | {string.Join(" | ", passed)} |");
    reasons.ForEach(Console.WriteLine);
    return trips.Length - passed[0];
}
