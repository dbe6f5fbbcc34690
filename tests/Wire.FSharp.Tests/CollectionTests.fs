module Wire.FSharp.Tests.CollectionTests

open System
open System.Collections.Generic
open Wire
open Wire.FSharp.Tests.Model
open Wire.Testing
open Xunit

type Lazily = { Items: seq<int>; Names: seq<string> }

[<Fact>]
let ``Lists come back`` () =
    Check.values [ []; [ 1 ]; [ 1..100 ] ]
    Check.values [ [ "a"; null ]; [] ]
    Check.value [ [ Red ]; []; [ Other "x" ] ]
    Check.value [ Some 1; None ]

[<Fact>]
let ``A list of a million elements comes back, as a sequence`` () =
    let million = [ 1..1_000_000 ]

    for serializer in (if Sweep.IsWhole then Check.all else List.truncate 2 Check.all) do
        let bytes = serializer.Serialize million
        Assert.True(bytes.Length < 4_000_200)
        Check.same million (serializer.Deserialize<int list> bytes)

    let unions = List.init 1_000_000 (fun i -> if i % 2 = 0 then Red else Other "o")
    Check.same unions (Check.plain.Deserialize<Colour list>(Check.plain.Serialize unions))

[<Fact>]
let ``The empty list is the same instance`` () =
    for serializer in Check.all do
        let empty: int list = []
        Assert.Same(empty, serializer.Deserialize<int list>(serializer.Serialize empty))

[<Fact>]
let ``Maps and sets come back in their order`` () =
    Check.values [ Map.empty; Map [ 3, "c"; 1, "a"; 2, null ] ]
    Check.values [ Set.empty; Set [ 3; 1; 2 ] ]
    Check.value (Map [ Red, [ 1 ]; Other "x", [] ])
    Check.value (Set [ "b"; "a"; null; "B" ])
    Check.value (Map [ Some 1, 1; None, 0 ])
    Check.value (Set [ (1, "b"); (1, "a"); (0, "z") ])
    Check.value (Map [ [ 1; 2 ], Set [ 1 ]; [], Set.empty ])

[<Fact>]
let ``The order of a set is that of comparison`` () =
    let words = Set [ "b"; "a"; "B"; "A"; "_" ]
    let back = Check.plain.Deserialize<Set<string>>(Check.plain.Serialize words)
    Assert.Equal<string list>(Set.toList words, Set.toList back)
    Assert.Equal<string list>([ "A"; "B"; "_"; "a"; "b" ], Set.toList back)
    Assert.True((back.Add "aa").Contains "aa")

[<Fact>]
let ``An element twice, or a comparer, is refused`` () =
    let refused (payload: byte[]) =
        let e = Assert.ThrowsAny<WireFormatException>(fun () -> Check.plain.Deserialize<Set<int>> payload |> ignore)
        Assert.Equal(WireFormatError.InvalidValue, e.Error)

    let payload = Check.plain.Serialize(Set [ 1; 2 ])
    let at = payload.Length - 10
    Assert.Equal<byte[]>([| 0uy; 2uy; 1uy; 0uy; 0uy; 0uy; 2uy; 0uy; 0uy; 0uy |], payload[at..])
    refused [| yield! payload[.. at + 5]; yield! payload[at + 2 .. at + 5] |]
    refused [| yield! payload[.. at - 1]; 1uy; yield! payload[at + 1 ..] |]

    let map = Check.plain.Serialize(Map [ 1, 1uy; 2, 1uy ])
    let twice = [| yield! map[.. map.Length - 6]; yield! map[map.Length - 10 .. map.Length - 6] |]
    let e = Assert.ThrowsAny<WireFormatException>(fun () -> Check.plain.Deserialize<Map<int, byte>> twice |> ignore)
    Assert.Contains("a key appears twice", e.Message)

[<Fact>]
let ``Options come back`` () =
    Check.values [ Some 1; None ]
    Check.values [ Some "a"; Some null; None ]
    Check.values [ Some(Some 1); Some None; None ]
    Check.values [ Some Red; None ]
    Check.values [ ValueSome 1; ValueNone ]
    Check.values [ ValueSome "a"; ValueSome null; ValueNone ]

