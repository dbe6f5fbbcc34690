/// Round trips of each kind of type that F# has.
module Trips

open System
open System.Collections.Generic
open System.Security.Cryptography
open Shop
open Wire

let private hash = IncrementalHash.CreateHash HashAlgorithmName.SHA256

/// The hash of all payloads since the last call.
let written () = Convert.ToHexStringLower(hash.GetHashAndReset().AsSpan(0, 8))

/// Whether a trip goes on with what it has when a type is refused.
let mutable goesOn = false

let mutable private refusal: UnsupportedTypeException = null

/// The first refusal since the last call, where trips go on.
let refused () =
    let found = refusal
    refusal <- null
    found

let private noted (payload: byte[]) =
    hash.AppendData payload
    payload

let private same (expected: 'T) (actual: 'T) =
    if expected <> actual then
        failwith (String.Format("{0} instead of {1}", actual, expected))

let private isTrue what condition =
    if not condition then
        failwith (String.Concat("It is not so that ", what))

let private copyOf (options: SerializerOptions) (value: 'T) : 'T =
    let serializer = Serializer options

    try
        serializer.Deserialize<'T>(noted (serializer.Serialize<'T> value))
    with :? UnsupportedTypeException as e when goesOn ->
        Console.WriteLine("REFUSED " + e.Message)

        if isNull refusal then
            refusal <- e

        value

