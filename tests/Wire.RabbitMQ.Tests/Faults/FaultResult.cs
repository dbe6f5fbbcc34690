using System.Globalization;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>What a run has counted.</summary>
/// <param name="Fault">What was done to it.</param>
/// <param name="Times">How often.</param>
/// <param name="Published">How often a message was given to the publisher: those that failed were given to it again.</param>
/// <param name="Confirmed">How many of these succeeded.</param>
/// <param name="Delivered">How many of these came to a handler, once or more often.</param>
/// <param name="Duplicated">How often one came that had come before.</param>
internal sealed record FaultResult(string Fault, int Times, int Published, int Confirmed, int Delivered, int Duplicated)
{
    /// <summary>How many publishes failed, by kind.</summary>
    public required IReadOnlyDictionary<string, int> Failed { get; init; }

    /// <summary>How many were confirmed and never came.</summary>
    public required int Lost { get; init; }

    /// <summary>How many publishes did not end.</summary>
    public required int Unended { get; init; }

    /// <summary>How often one came again and the handler was not told that it may have come before.</summary>
    public required int Unflagged { get; init; }

    /// <summary>How many came that nobody had published.</summary>
    public required int Phantoms { get; init; }

    /// <summary>How many came after more retries than they may have.</summary>
    public required int TooManyRetries { get; init; }

    /// <summary>How many handlers ran at the same time at most.</summary>
    public required int Peak { get; init; }

    /// <summary>How many messages were left behind, in the queue and in its error queue, when the consumer had stopped.</summary>
    public required uint Left { get; init; }

    /// <summary>The head of a table of results.</summary>
    public static string Head =>
        "| fault | times | published | confirmed | failed visibly | delivered | delivered again | lost " +
        "|\n|---|---:|---:|---:|---:|---:|---:|---:|";

    /// <summary>All of several.</summary>
    public static FaultResult Total(IReadOnlyCollection<FaultResult> results) => new(
        "all of them",
        results.Sum(result => result.Times),
        results.Sum(result => result.Published),
        results.Sum(result => result.Confirmed),
        results.Sum(result => result.Delivered),
        results.Sum(result => result.Duplicated))
    {
        Failed = results.SelectMany(result => result.Failed).GroupBy(pair => pair.Key).ToDictionary(
            kind => kind.Key, kind => kind.Sum(pair => pair.Value)),
        Lost = results.Sum(result => result.Lost),
        Unended = results.Sum(result => result.Unended),
        Unflagged = results.Sum(result => result.Unflagged),
        Phantoms = results.Sum(result => result.Phantoms),
        TooManyRetries = results.Sum(result => result.TooManyRetries),
        Peak = results.Max(result => result.Peak),
        Left = (uint)results.Sum(result => result.Left),
    };

    /// <summary>A row of the table.</summary>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"| {Fault} | {Times:N0} | {Published:N0} | {Confirmed:N0} | {Failed.Values.Sum():N0} | " +
        $"{Delivered:N0} | {Duplicated:N0} | {Lost:N0} |");
}
