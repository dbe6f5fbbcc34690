/// The table of F# types in docs/types.md is that of the golden samples.
module Wire.FSharp.Tests.TypesPageTests

open System
open System.IO
open System.Reflection
open Wire
open Wire.Testing
open Xunit

let private page = Path.Combine(Repository.Root, "docs", "types.md")

/// What the schema says of a type. The registry is internal, and read through reflection in this one place.
let private written (asked: Type) =
    let any = BindingFlags.Instance ||| BindingFlags.Public ||| BindingFlags.NonPublic
    let serializer = Serializer(SerializerOptions.Default.UseFSharp())
    let registry = typeof<Serializer>.GetProperty("Registry", any).GetValue serializer
    let entry = registry.GetType().GetMethod("Entry", any).Invoke(registry, [| asked |])
    let part = entry.GetType().GetProperty("Serializer").GetValue entry
    registry.GetType().GetMethod("Shape", any).Invoke(registry, [| part |]).ToString()

let private table =
    [ ""
      "| sample | written as |"
      "|---|---|"
      for name, sample in Map.toSeq GoldenTests.samples do
          // Most samples are lists of values of the type that they are about.
          let about = if sample.Type.Name = "FSharpList`1" && name <> "List" then sample.Type.GetGenericArguments()[0] else sample.Type
          let layout = (written about).Replace("|", "\\|")
          $"| `{name}` | {layout} |"
      "" ]
    |> String.concat "\n"

[<Fact>]
let ``The page has the table of the golden samples`` () =
    Approved.AssertPart(page, "<!-- begin: fsharp -->\n", "<!-- end: fsharp -->", table)
