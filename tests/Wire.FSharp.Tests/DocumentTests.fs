/// The code of docs/fsharp.md, as it stands there.
module Wire.FSharp.Tests.DocumentTests

open System.IO
open System.Runtime.CompilerServices
open System.Text.RegularExpressions
open Wire.FSharp.Tests.Model
open Xunit

module private Beginning =
    open Wire

    let serializer = Serializer(SerializerOptions.Default.UseFSharp())

    let bytes = serializer.Serialize(Some [ Circle 1.5; Nothing ])
    let shapes = serializer.Deserialize<Shape list option> bytes

module private Renaming =
    open Wire

    type Event =
        | [<WireName "Renamed">] Titled of string

[<Fact>]
let ``The first lines work`` () =
    Check.same (Some [ Circle 1.5; Nothing ]) Beginning.shapes
    Check.same (Renaming.Titled "t") (Beginning.serializer.Clone(Renaming.Titled "t"))

type private Here =
    static member File([<CallerFilePath>] ?path: string) = path.Value

[<Fact>]
let ``Every line of F# in the document stands in this file`` () =
    let file = Here.File()
    let code = File.ReadAllLines file |> Array.map _.Trim() |> Set.ofArray
    let document = File.ReadAllText(Path.Combine(Path.GetDirectoryName file, "..", "..", "docs", "fsharp.md"))
    let snippets = Regex.Matches(document, "```fsharp\n(.*?)```", RegexOptions.Singleline)
    Assert.Equal(2, snippets.Count)

    for snippet in snippets do
        for line in snippet.Groups[1].Value.Split '\n' do
            Assert.Contains(line.Trim(), code)
