/// What reads F# types from outside, for the fuzzer (docs/fuzzing.md). The names are in regression vectors: they do not change.
module Wire.FSharp.Tests.FuzzTargets

open System
open System.IO
open Wire
open Wire.FSharp.Tests.Model
open Wire.Testing.Fuzzing

let private golden title =
    [ for file in GoldenTests.files do
          for kept, bytes in GoldenTests.payloads file do
              if kept = title then
                  Seed(Path.GetFileNameWithoutExtension file, bytes) ]

let private target name tolerance dynamicCode titles =
    let options = Check.options false tolerance dynamicCode

    let seeds () =
        seq {
            yield! titles |> List.collect golden
            Seed("many", Serializer(options).Serialize(box many))
        }

    let code = if dynamicCode then "emitted" else "reflected"
    WireTarget<obj>($"{name}, {code}", options, Routes.Span<obj>(), Func<_> seeds) :> Target

let all =
    [ for dynamicCode in [ true; false ] do
          target "fsharp" true dynamicCode [ "default"; "PreserveObjectReferences on" ]
          target "fsharp schemaless" false dynamicCode [ "VersionTolerance off" ] ]
