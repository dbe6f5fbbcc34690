using System.Globalization;
using Actors;
using Actors.Trial;

// The same figures look the same wherever this runs.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
long messages = 1_000_000;
switch (args)
{
    case ["--node", var codec, var port, var blackBox]:
        await Node.RunAsync(codec, port, blackBox);
        return 0;
    case ["--messages", var text] when long.TryParse(text, CultureInfo.InvariantCulture, out messages) && messages > 0:
    case []:
        break;
    default:
        Console.Error.WriteLine("usage: Actors [--messages NUMBER]");
        return 2;
}

const int Rounds = 5;
await using var wire = new Cluster("wire");
await using var json = new Cluster("json");

Table.PrintHead("One of each, to the other process and back");
Tour wireTour = await Tour.RunAsync(wire), jsonTour = await Tour.RunAsync(json);
Table.Print("system messages are the same object again", wireTour.Singleton, jsonTour.Singleton);
Table.Print("references are the same object again", wireTour.Reference, jsonTour.Reference);
Table.Print("an exception comes back as", wireTour.Failure, jsonTour.Failure);
Table.Print("an object that nothing allows comes as", wireTour.Stowaway, jsonTour.Stowaway);
Table.Print("and the connection goes on", wireTour.GoesOn, jsonTour.GoesOn);

// The first round is for the compiler.
var wireRounds = new List<Round>();
var jsonRounds = new List<Round>();
for (int i = 0; i <= Rounds; i++)
{
    wireRounds.Add(await Round.RunAsync(wire, messages));
    jsonRounds.Add(await Round.RunAsync(json, messages));
}

Round[] byWire = [.. wireRounds.Skip(1)], byJson = [.. jsonRounds.Skip(1)];
Console.WriteLine();
Table.PrintHead($"{messages:n0} messages of 3 members to the other process", "x");
Table.PrintMedians("messages a second", byWire, byJson, round => round.Rate);
Table.PrintMedians("bytes of a message", byWire, byJson, round => round.Bytes, "n1");
Table.PrintMedians("processor, both ends, ns a message", byWire, byJson, round => round.SenderProcessor + round.ReceiverProcessor);
Table.PrintMedians("  the sender's", byWire, byJson, round => round.SenderProcessor);
Table.PrintMedians("  the receiver's", byWire, byJson, round => round.ReceiverProcessor);
Table.PrintMedians("allocated bytes a message, by the sender", byWire, byJson, round => round.SenderAllocated, "n1");
Table.PrintMedians("allocated bytes a message, by the receiver", byWire, byJson, round => round.ReceiverAllocated, "n1");
Console.WriteLine($"  Medians of {Rounds} rounds by each in turn.");

Loss wireLoss = await Loss.RunAsync(wire, messages), jsonLoss = await Loss.RunAsync(json, messages);
Console.WriteLine();
Table.PrintHead("The other process is killed on the way");
Table.Print("sent", wireLoss.Sent, jsonLoss.Sent);
Table.Print("received by the killed process", wireLoss.Before, jsonLoss.Before);
Table.Print("received by the next one", wireLoss.After, jsonLoss.After);
Table.Print("lost, in flight at the kill", wireLoss.Lost, jsonLoss.Lost);
Table.Print("misread, of all that were ever received", wireLoss.Misread, jsonLoss.Misread);
Table.Print("all others in order, each once", wireLoss.InOrder, jsonLoss.InOrder);
Table.Print("connections, with sessions of their own", wireLoss.Connections, jsonLoss.Connections);

bool isRight = wireTour is { Singleton: true, Reference: true, Failure: nameof(OutOfStockException), Stowaway: "dead letter", GoesOn: true }
    && new[] { wireLoss, jsonLoss }.All(loss => loss is { Misread: 0, AddsUp: true, InOrder: true, Lost: >= 0, Connections: 2 });
Console.WriteLine();
Console.WriteLine(isRight ? "All is as it should be." : "Something is not as it should be.");
return isRight ? 0 : 1;
