/// The code of docs/fsharp.md, as it stands there.
module Wire.FSharp.Tests.DocumentTests

open System.IO
open System.Runtime.CompilerServices
open System.Text.RegularExpressions
open Xunit

module private Beginning =
    open Wire

    type Shape =
        | Circle of radius: float
        | Box of width: float * height: float
        | Nothing

    type Drawing =
        { Name: string
          Shapes: Shape list
          Colors: Map<string, int> }

    let serializer = Serializer(SerializerOptions.Default.UseFSharp())

    let drawing =
        { Name = "house"
          Shapes = [ Box(4.0, 3.0); Circle 1.5; Nothing ]
          Colors = Map [ "wall", 0xFFFFFF ] }

    let bytes = serializer.Serialize drawing
    let copy = serializer.Deserialize<Drawing> bytes
    printfn "%b, %d bytes" (copy = drawing) bytes.Length

module private Renaming =
    open Wire

    type Event =
        | [<WireName "Renamed">] Titled of string

[<Fact>]
let ``The first lines work`` () =
    Assert.Equal(Beginning.drawing, Beginning.copy)
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
