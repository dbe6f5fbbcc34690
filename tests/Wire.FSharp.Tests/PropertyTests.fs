module Wire.FSharp.Tests.PropertyTests

open System
open FsCheck
open FsCheck.FSharp
open Wire
open Wire.FSharp.Tests.Model
open Wire.Testing
open Xunit

/// Everything in everything.
type Mixed =
    | Number of int
    | Word of string
    | Node of Mixed list * Map<string, Mixed>
    | Chosen of Choice<int64, Colour, Result<byte, string>>
    | Counted of Set<int> * Set<string option>
    | Wrapped of Entry option * Struct voption
    | Keyed of Map<(int * bool), Entry list>
    | Tree of Tree<string option>
    | Anonymous of {| Key: char; Values: decimal[] |}
    | Empty

and Entry =
    { Id: Guid
      Colour: Colour
      Value: Mixed
      Pair: struct (string * StructIdentifier) }

/// Numbers that equal themselves.
type Numbers =
    static member Float() =
        ArbMap.defaults
        |> ArbMap.arbitrary<NormalFloat>
        |> Arb.convert (fun (NormalFloat number) -> number) NormalFloat

let private config =
    let count = if Sweep.IsWhole then 5000 else 40
    Config.QuickThrowOnFailure.WithMaxTest(count).WithReplay(20261121UL, 7UL).WithArbitrary([ typeof<Numbers> ])

let private roundTrips<'T when 'T: equality> () =
    Check.One(
        config,
        fun (value: 'T) ->
            for emitted, reflected in Wire.FSharp.Tests.Check.pairs do
                let payload = emitted.Serialize value
                Assert.Equal<byte[]>(payload, reflected.Serialize value)

                for serializer in [ emitted; reflected ] do
                    let back = serializer.Deserialize<'T> payload
                    Assert.True((back = value), $"%A{value} came back as %A{back}")

                    // With references, empty sets that were different objects are the same afterwards.
                    if not serializer.Options.PreserveObjectReferences then
                        Assert.Equal<byte[]>(payload, serializer.Serialize back)
    )

[<Fact>]
let ``Mixed values round-trip`` () = roundTrips<Mixed> ()

[<Fact>]
let ``Records round-trip`` () = roundTrips<Entry> ()

[<Fact>]
let ``Trees round-trip`` () = roundTrips<Tree<int>> ()

[<Fact>]
let ``Maps of lists of options round-trip`` () =
    roundTrips<Map<string, (int option * Set<byte>) list>> ()

[<Fact>]
let ``Struct unions round-trip`` () = roundTrips<Struct list> ()

[<Fact>]
let ``Any cut or wrong byte of a mixed value is read or reported`` () =
    Check.One(
        config,
        fun (value: Mixed) (place: int) (wrong: byte) ->
            let serializer = Wire.FSharp.Tests.Check.plain
            let payload = serializer.Serialize value
            let at = (place &&& Int32.MaxValue) % payload.Length
            Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Mixed>(payload[.. at - 1]) |> ignore) |> ignore
            payload[at] <- wrong

            try
                serializer.Deserialize<Mixed> payload |> ignore
            with :? WireFormatException ->
                ()
    )
