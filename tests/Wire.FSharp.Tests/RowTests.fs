/// The rows for native code, as far as they can be judged where there is a JIT compiler: packages are tested as native code.
module Wire.FSharp.Tests.RowTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

// The closed types that native code would see of rows, or that are made while an action runs.
let private recorded (by: string) (action: unit -> unit) =
    let closed = typeof<WireTypeRow>.Assembly.GetType("Wire.Runtime.ClosedTypes", true)
    closed.GetMethod(by).Invoke(null, [| Action action |]) :?> Type[]

let rec private hasStruct (t: Type) =
    t.IsValueType || t.GetGenericArguments() |> Array.exists hasStruct

let private rows: (Type * obj * (unit -> WireTypeRow))[] =
    [| typeof<Choice<int, string>>, box (Choice<int, string>.Choice1Of2 1), (fun () -> FSharpRow.Union<Choice<int, string>>())
       typeof<Struct>, box (Struct.Number 1), (fun () -> FSharpRow.StructUnion<Struct>())
       typeof<int option>, box (Some 1), (fun () -> FSharpRow.Option<int>())
       typeof<int list>, box [ 1; 2 ], (fun () -> FSharpRow.List<int>())
       typeof<Set<int>>, box (set [ 1; 2 ]), (fun () -> FSharpRow.Set<int>())
       typeof<Map<int, string>>, box (Map [ 1, "a" ]), (fun () -> FSharpRow.Map<int, string>())
       typeof<int ref>, box (ref 1), (fun () -> FSharpRow.Ref<int>()) |]

[<Fact>]
let ``A row stands for its type, tells what is made of it, and changes no bytes`` () =
    for t, value, row in rows do
        Assert.Equal(t, (row ()).Type)
        let told = recorded "ToldBy" (fun () -> row () |> ignore)
        let with' = Serializer(SerializerOptions(Types = WireTypes.Create(ReadOnlySpan [| row () |])).UseFSharp())
        let filter = WireTypeFilter.Default.Allow t
        let fresh = Serializer(SerializerOptions(DynamicCode = false, TypeFilter = filter).UseFSharp())
        let made = recorded "MadeBy" (fun () -> fresh.Clone(fresh.Deserialize<obj>(fresh.Serialize value)) |> ignore)

        let ofStructs =
            made |> Array.filter (fun closed -> closed.GetGenericArguments() |> Array.exists hasStruct)

        Assert.NotEmpty ofStructs
        Assert.True((Array.except told ofStructs).Length = 0, $"{t}: {Array.except told ofStructs |> Array.toList}")
        Assert.Equal<byte>(fresh.Serialize value, with'.Serialize value)
