module Wire.FSharp.Tests.VersionTests

open System
open Wire
open Wire.FSharp.Tests.VersionModel
open Xunit

let private tolerant =
    [ for references in Check.both do
          for dynamicCode in Check.both do
              Serializer(Check.closed references true dynamicCode) ]

/// More often than a schema is read before it is compiled.
let private reads = 20

let private becomes (written: 'W) (expected: 'R) =
    for serializer in tolerant do
        for _ in 1..reads do
            Check.same expected (serializer.Deserialize<'R>(serializer.Serialize written))

[<Fact>]
let ``Cases are matched by name, wherever they stand`` () =
    becomes Write.Opened Read.Opened
    becomes (Write.Moved(1, 2)) (Read.Moved(x = 1, y = 2))
    becomes (Write.Closed 5) (Read.Closed 5L)

    becomes
        [ Write.Closed 1; Write.Opened; Write.Moved(3, 4) ]
        [ Read.Closed 1L; Read.Opened; Read.Moved(x = 3, y = 4) ]

[<Fact>]
let ``A renamed case keeps its old name on the wire`` () =
    becomes (Write.Renamed "new") (Read.Titled "new")

[<Fact>]
let ``A case that the reader does not have is an error when it arrives, and not before`` () =
    for serializer in tolerant do
        let first = serializer.Serialize [| Write.Opened; Write.Gone("g", Write.Opened) |]

        for _ in 1..reads do
            Check.same [| Read.Opened |] (serializer.Deserialize<Read.Event[]>(serializer.Serialize [| Write.Opened |]))
            let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Read.Event[]> first |> ignore)
            Assert.Equal(WireFormatError.SchemaMismatch, e.Error)
            Assert.Contains("'Gone'", e.Message)
            Assert.Contains("this program's type does not have", e.Message)
            Assert.Equal("[1]", e.MemberPath)

[<Fact>]
let ``Fields of a case are added, removed, reordered and widened like members`` () =
    becomes (Write.Alone 7) (Read.Alone(7, null))
    becomes (Write.Named(1uy, "two", 3.5f)) (Read.Named(third = 3.5, added = None, first = 1))
    becomes (Write.Deep([ Write.Opened; Write.Gone("g", Write.Closed 1) ], 9)) (Read.Deep 9L)
    becomes Write.Plain Read.Plain

[<Fact>]
let ``A field that has become narrower is read where the value fits, and another type is refused`` () =
    becomes (Read.Closed 1L) (Write.Closed 1)

    for serializer in tolerant do
        let payload = serializer.Serialize(Read.Closed 3_000_000_000L)
        let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Write.Event> payload |> ignore)
        Assert.Equal(WireFormatError.SchemaMismatch, e.Error)
        Assert.Contains("Int64 3000000000 cannot be read as System.Int32", e.Message)
        Assert.Equal("Closed.Item1", e.MemberPath)
        let payload = serializer.Serialize(Write.Other 1)
        let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Read.Other> payload |> ignore)
        Assert.Equal(WireFormatError.SchemaMismatch, e.Error)

[<Fact>]
let ``What differs in a union is told by its cases and fields, once`` () =
    for dynamicCode in Check.both do
        let told = ResizeArray<SchemaDifference>()

        let reader =
            Serializer(
                SerializerOptions(
                    DynamicCode = dynamicCode,
                    SchemaDifference = Action<SchemaDifference>(told.Add),
                    TypeFilter = WireTypeFilter.Default
                )
                    .UseFSharp()
            )

        let writer = Serializer(Check.closed false true dynamicCode)

        for _ in 1..reads do
            Check.same (Read.Alone(7, null)) (reader.Deserialize<Read.Fields>(writer.Serialize(Write.Alone 7)))
            Check.same (Read.Closed 5L) (reader.Deserialize<Read.Event>(writer.Serialize(Write.Closed 5)))

        Assert.Equal(2, told.Count)
        Assert.Equal("Version.Fields", told[0].WriterName)
        Assert.Equal<string list>([ "Deep.gone"; "Named.second" ], List.sort (List.ofSeq told[0].UnknownMembers))
        Assert.Equal<string list>([ "Alone.Item2"; "Named.added" ], List.sort (List.ofSeq told[0].MissingMembers))

        Assert.Equal<string list>(
            [ "Deep.kept from Int32 to Int64"
              "Named.first from Byte to Int32"
              "Named.third from Single to Double" ],
            List.sort [ for conversion in told[0].Conversions -> string conversion ]
        )

        Assert.Equal<string list>([ "Gone" ], List.ofSeq told[1].UnknownMembers)
        Assert.Equal<string list>([ "Added" ], List.ofSeq told[1].MissingMembers)