/// Twice with one serializer, as a root, an object and by its type, as a copy without bytes, and in an array.
let private trip (options: SerializerOptions) (value: 'T) =
    same value (copyOf options value)
    same (box value) (copyOf options (box value))

    if not goesOn || isNull refusal then
        let serializer = Serializer options

        for _ in 1..2 do
            same value (serializer.Deserialize<'T>(noted (serializer.Serialize<'T> value)))
            same value (serializer.DeserializeTyped<'T>(noted (serializer.SerializeTyped<'T> value)))
            same value (serializer.Clone<'T> value)

        isTrue "the graphs are equal" (GraphEquality(serializer).AreEqual(box value, serializer.Clone<'T> value))

    same [| value; value |] (copyOf options [| value; value |])

let private sharing (options: SerializerOptions) =
    SerializerOptions(
        PreserveObjectReferences = true,
        DynamicCode = options.DynamicCode,
        TypeFilter = options.TypeFilter,
        Types = options.Types
    )
        .UseFSharp()

let private aliased (alias: TypeAliases -> TypeAliases) (options: SerializerOptions) =
    SerializerOptions(
        TypeAliases = alias TypeAliases.None,
        DynamicCode = options.DynamicCode,
        TypeFilter = options.TypeFilter,
        Types = options.Types
    )
        .UseFSharp()

let private person =
    { Name = "Ann"
      Age = 40
      Home = { Street = "Elm"; City = "Bonn" }
      Nick = Some "A"
      Friends = [ { Name = "Bob"; Age = 41; Home = { Street = "Oak"; City = "Ulm" }; Nick = None; Friends = [] } ] }

let private everything =
    { Color = Green
      Shape = Named("n", Box(1.0, 2.0))
      Id = OrderId(Guid "00112233-4455-6677-8899-aabbccddeeff")
      Measure = Text("t", 1uy)
      Tree = Node(Leaf, 1, Node(Leaf, 2, Leaf))
      Maybe = Some 3
      MaybeText = Some "four"
      Value = ValueSome 5
      Outcome = Error "no"
      Choice = Choice3Of3 Blue
      Pair = (1, "one")
      StructPair = struct (2, "two")
      Anonymous = {| A = 1; B = "b" |}
      Numbers = [ 1; 2; 3 ]
      Texts = Set [ "a"; "b" ]
      Prices = Map [ "pen", 1.5m; "ink", 3.2m ]
      Nested = [ Some [ 1 ]; None; Some [] ]
      Any = box (Circle 7.0)
      Nobody = () }

let all: (string * (SerializerOptions -> unit)) list =
    [ "cases without fields come back as the same object",
      fun options ->
          for color in [ Red; Green; Blue ] do
              trip options color
              isTrue "the case is the same object" (obj.ReferenceEquals(color, copyOf options color))

      "cases with fields, with names and without, one inside another",
      fun options ->
          for shape in [ Circle 1.5; Box(2.0, 3.0); Named("n", Named("m", Nothing)); Nothing ] do
              trip options shape

          isTrue "the case is the same object" (obj.ReferenceEquals(Nothing, copyOf options Nothing))

      "a union of many cases",
      fun options ->
          let events =
              [ Opened
                Placed(1, "Ada")
                Paid(1.5m, DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc))
                Shipped [ 1; 2 ]
                Renamed "new"
                Closed ]

          for event in events do
              trip options event

          trip options events
          isTrue "the case is the same object" (obj.ReferenceEquals(Closed, copyOf options Closed))

      "a case is matched as what it is",
      fun options ->
          match copyOf options (Box(2.0, 3.0)), copyOf options Opened, copyOf options (Placed(1, "Ada")) with
          | Box(width, height), Opened, Placed(1, customer) ->
              same (2.0, 3.0) (width, height)
              same "Ada" customer
          | _ -> failwith "Another case."

      "a union of one case",
      fun options ->
          trip options (OrderId(Guid "00112233-4455-6677-8899-aabbccddeeff"))
          trip options (Weight 1.5<kg>)

      "a struct union",
      fun options ->
          for measure in [ Unknown; Length 3; Text("text", 4uy) ] do
              trip options measure

          trip options [ Unknown; Length 5 ]

      "a struct union of one case", fun options -> trip options (Ticket -5L)

      "a generic struct union",
      fun options ->
          for both in [ Neither; Left 1; Right([ 2; 3 ], 4) ] do
              trip options both

          for both in [ Neither; Left "text"; Right([ "a"; null ], 4) ] do
              trip options both

      "a generic tree of objects",
      fun options -> trip options (Node(Node(Leaf, "left", Leaf), "root", Node(Leaf, null, Leaf)))

      "a generic tree of numbers", fun options -> trip options (Node(Node(Leaf, 1, Leaf), 2, Node(Leaf, 3, Leaf)))

      "a generic tree of structs", fun options -> trip options (Node(Leaf, { X = 1; Y = 2 }, Leaf))

      "a tree of expressions",
      fun options -> trip options (Add(Number 1, Negate(Call("max", [ Number 2; Add(Number 3, Number 4) ]))))

      "a case that is null", fun options ->
          for maybe in [ Nope; Just "text" ] do
              trip options [ maybe ]

          for maybe in [ Nope; Just 1 ] do
              trip options [ maybe ]

      "a private union",
      fun options ->
          trip options (Hidden.Of 0)
          trip options (Hidden.Of 7)

      "cases in variables of an interface and of object",
      fun options ->
          let events = copyOf options [| Warning "hot" :> IEvent; Alarm 3 |]
          same "hot,alarm" (String.Join(',', events |> Array.map _.Name))
          let objects = copyOf options [| box (Alarm 3); box Red; box (Length 3); box (Some 1); box 4; box [ Circle 1.0 ] |]
          same (Alarm 3) (unbox objects[0])
          same Red (unbox objects[1])
          same (Length 3) (unbox objects[2])
          same (Some 1) (unbox objects[3])
          same [ Circle 1.0 ] (unbox objects[5])

      "objects that cases share",
      fun options ->
          let home = { Street = "Elm"; City = "Bonn" }
          let serializer = Serializer(sharing options)

          match serializer.Deserialize<Pair list>(noted (serializer.Serialize [ Alone home; Together(home, home) ])) with
          | [ Alone first; Together(second, third) ] ->
              same home first
              isTrue "they are shared" (obj.ReferenceEquals(first, second) && obj.ReferenceEquals(first, third))
          | _ -> failwith "Other cases."

      "a case that is shared",
      fun options ->
          let alone = Alone { Street = "Elm"; City = "Bonn" }
          let serializer = Serializer(sharing options)
          let copy = serializer.Deserialize<Pair[]>(noted (serializer.Serialize [| alone; alone |]))
          same alone copy[0]
          isTrue "it is shared" (obj.ReferenceEquals(copy[0], copy[1]))

      "a cycle through a mutable field of a record",
      fun options ->
          let owner = { Owned = Free; Title = "top" }
          owner.Owned <- OwnedBy owner
          let serializer = Serializer(sharing options)

          for _ in 1..2 do
              let copy = serializer.Deserialize<Owner>(noted (serializer.Serialize owner))

              match copy.Owned with
              | OwnedBy inner -> isTrue "it leads back" (obj.ReferenceEquals(inner, copy))
              | Free -> failwith "Another case."

              let clone = serializer.Clone owner

              match clone.Owned with
              | OwnedBy inner -> isTrue "it leads back" (obj.ReferenceEquals(inner, clone))
              | Free -> failwith "Another case."

      "options of objects",
      fun options ->
          trip options (Some "text")
          trip options [ Some(Circle 1.0); None ]
          trip options (Some person)

      "options of numbers and structs",
      fun options ->
          trip options [ Some 1; None ]
          trip options [| Some 1.5m; None |]
          trip options (Some { X = 1; Y = 2 })
          trip options [ Some(Some 1); Some None; None ]

      "value options",
      fun options ->
          trip options (ValueSome 1)
          trip options [ ValueSome "text"; ValueNone ]
          trip options [| ValueSome 1; ValueNone |]

      "results",
      fun options ->
          trip options [ (Ok 1: Result<int, string>); Error "no" ]
          trip options [ (Ok "yes": Result<string, Color>); Error Red ]
          trip options (Ok { X = 1; Y = 2 }: Result<Point, string>)

      "choices",
      fun options ->
          trip options [ (Choice1Of2 1: Choice<int, string>); Choice2Of2 "two" ]
          trip options [ (Choice1Of3 "one": Choice<string, Color, Shape>); Choice2Of3 Red; Choice3Of3(Circle 1.0) ]

      "lists of objects",
      fun options ->
          trip options [ "a"; null; "b" ]
          trip options [ person ]
          trip options [ [ Red ]; []; [ Green; Blue ] ]

      "lists of numbers and structs",
      fun options ->
          trip options [ 1; 2; 3 ]
          trip options [ { X = 1; Y = 2 } ]
          trip options [ [ 1 ]; [] ]
          trip options [ 1.5; infinity ]

      "sets and maps of objects",
      fun options ->
          trip options (Set [ "b"; "a" ])
          trip options (Map [ "b", "two"; "a", "one" ])
          trip options (Map [ Red, [ "r" ]; Blue, [] ])
          trip options (Set [ Circle 1.0; Nothing ])

      "sets and maps of numbers and structs",
      fun options ->
          trip options (Set [ 3; 1; 2 ])
          trip options (Map [ 2, "two"; 1, "one" ])
          trip options (Map [ "a", 1; "b", 2 ])
          trip options (Map [ { X = 1; Y = 2 }, 1.5m ])
          trip options (Set [ Some 1; None ])

      "records", fun options -> trip options person

      "struct records",
      fun options ->
          trip options { X = 1; Y = 2 }
          trip options [| { X = 1; Y = 2 }; { X = 3; Y = 4 } |]

      "generic records with a mutable field",
      fun options ->
          trip options { Content = "text"; Number = 1 }
          trip options { Content = 5; Number = 1 }
          trip options { Content = Some Red; Number = 1 }

      "anonymous records",
      fun options ->
          same {| A = 1; B = "b" |} (copyOf options {| A = 1; B = "b" |})
          same (struct {| A = 1; B = "b" |}) (copyOf options (struct {| A = 1; B = "b" |}))

      "tuples",
      fun options ->
          trip options ("one", "two")
          trip options (1, "one", Red)
          trip options (struct (1, "one"))
          trip options (struct (2L, "text"))

      "references",
      fun options ->
          let copy = copyOf options (ref 1)
          same 1 copy.Value
          same "text" (copyOf options (ref "text")).Value

      "exceptions",
      fun options ->
          match copyOf options (OutOfStock("pen", 2)) with
          | OutOfStock(article, missing) -> same ("pen", 2) (article, missing)
          | _ -> failwith "Another exception."


      "sequences and dictionaries",
      fun options ->
          same [ 1; 2 ] (List.ofSeq (copyOf options (seq { yield 1; yield 2 })))
          same [ "a" ] (List.ofSeq (copyOf options (seq { yield "a" })))
          same "one" (copyOf options (dict [ 1, "one" ])).[1]

      "unit", fun options -> trip options [ () ]

      "all kinds as members of one record",
      fun options ->
          for _ in 1..2 do
              trip options everything

      "attributes of members and cases",
      fun options ->
          let serializer = Serializer options
          let payload = noted (serializer.Serialize { Name = "n"; Left = "left"; Kept = 1 })
          isTrue "the name is the given one" (payload.AsSpan().IndexOf "given"B >= 0)
          same { Name = "n"; Left = null; Kept = 1 } (serializer.Deserialize<Marked> payload)
          let payload = noted (serializer.Serialize(Newer "text"))
          isTrue "the name is the given one" (payload.AsSpan().IndexOf "Old"B >= 0)
          same (Newer "text") (serializer.Deserialize<Renaming> payload)

      "another version of a union",
      fun options ->
          let write = Serializer(aliased (fun aliases -> aliases.Alias<OldState> "state") options)
          let read = Serializer(aliased (fun aliases -> aliases.Alias<NewState> "state") options)
          same (NewState.Sent(7L, null)) (read.Deserialize<NewState>(noted (write.Serialize(OldState.Sent 7))))
          same NewState.Draft (read.Deserialize<NewState>(noted (write.Serialize OldState.Draft)))

          try
              read.Deserialize<NewState>(noted (write.Serialize(Gone "sold"))) |> ignore
              failwith "A case that this version does not have was read."
          with :? WireFormatException as e ->
              isTrue "the error names the case" (e.Message.Contains "Gone")

      "a generic union that the program only reads",
      fun options ->
          let write = Serializer(aliased (fun aliases -> aliases.Alias<Parcel<int>> "parcel") options)
          let read = Serializer(aliased (fun aliases -> aliases.Alias<ReadParcel<int>> "parcel") options)
          let copy = read.Deserialize<ReadParcel<int>>(noted (write.Serialize(Parcel.Lost("Ulm", 3))))

          match copy with
          | ReadParcel.Lost(place, content) -> same ("Ulm", 3) (place, content)
          | _ -> failwith "Another case."

          isTrue "it is empty" (read.Deserialize<ReadParcel<int>>(noted (write.Serialize<Parcel<int>> Parcel.Empty)).IsEmpty)
          isTrue "it is sealed" (read.Deserialize<ReadParcel<int>>(noted (write.Serialize(Parcel.Sealed 4))).IsSealed)

      "another version of a struct union",
      fun options ->
          let write = Serializer(aliased (fun aliases -> aliases.Alias<OldSize> "size") options)
          let read = Serializer(aliased (fun aliases -> aliases.Alias<NewSize> "size") options)
          same (NewSize.Large("m", 3, 0.0)) (read.Deserialize<NewSize>(noted (write.Serialize(OldSize.Large(3, "m")))))
          same [ NewSize.Small 1 ] (read.Deserialize<NewSize list>(noted (write.Serialize [ OldSize.Small 1 ])))

      "a message that is cut",
      fun options ->
          let serializer = Serializer options
          let payload = serializer.Serialize everything

          for length in 0 .. payload.Length - 1 do
              try
                  serializer.Deserialize<Everything>(ReadOnlySpan(payload, 0, length)) |> ignore
                  failwith (String.Concat(string length, " bytes were read."))
              with :? WireFormatException ->
                  () ]
