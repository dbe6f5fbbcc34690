module Wire.FSharp.Tests.UnionTests

open System
open System.Reflection
open Wire
open Wire.FSharp.Tests.Model
open Xunit

[<Fact>]
let ``Cases with and without fields come back`` () =
    Check.values [ Red; Green; Blue; Other "pink"; Other null ]
    Check.values [ Circle 1.5; Box(2.0, 3.0); Named("n", Named("m", Nothing)); Nothing ]

[<Fact>]
let ``A union of one case comes back`` () =
    Check.value (Identifier(Guid "00112233-4455-6677-8899-aabbccddeeff"))
    Check.value (StructIdentifier -5L)

[<Fact>]
let ``A struct union comes back`` () =
    Check.values [ Empty; Number 3; Text("text", 4uy) ]

[<Fact>]
let ``A recursive generic union of ten cases comes back`` () =
    Check.values trees
    Check.value (Branch(Value "text", Two("a", null)))
    Check.value (Coloured(Red, Value(struct (1, Some 2))))

[<Fact>]
let ``A number that is none keeps every bit`` () =
    let bits = 0xFFF8000000001234UL

    match Check.plain.Clone(Circle(BitConverter.UInt64BitsToDouble bits)) with
    | Circle radius -> Assert.Equal(bits, BitConverter.DoubleToUInt64Bits radius)
    | other -> Assert.Fail $"%A{other}"

[<Fact>]
let ``A private union comes back`` () =
    Check.values [ Private.Of 0; Private.Of 7 ]

[<Fact>]
let ``Results and choices come back`` () =
    Check.values [ Ok 1; Error "no" ]
    Check.values [ Choice1Of2 1; Choice2Of2 "two" ]
    Check.values [ Choice1Of3 1; Choice2Of3 "two"; Choice3Of3 Red ]

[<Fact>]
let ``A case without fields is the same instance`` () =
    for serializer in Check.all do
        Assert.Same(Red, serializer.Deserialize<Colour>(serializer.Serialize Red))
        Assert.Same(box Red, serializer.Deserialize(serializer.Serialize(box Red)))
        let tree: Tree<string> = Leaf
        Assert.Same(tree, serializer.Deserialize<Tree<string>>(serializer.Serialize tree))
        Assert.Same(box (Private.Of 0), serializer.Deserialize(serializer.Serialize(Private.Of 0)))

[<Fact>]
let ``The class of a case comes back, in a variable of any type`` () =
    for serializer in Check.all do
        for shape in [ Circle 1.0; Box(1.0, 2.0); Nothing ] do
            let back = serializer.Deserialize<obj[]>(serializer.Serialize [| box shape |])
            Assert.Equal(shape.GetType(), back[0].GetType())

[<Fact>]
let ``A manifest names the union, and every case has the same one`` () =
    let text = PayloadDump.Describe(ReadOnlySpan(Check.plain.Serialize [| box (Circle 1.0); box Nothing; box (Box(1.0, 2.0)) |]))
    Assert.Contains("Shape, Wire.FSharp.Tests", text)
    Assert.DoesNotContain("Shape+", text)
    Assert.DoesNotContain("type 1, defined", text)
    Assert.Contains("case Circle", text)
    Assert.Contains("radius: Double 1", text)
    Assert.Contains("case Nothing", text)

[<Fact>]
let ``A typed payload has no manifest of the union`` () =
    for shape in [ Circle 1.0; Named("n", Nothing) ] do
        let payload = Check.plain.SerializeTyped shape
        Assert.Equal(0x04uy, payload[5])

[<Fact>]
let ``A declared union needs no name, and one byte after the first`` () =
    let one = (Check.plain.Serialize [| Circle 1.0 |]).Length
    let two = (Check.plain.Serialize [| Circle 1.0; Circle 2.0 |]).Length
    Assert.Equal(1 + 1 + sizeof<float>, two - one)

[<Fact>]
let ``Deep recursion ends in a clear error`` () =
    let mutable tree: Tree<int> = Leaf

    for _ in 1..5000 do
        tree <- Labelled("l", tree)

    let e = Assert.Throws<ObjectGraphException>(fun () -> Check.plain.Serialize tree |> ignore)
    Assert.Contains("Labelled.inner", e.Message)

[<Fact>]
let ``A union as deep as the limit allows comes back`` () =
    let depth = 20_000
    let options = SerializerOptions(Limits = Limits(MaxDepth = depth + 1)).UseFSharp()
    let deep = Seq.fold (fun tree i -> Labelled(string i, tree)) (Leaf: Tree<int>) (seq { 1..depth })
    let serializer = Serializer options
    let payload = serializer.Serialize deep

    let rec count n tree =
        match tree with
        | Labelled(_, inner) -> count (n + 1) inner
        | _ -> n

    Assert.Equal(depth, count 0 (serializer.Deserialize<Tree<int>> payload))

[<Fact>]
let ``A path names the case and the field`` () =
    let payload = Check.plain.Serialize(Named("n", Circle 1.0))
    let e = Assert.ThrowsAny<WireFormatException>(fun () -> Check.plain.Deserialize<Shape>(payload[.. payload.Length - 2]) |> ignore)
    Assert.Contains("Named.Item2.Circle.radius", e.Message)

