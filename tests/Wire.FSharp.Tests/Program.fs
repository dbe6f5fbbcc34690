/// The test host runs the tests; a program needs an entry point.
module Wire.FSharp.Tests.Program

[<EntryPoint>]
let main _ = 0
