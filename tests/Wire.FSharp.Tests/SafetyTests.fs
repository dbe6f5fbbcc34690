module Wire.FSharp.Tests.SafetyTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

type Inner = Inner of int

type Outer =
    | Outer of Inner list * Map<string, Deep option>
    | Without

and Deep = { Union: Result<Colour, Inner> }

type Functions = { Name: string; Function: int -> int }

let private failClosed = Serializer(SerializerOptions.Default.UseFSharp())

[<Fact>]
let ``What a union declares is reachable, and nothing needs to be allowed`` () =
    let value = Outer([ Inner 1 ], Map [ "a", Some { Union = Ok Red }; "b", None ])
    Check.same value (failClosed.Deserialize<Outer>(failClosed.Serialize value))
    Check.same many.Lists (failClosed.Deserialize<int list list>(failClosed.Serialize many.Lists))
    Check.same (Some 1) (unbox (failClosed.Deserialize(failClosed.Serialize(Some 1))))

[<Fact>]
let ``A union that nobody named is refused, and its case too`` () =
    let payload = failClosed.Serialize [| box (Outer([], Map.empty)) |]
    let e = Assert.Throws<TypeRefusedException>(fun () -> failClosed.Deserialize<obj[]> payload |> ignore)
    Assert.Contains("SafetyTests+Outer", e.TypeName)
    Assert.DoesNotContain("Outer+Outer", e.TypeName)

[<Fact>]
let ``Functions are refused on writing, with the reason`` () =
    let captured = int64 Environment.ProcessId
    let add n = n + int captured

    let withDelegates = Serializer(SerializerOptions(AllowDelegates = true, TypeFilter = WireTypeFilter.Unrestricted).UseFSharp())

    for serializer in [ failClosed; Check.plain; withDelegates; Serializer() ] do
        for value in [ box add; box { Name = "f"; Function = add }; box [| box (fun (a: int) (b: int) -> a + b) |] ] do
            let e = Assert.Throws<UnsupportedTypeException>(fun () -> serializer.Serialize value |> ignore)
            Assert.Contains(
                "SerializerOptions.AllowDelegates does not include F# functions", e.Message)

[<Fact>]
let ``What UseFSharp does not know is refused without the advice to use it`` () =
    for value in [ box <@ 1 + 1 @>; box [| <@@ "a" @@> |]; box (async { return 1 }); box (Event<int>()); box (Some <@ 2 @>) ] do
        for serializer in [ failClosed; Check.plain ] do
            let e = Assert.Throws<UnsupportedTypeException>(fun () -> serializer.Serialize value |> ignore)
            Assert.Contains(
                "it belongs to F#, and is not among what Wire.FSharp knows. Give it a surrogate, in SerializerOptions.Surrogates, "
                + "or a ValueSerializer, on both sides.",
                e.Message
            )

            Assert.DoesNotContain("UseFSharp", e.Message)

        let e = Assert.Throws<UnsupportedTypeException>(fun () -> Serializer().Serialize value |> ignore)
        Assert.Contains("it belongs to F#. Use SerializerOptions.UseFSharp() of the package WireSerializer.FSharp", e.Message)

[<Fact>]
let ``A record with a function that is null can be written`` () =
    let value = { Name = "none"; Function = Unchecked.defaultof<_> }
    Assert.Equal("none", (Check.plain.Clone value).Name)

[<Fact>]
let ``A payload cannot make a function`` () =
    let closure = box (fun (n: int) -> n + Environment.ProcessId)
    let name = $"{closure.GetType().FullName}, Wire.FSharp.Tests"
    let utf8 = Text.Encoding.UTF8.GetBytes name
    let varint n = if n < 0x80 then [| byte n |] else [| byte (n &&& 0x7F) ||| 0x80uy; byte (n >>> 7) |]
    let manifest = [| yield! varint (utf8.Length * 2); yield! utf8; 1uy; 0x44uy; 0uy |]
    let payload = [| 0x10uy; 0x02uy; yield! varint manifest.Length; yield! manifest |]
    let e = Assert.Throws<TypeRefusedException>(fun () -> Check.plain.Deserialize payload |> ignore)
    Assert.Contains("F# functions", e.Message)

