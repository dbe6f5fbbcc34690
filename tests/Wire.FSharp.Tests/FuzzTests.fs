/// What the fuzzer begins with, and what it has found. The fuzzer itself is tests/Wire.Fuzz (docs/fuzzing.md).
module Wire.FSharp.Tests.FuzzTests

open Wire.Testing.Fuzzing
open Xunit

let names () = FuzzTargets.all |> Seq.map (fun target -> [| box target.Name |])

let private find name = FuzzTargets.all |> List.find (fun target -> target.Name = name)

[<Theory; MemberData(nameof names)>]
let ``Every seed is read, written and read again`` (name: string) = TargetAssert.SeedsAreRead(find name)

[<Theory; MemberData(nameof names)>]
let ``Every seed cut at every byte is a format error`` (name: string) = TargetAssert.CutSeedsAreRefused(find name)

[<Fact>]
let ``Every input that once broke a promise keeps all of them`` () =
    for file in Regression.FilesOf "Wire.FSharp.Tests" do
        TargetAssert.BreaksNoPromise(FuzzTargets.all, file)
