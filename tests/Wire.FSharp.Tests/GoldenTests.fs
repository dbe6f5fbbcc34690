/// The bytes of every F# type, kept in tests/Compat by the version of the format: what one version has written, all later ones read.
/// `WIRE_GOLDEN_WRITE=1 dotnet test` writes the files of new samples and never changes one that is there.
module Wire.FSharp.Tests.GoldenTests

open System
open System.IO
open Wire
open Wire.FSharp.Tests.Model
open Wire.Testing
open Xunit

/// The folder of the version that is written now.
let private folder = Path.Combine(GoldenVectors.Folder, "FSharp")

/// What comes back is compared by F# equality, so that the type of a sample has to be kept.
type internal Sample =
    { Type: Type
      Write: Serializer -> byte[]
      Check: Serializer -> byte[] -> unit }

let private sample (value: 'T) =
    { Type = typeof<'T>
      Write = fun serializer -> serializer.Serialize<'T> value
      Check = fun serializer bytes -> Check.same value (serializer.Deserialize<'T> bytes) }

let internal samples =
    Map
        [ "Union", sample [ Circle 1.5; Box(2.0, 3.0); Named("n", Nothing); Nothing ]
          "UnionOfOneCase", sample (Identifier(Guid "00112233-4455-6677-8899-aabbccddeeff"))
          "UnionGeneric", sample trees
          "UnionStruct", sample [ Empty; Number 3; Text("text", 4uy) ]
          "UnionStructOfOneCase", sample (StructIdentifier -5L)
          "UnionPrivate", sample [ Private.Of 0; Private.Of 7 ]
          "UnionNull", sample [ Nope; Just "j" ]
          "Record", sample person
          "RecordStruct", sample { X = 1; Y = "y"; Z = [ { X = 2; Y = null; Z = [] } ] }
          "Option", sample [ Some 1; None ]
          "OptionNested", sample [ Some(Some "a"); Some None; None ]
          "ValueOption", sample [ ValueSome "a"; ValueNone ]
          "Result", sample [ Ok 1; Error "no" ]
          "Choice", sample [ Choice1Of3 1; Choice2Of3 "two"; Choice3Of3 Red ]
          "List", sample [ 1; 2; 3 ]
          "Map", sample (Map [ Some 1, "one"; None, null ])
          "Set", sample (Set [ "b"; "a"; "B" ])
          "Ref", sample (ref 5) ]

let private variants =
    [ "default", Check.options false true
      "VersionTolerance off", Check.options false false
      "PreserveObjectReferences on", Check.options true true ]

let private rows (bytes: byte[]) =
    bytes |> Array.chunkBySize 16 |> Array.map (Array.map _.ToString("X2") >> String.concat " ") |> List.ofArray

let private text (sample: Sample) =
    [ for title, options in variants do
          [ $"payload: {title}"; yield! rows (sample.Write(Serializer(options true))) ]
          |> List.map (fun line -> line + "\n")
          |> String.concat "" ]
    |> String.concat "\n"

let private kept name =
    GoldenVectors.Read(Path.Combine(folder, name + ".golden"), fun () -> text samples[name])

/// The payloads of a file, each with the options that it was written with.
let internal payloads file =
    File.ReadAllText(file: string).Split "payload: "
    |> Array.tail
    |> Array.map (fun part ->
        let lines = part.Split '\n'
        let hex = lines |> Array.skip 1 |> Array.takeWhile (fun line -> line <> "") |> String.concat ""
        lines[0], Convert.FromHexString(hex.Replace(" ", "")))

/// The files of the version that is written now.
let internal files = Directory.GetFiles(folder, "*.golden") |> Array.sortWith (fun one other -> String.CompareOrdinal(one, other))

let names () = samples |> Map.keys |> Seq.map (fun name -> [| box name |])

[<Theory; MemberData(nameof names)>]
let ``The sample is written as these bytes`` (name: string) =
    Assert.Equal(kept name, text samples[name])

let vectors () =
    seq {
        for version in GoldenVectors.Versions do
            for file in Directory.GetFiles(Path.Combine(version, "FSharp"), "*.golden") do
                [| box (Path.GetFileName version); box (Path.GetFileNameWithoutExtension file) |]
    }

[<Theory; MemberData(nameof vectors)>]
let ``The bytes of every version are read as the sample`` (version: string, name: string) =
    let payloads = payloads (Path.Combine(GoldenVectors.FolderOf version, "FSharp", name + ".golden"))
    Assert.Equal<string list>(variants |> List.map fst, payloads |> Array.map fst |> List.ofArray)

    for (_, options), (_, bytes) in Seq.zip variants payloads do
        for dynamicCode in Check.both do
            samples[name].Check (Serializer(options dynamicCode)) bytes

[<Fact>]
let ``Every file has a sample of its own`` () =
    let named = files |> Array.map Path.GetFileNameWithoutExtension |> Set.ofArray
    Assert.Equal<Set<string>>(samples |> Map.keys |> Set.ofSeq, named)
