namespace Bench.FSharp

open System

/// What happens to an account: a union as F# programs send it between actors.
type Event =
    | Opened of owner: string * currency: string
    | Deposited of amount: int64 * at: DateTime
    | Withdrawn of amount: int64 * at: DateTime * fee: float
    | Renamed of owner: string
    | Closed

module Events =

    /// The events that belong to a seed.
    let create (seed: int) (count: int) : Event list =
        let random = Random(seed)
        let time () = DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(float (random.Next(1_000_000_000)))

        List.init count (fun i ->
            match random.Next(5) with
            | 0 -> Opened($"owner {i}", "EUR")
            | 1 -> Deposited(random.NextInt64(1_000_000L), time ())
            | 2 -> Withdrawn(random.NextInt64(1_000_000L), time (), random.NextDouble())
            | 3 -> Renamed($"new owner {i}")
            | _ -> Closed)
