/// The rows for native code, as far as they can be judged where there is a JIT compiler: packages are tested as native code.
module Wire.FSharp.Tests.RowTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

// What native code would see of a row.
let private told (row: unit -> WireTypeRow) =
    let closed = typeof<WireTypeRow>.Assembly.GetType("Wire.Runtime.ClosedTypes", true)
    closed.GetMethod("ToldBy").Invoke(null, [| Action(fun () -> row () |> ignore) |]) :?> Type[]

let private rows: (Type * Type * (unit -> WireTypeRow))[] =
    [| typeof<Tree<int>>, typeof<Tree<int>>, (fun () -> FSharpRow.Union<Tree<int>>())
       typeof<Struct>, typeof<Struct>, (fun () -> FSharpRow.StructUnion<Struct>())
       typeof<int option>, typeof<int>, (fun () -> FSharpRow.Option<int>())
       typeof<int list>, typeof<int>, (fun () -> FSharpRow.List<int>())
       typeof<Set<int>>, typeof<int>, (fun () -> FSharpRow.Set<int>())
       typeof<Map<int, string>>, typeof<int>, (fun () -> FSharpRow.Map<int, string>())
       typeof<int ref>, typeof<int>, (fun () -> FSharpRow.Ref<int>()) |]

[<Fact>]
let ``A row stands for its type, and tells what is made of it`` () =
    for t, argument, row in rows do
        Assert.Equal(t, (row ()).Type)
        let families = told row |> Array.filter (fun closed -> closed.Assembly = typeof<FSharpRow>.Assembly)
        Assert.Contains(families, fun closed -> Array.contains argument (closed.GetGenericArguments()))
