/// The rows for native code, as far as they can be judged where there is a JIT compiler: packages are tested as native code.
module Wire.FSharp.Tests.RowTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

[<Fact>]
let ``A row stands for its type and changes no bytes`` () =
    let rows =
        [| FSharpRow.Union<Tree<int>>()
           FSharpRow.StructUnion<Struct>()
           FSharpRow.Option<int>()
           FSharpRow.List<int>()
           FSharpRow.Set<int>()
           FSharpRow.Map<int, string>()
           FSharpRow.Ref<int>() |]

    let types =
        [| typeof<Tree<int>>
           typeof<Struct>
           typeof<int option>
           typeof<int list>
           typeof<Set<int>>
           typeof<Map<int, string>>
           typeof<int ref> |]

    Assert.Equal<Type>(types, rows |> Array.map _.Type)
    let serializer = Serializer(SerializerOptions(Types = WireTypes.Create(ReadOnlySpan rows)).UseFSharp())
    Assert.Equal<byte>(Check.plain.Serialize many, serializer.Serialize many)
