/// What native code has to see of the types above: structs, and what has them as type arguments.
module Rows

open System
open Shop
open Wire

let types =
    WireTypes.Create(
        ReadOnlySpan
            [| FSharpRow.StructUnion<Measure>()
               FSharpRow.StructUnion<Ticket>()
               FSharpRow.StructUnion<Both<int>>()
               FSharpRow.StructUnion<Both<string>>()
               FSharpRow.StructUnion<OldSize>()
               FSharpRow.StructUnion<NewSize>()
               FSharpRow.StructUnion<int voption>()
               FSharpRow.StructUnion<string voption>()
               FSharpRow.StructUnion<Result<int, string>>()
               FSharpRow.StructUnion<Result<string, Color>>()
               FSharpRow.StructUnion<Result<Point, string>>()
               FSharpRow.Union<Tree<int>>()
               FSharpRow.Union<Tree<Point>>()
               FSharpRow.Union<Maybe<int>>()
               FSharpRow.Union<Choice<int, string>>()
               FSharpRow.Union<Choice<int, string, Color>>()
               FSharpRow.Union<ReadParcel<int>>()
               FSharpRow.Option<int>()
               FSharpRow.Option<decimal>()
               FSharpRow.Option<Point>()
               FSharpRow.List<int>()
               FSharpRow.List<float>()
               FSharpRow.List<Point>()
               FSharpRow.List<Measure>()
               FSharpRow.List<OldSize>()
               FSharpRow.List<NewSize>()
               FSharpRow.List<int voption>()
               FSharpRow.List<string voption>()
               FSharpRow.List<Result<int, string>>()
               FSharpRow.List<Result<string, Color>>()
               FSharpRow.Set<int>()
               FSharpRow.Map<int, string>()
               FSharpRow.Map<string, int>()
               FSharpRow.Map<string, decimal>()
               FSharpRow.Map<Point, decimal>()
               FSharpRow.Ref<int>()
               WireRow.Struct<Point>()
               WireRow.Struct<struct (int * string)>()
               WireRow.Struct<struct (int64 * string)>()
               WireRow.Struct<struct {| A: int; B: string |}>()
               WireRow.Class<{| A: int; B: string |}>()
               WireRow.Class<int * string>()
               WireRow.Class<int * string * Color>()
               WireRow.Class<Cell<int>>()
               WireRow.List<int>() |]
    )