[<Fact>]
let ``An option takes a byte more than its content`` () =
    let lengthOf (items: int option[]) = (Check.plain.Serialize items).Length
    Assert.Equal(5, lengthOf [| Some 1; Some 2 |] - lengthOf [| Some 1 |])
    Assert.Equal(1, lengthOf [| Some 1; None |] - lengthOf [| Some 1 |])

let private names = [ "x"; "y" ]

let sequences: (string * seq<int>) list =
    [ "expression", seq { for i in 1..3 do yield i * i }
      "mapped", Seq.map (fun i -> i + 1) [ 1; 2 ]
      "range", seq { 1..4 }
      "empty", Seq.empty
      "delayed", Seq.delay (fun () -> Seq.append [ 1 ] [ 2 ])
      "cached", Seq.cache (seq { 7; 8 })
      "array", [| 1; 2 |]
      "list", [ 3; 4 ]
      "set", Set [ 1 ]
      "unfolded", Seq.unfold (fun i -> if i > 3 then None else Some(i, i + 1)) 1
      "readonly", Seq.readonly [ 1; 2 ] ]

[<Fact>]
let ``A lazy sequence is materialized`` () =
    for serializer in Check.all do
        for name, items in sequences do
            let value = { Items = items; Names = Seq.map id names }
            let back = serializer.Deserialize<Lazily>(serializer.Serialize value)
            Assert.Equal<int list>((name, List.ofSeq items) |> snd, List.ofSeq back.Items)
            Assert.Equal<string list>(names, List.ofSeq back.Names)
            Assert.False(back.Items.GetType().Name.Contains '@', $"{name}: {back.Items.GetType()}")
            Assert.IsAssignableFrom<IReadOnlyCollection<int>> back.Items |> ignore

[<Fact>]
let ``A lazy sequence is materialized as a root and as an object`` () =
    for serializer in Check.all do
        let items = seq { for i in 1..3 do yield i }
        Assert.Equal<int list>([ 1; 2; 3 ], List.ofSeq (serializer.Deserialize<seq<int>>(serializer.Serialize items)))
        let objects = serializer.Deserialize<obj[]>(serializer.Serialize [| box items; box items |])
        Assert.Equal<int list>([ 1; 2; 3 ], List.ofSeq (objects[0] :?> seq<int>))
        Assert.Equal(serializer.Options.PreserveObjectReferences, Object.ReferenceEquals(objects[0], objects[1]))

[<Fact>]
let ``Reference cells come back, also in a cycle`` () =
    Check.value (ref 5)
    let cell = ref (box null)
    cell.Value <- box cell
    let back = Serializer(Check.options true true true).Clone cell
    Assert.Same(back, back.Value)

type Indexed =
    { Dict: IDictionary<string, int>
      Read: IReadOnlyDictionary<int, Colour> }

[<Fact>]
let ``What dict and readOnlyDict make comes back as a dictionary`` () =
    for serializer in Check.all do
        let value = { Dict = dict [ "a", 1; "b", 2 ]; Read = readOnlyDict [ 1, Red; 2, Other "x" ] }
        let back = serializer.Deserialize<Indexed>(serializer.Serialize value)
        Assert.Equal<(string * int) list>([ "a", 1; "b", 2 ], [ for pair in back.Dict -> pair.Key, pair.Value ])
        Assert.Equal<(int * Colour) list>([ 1, Red; 2, Other "x" ], [ for pair in back.Read -> pair.Key, pair.Value ])

[<Fact>]
let ``Long lists are keys`` () =
    let long = [ 1..3_000 ]

    for serializer in Check.all do
        let set = serializer.Deserialize<HashSet<int list>>(serializer.Serialize(HashSet [ long; [ 1 ] ]))
        Assert.Contains(long, set)
        let ordered = Set [ long; [ 1 ] ]
        Assert.Equal<Set<int list>>(ordered, serializer.Deserialize<Set<int list>>(serializer.Serialize ordered))
