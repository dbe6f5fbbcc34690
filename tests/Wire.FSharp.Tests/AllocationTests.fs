module Wire.FSharp.Tests.AllocationTests

open System
open System.Buffers
open Wire
open Wire.FSharp.Tests.Model
open Xunit

let mutable private keep: obj = null

/// What a call allocates in steady state: the least of several, because the runtime may do something of its own in between.
let private steady (action: unit -> unit) =
    for _ in 1..100 do
        action ()

    let mutable least = Int64.MaxValue

    for _ in 1..20 do
        let before = GC.GetAllocatedBytesForCurrentThread()
        action ()
        least <- min least (GC.GetAllocatedBytesForCurrentThread() - before)

    least

/// All ten cases in one value, with fields of value types in many of them.
let private tree () : Tree<int> =
    let all =
        [ Leaf; Value 1; Two(2, 3); Wide(4L, 5.0, true, 6); Labelled(String('l', 3), Stop); Coloured(Other(String('o', 3)), Leaf)
          Flag true; Point(struct (7, 8)) ]
    all |> List.fold (fun left right -> Branch(left, right)) Leaf

/// The objects of the tree and nothing else.
let private made () =
    let first = Branch(Branch(Branch(Leaf, Leaf), Value 1), Two(2, 3))
    let second = Branch(Branch(first, Wide(4L, 5.0, true, 6)), Labelled(String('l', 3), Stop))
    Branch(Branch(Branch(second, Coloured(Other(String('o', 3)), Leaf)), Flag true), Point(struct (7, 8)))

[<Fact>]
let ``Writing a union of ten cases allocates nothing`` () =
    let value = tree ()
    let output = ArrayBufferWriter<byte>(4096)

    for references in Check.both do
        let serializer = Serializer(Check.options references true true)
        Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); serializer.Serialize<_>(value, output) |> ignore))
        Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); serializer.SerializeTyped(value, output) |> ignore))

[<Fact>]
let ``Reading a union of ten cases allocates the objects that it returns, and boxes nothing`` () =
    let serializer = Check.plain
    let payload = serializer.Serialize(tree ())
    let typed = serializer.SerializeTyped(tree ())
    let objects = steady (fun () -> keep <- made ())
    Assert.True(objects > 300L)
    Check.same (tree ()) (made ())
    Assert.Equal(objects, steady (fun () -> keep <- serializer.Deserialize<Tree<int>> payload))
    Assert.Equal(objects, steady (fun () -> keep <- serializer.DeserializeTyped<Tree<int>>(ReadOnlySpan typed)))
    Check.same (tree ()) (keep :?> Tree<int>)

[<Fact>]
let ``A struct union is neither written nor read as an object`` () =
    let serializer = Check.plain
    let value = [| Number 7; Empty; Text(null, 1uy) |]
    let output = ArrayBufferWriter<byte>(4096)
    let payload = serializer.Serialize value
    Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); serializer.Serialize<_>(value, output) |> ignore))
    let objects = steady (fun () -> keep <- Array.zeroCreate<Struct> 3)
    Assert.Equal(objects, steady (fun () -> keep <- serializer.Deserialize<Struct[]> payload))
    Check.same value (keep :?> Struct[])

[<Fact>]
let ``Writing lists and options allocates nothing`` () =
    let value = [ Some 1; None; Some 2 ]
    let output = ArrayBufferWriter<byte>(4096)
    Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); Check.plain.Serialize<_>(value, output) |> ignore))

[<Fact>]
let ``Reading options allocates the options`` () =
    let payload = Check.plain.Serialize [| Some 1; None; Some 2 |]
    let objects = steady (fun () -> keep <- [| Some 1; None; Some 2 |])
    Assert.Equal(objects, steady (fun () -> keep <- Check.plain.Deserialize<int option[]> payload))
    Check.same [| Some 1; None; Some 2 |] (keep :?> int option[])

/// What happens to an account, as in the benchmarks.
type Event =
    | Opened of owner: string * currency: string
    | Deposited of amount: int64 * at: DateTime
    | Withdrawn of amount: int64 * at: DateTime * fee: float
    | Renamed of owner: string
    | Closed

let private event i =
    match i % 5 with
    | 0 -> Opened($"owner {i}", "EUR")
    | 1 -> Deposited(int64 i, DateTime.UnixEpoch)
    | 2 -> Withdrawn(int64 i, DateTime.UnixEpoch, 0.5)
    | 3 -> Renamed $"new owner {i}"
    | _ -> Closed

let private copy text = String(String.op_Implicit text: ReadOnlySpan<char>)

/// The same event again: this object with its strings, and nothing else. There is one Closed for all.
let private again event =
    match event with
    | Opened(owner, currency) -> Opened(copy owner, copy currency)
    | Deposited(amount, at) -> Deposited(amount, at)
    | Withdrawn(amount, at, fee) -> Withdrawn(amount, at, fee)
    | Renamed owner -> Renamed(copy owner)
    | Closed -> Closed

/// What a list is built with: a header, the first cell and the last one.
let private builder = 32L

[<Fact>]
let ``A list of events allocates its cells and events, and one object that builds it`` () =
    let value = List.init 1000 event
    let output = ArrayBufferWriter<byte>(1 <<< 16)

    for references in Check.both do
        let serializer = Serializer(Check.options references true true)
        let payload = serializer.Serialize value
        let typed = serializer.SerializeTyped value
        let objects = steady (fun () -> keep <- List.map again value)
        Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); serializer.Serialize<_>(value, output) |> ignore))
        Assert.Equal(0L, steady (fun () -> output.ResetWrittenCount(); serializer.SerializeTyped(value, output) |> ignore))
        Assert.Equal(objects + builder, steady (fun () -> keep <- serializer.Deserialize<Event list> payload))
        Assert.Equal(objects + builder, steady (fun () -> keep <- serializer.DeserializeTyped<Event list>(ReadOnlySpan typed)))
        Check.same value (keep :?> Event list)