[<Fact>]
let ``Struct unions change like others`` () =
    becomes (Write.Number 3s) (Read.Number 3)
    becomes Write.Nothing Read.Nothing
    becomes (Write.Many [ Write.Number 1s; Write.Many [ Write.Nothing ] ]) (Read.Many [ Read.Number 1; Read.Many [ Read.Nothing ] ])
    becomes [| Write.Number 3s; Write.Nothing |] [| Read.Number 3; Read.Nothing |]

[<Fact>]
let ``Unions in members that are gone are passed over, whatever their cases`` () =
    let shared = Write.Moved(5, 6)
    let gone = Write.Gone("gone", Write.Gone("deeper", shared))

    let written =
        { Write.Before = 1
          Write.Event = Write.Closed 2
          Write.Value = Write.Many [ Write.Number 1s ]
          Write.Values = [ Write.Nothing; Write.Number 2s ]
          Write.GoneValues = [| Write.Many [ Write.Many []; Write.Number 3s ]; Write.Nothing |]
          Write.GoneEvent = gone
          Write.GoneMap = Map [ "a", Some gone; "b", None ]
          Write.GoneSet = Set [ Write.Nothing; Write.Number 1s ]
          Write.GoneResult = Error(Write.Many [ Write.Nothing ])
          Write.Shared = Write.Moved(7, 8)
          Write.After = "after" }

    for serializer in tolerant do
        for _ in 1..reads do
            let read = serializer.Deserialize<Read.Log>(serializer.Serialize written)
            Assert.Null(box read.Added)
            // F# equality does not expect null where a union stands.
            Check.same
                { Read.After = "after"
                  Read.Before = 1L
                  Read.Event = Read.Closed 2L
                  Read.Value = Read.Many [ Read.Number 1 ]
                  Read.Values = [ Read.Nothing; Read.Number 2 ]
                  Read.Shared = Read.Moved(x = 7, y = 8)
                  Read.Added = Read.Opened }
                { read with Added = Read.Opened }

[<Fact>]
let ``Without version tolerance other cases are a clear error`` () =
    let strict = Serializer(Check.closed false false true)
    let e = Assert.ThrowsAny<WireFormatException>(fun () -> strict.Deserialize<Read.Event>(strict.Serialize Write.Opened) |> ignore)
    Assert.Equal(WireFormatError.SchemaMismatch, e.Error)
    Assert.Contains("VersionTolerance", e.Message)

[<Fact>]
let ``A case that has become null cannot come as a value`` () =
    becomes (Write.Yes 1) (Read.Yes 1)
    becomes (Read.Yes 1) (Write.Yes 1)

    for serializer in tolerant do
        for _ in 1..reads do
            let payload = serializer.Serialize Write.No
            let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Read.Maybe> payload |> ignore)
            Assert.Equal(WireFormatError.SchemaMismatch, e.Error)
            Assert.Contains("represents that case by null", e.Message)

[<Fact>]
let ``Two cases with one name on the wire are refused`` () =
    let e = Assert.Throws<UnsupportedTypeException>(fun () -> Check.plain.Serialize(First 1) |> ignore)
    Assert.Contains("two of its cases have the name 'First'", e.Message)

[<Fact>]
let ``A case with half of a surrogate pair in its name is refused`` () =
    let e = Assert.Throws<UnsupportedTypeException>(fun () -> Check.plain.Serialize(Whole 1) |> ignore)
    Assert.Contains("of its member 'Half' has half of a surrogate pair", e.Message)

[<Fact>]
let ``A member that becomes an option is another type`` () =
    let refused (read: unit -> unit) =
        Assert.Equal(WireFormatError.SchemaMismatch, Assert.ThrowsAny<WireFormatException>(Action read).Error)

    for serializer in tolerant do
        refused (fun () -> serializer.Deserialize<Wrapped.Optional>(serializer.Serialize { Plain.Age = 1 }) |> ignore)
        refused (fun () -> serializer.Deserialize<Plain.Optional>(serializer.Serialize { Wrapped.Age = Some 1 }) |> ignore)
