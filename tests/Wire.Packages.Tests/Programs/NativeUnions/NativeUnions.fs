module Program

open System
open System.Diagnostics
open System.Runtime.CompilerServices
open Wire

// Round trips of what F# has, as those of RoundTrips beside this: the exit code is the number of those that failed.
// bytes: writes a hash of what each has written. advice: goes on where a type is refused, so that one run tells of as many as it can.
[<EntryPoint>]
let main args =
    let mutable failed = 0
    Trips.goesOn <- Array.contains "advice" args

    for dynamicCode in (if RuntimeFeature.IsDynamicCodeSupported then [ true; false ] else [ false ]) do
        let options =
            SerializerOptions(
                DynamicCode = dynamicCode,
                TypeFilter = WireTypeFilter.Default.AllowNamespace "Shop",
                Types = Rows.types
            )
                .UseFSharp()

        for name, trip in Trips.all do
            try
                // The second time by compiled code, where there is any.
                for _ in 1..2 do
                    trip options

                match Trips.refused () with
                | null -> ()
                | refused -> raise refused

                let written = Trips.written ()

                if Array.contains "bytes" args then
                    Console.WriteLine(String.Concat(name, ": ", written))
            with e ->
                failed <- failed + 1
                Console.WriteLine("FAILED {0}, DynamicCode = {1}: {2}: {3}", name, dynamicCode, e.GetType().Name, e.Message)
                Console.WriteLine(StackTrace e)
                Trips.written () |> ignore
                Trips.refused () |> ignore

    Console.WriteLine("{0} round trips, {1} failed", Trips.all.Length, failed)
    failed