[<Fact>]
let ``A number of no case is refused`` () =
    let payload = Check.plain.Serialize Red
    Assert.Equal(0uy, payload[payload.Length - 1])
    payload[payload.Length - 1] <- 4uy

    for serializer in Check.all |> List.filter _.Options.VersionTolerance do
        let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Colour> payload |> ignore)
        Assert.Equal(WireFormatError.InvalidValue, e.Error)
        Assert.Contains("its case is 4", e.Message)

    Assert.Contains("its case is 4", PayloadDump.Describe(ReadOnlySpan payload))

[<Fact>]
let ``Without UseFSharp a union is not taken for something else by a reader that has it`` () =
    let payload = Serializer().Serialize(Identifier Guid.Empty)
    let e = Assert.ThrowsAny<WireFormatException>(fun () -> failClosed.Deserialize<Identifier> payload |> ignore)
    Assert.Equal(WireFormatError.SchemaMismatch, e.Error)

[<Fact>]
let ``UseFSharp twice is the same as once`` () =
    let once = SerializerOptions.Default.UseFSharp()
    Assert.Same(once, once.UseFSharp())
    Assert.Throws<ArgumentNullException>(fun () -> FSharpOptions.UseFSharp null |> ignore) |> ignore

[<Fact>]
let ``A user's value serializer and a surrogate of a union come first`` () =
    let surrogate =
        Surrogate.Create<Shape, string>(
            (fun shape -> (match shape with Circle radius -> string radius | _ -> "other")),
            (fun text -> if text = "other" then Nothing else Circle(float text)))

    let surrogates = Collections.Immutable.ImmutableArray.Create<Surrogate> surrogate
    let serializer = Serializer(SerializerOptions(Surrogates = surrogates).UseFSharp())
    Check.same [ Circle 1.5; Nothing ] (serializer.Deserialize<Shape list>(serializer.Serialize [ Circle 1.5; Nothing ]))

    let custom =
        { new ValueSerializer<Colour>() with
            member _.Write(writer, value) = writer.WriteByte(if value = Red then 1uy else 0uy)
            member _.Read reader = if reader.ReadByte() = 1uy then Red else Blue }

    let factories = Collections.Immutable.ImmutableArray.Create(ValueSerializerFactory.For custom)
    let serializer = Serializer(SerializerOptions(ValueSerializerFactories = factories).UseFSharp())
    Check.same [ Red; Blue; Blue ] (serializer.Deserialize<Colour list>(serializer.Serialize [ Red; Other "x"; Blue ]))

type Part = { N: int }

/// Its order is that of a part, which is never null in F#.
[<CustomEquality; CustomComparison>]
type Key =
    { Part: Part }

    override this.Equals other = (other :?> Key).Part.N = this.Part.N
    override this.GetHashCode() = this.Part.N

    interface IComparable with
        member this.CompareTo other = compare this.Part.N (other :?> Key).Part.N

[<Fact>]
let ``A null inside of a key is refused where it cannot be compared`` () =
    let payload = Check.plain.Serialize(Set [ { Part = { N = 1 } }; { Part = { N = 2 } } ])
    let withNull = [| yield! payload[.. payload.Length - 6]; 0uy |]
    let e = Assert.ThrowsAny<WireFormatException>(fun () -> Check.plain.Deserialize<Set<Key>> withNull |> ignore)
    Assert.Equal(WireFormatError.InvalidValue, e.Error)
    Assert.IsType<NullReferenceException> e.InnerException |> ignore

[<Fact>]
let ``Known types name a union`` () =
    let types = KnownTypes.Create(ReadOnlySpan [| Collections.Generic.KeyValuePair(5, typeof<Shape>) |])
    let known = SerializerOptions(KnownTypes = types).UseFSharp()
    let serializer = Serializer known
    let payload = serializer.Serialize [| box (Circle 1.0); box Nothing |]
    Assert.Contains("known type 5", PayloadDump.Describe(ReadOnlySpan payload))
    Assert.Equal<obj[]>([| box (Circle 1.0); box Nothing |], serializer.Deserialize<obj[]> payload)

exception Failed of code: int * reason: string

[<Fact>]
let ``Exceptions of F# come back`` () =
    for serializer in Check.all do
        let e = serializer.Deserialize<exn>(serializer.Serialize(Failed(7, "seven")))

        match e with
        | Failed(7, "seven") -> ()
        | other -> Assert.Fail $"{other}"
