namespace Shop

open System

[<Measure>]
type kg

type Color =
    | Red
    | Green
    | Blue

type Shape =
    | Circle of radius: float
    | Box of width: float * height: float
    | Named of string * Shape
    | Nothing

/// More cases than those that have a class each: the number is a field.
type Event =
    | Opened
    | Placed of id: int * customer: string
    | Paid of amount: decimal * at: DateTime
    | Shipped of parcels: int list
    | Renamed of ``new name``: string
    | Closed

type OrderId = OrderId of Guid

type Weight = Weight of float<kg>

[<Struct>]
type Measure =
    | Unknown
    | Length of length: int
    | Text of text: string * count: byte

[<Struct>]
type Ticket = Ticket of int64

[<Struct>]
type Both<'T> =
    | Neither
    | Left of left: 'T
    | Right of right: 'T list * also: int

type Tree<'T> =
    | Leaf
    | Node of Tree<'T> * 'T * Tree<'T>

type Expression =
    | Number of int
    | Add of Expression * Expression
    | Negate of Expression
    | Call of name: string * arguments: Expression list

[<CompilationRepresentation(CompilationRepresentationFlags.UseNullAsTrueValue)>]
type Maybe<'T> =
    | Nope
    | Just of 'T

[<RequireQualifiedAccess>]
type Hidden =
    private
    | Nobody
    | Secret of int

    static member Of n = if n = 0 then Hidden.Nobody else Hidden.Secret n

type IEvent =
    abstract Name: string

type Notice =
    | Warning of string
    | Alarm of level: int

    interface IEvent with
        member this.Name =
            match this with
            | Warning text -> text
            | Alarm _ -> "alarm"

type Address = { Street: string; City: string }

type Person =
    { Name: string
      Age: int
      Home: Address
      Nick: string option
      Friends: Person list }

[<Struct>]
type Point = { X: int; Y: int }

type Cell<'T> = { mutable Content: 'T; Number: int }

/// A union that leads back to the record which holds it.
type Owner = { mutable Owned: Owned; Title: string }

and Owned =
    | Free
    | OwnedBy of Owner

type Pair =
    | Alone of Address
    | Together of Address * Address

type Everything =
    { Color: Color
      Shape: Shape
      Id: OrderId
      Measure: Measure
      Tree: Tree<int>
      Maybe: int option
      MaybeText: string option
      Value: int voption
      Outcome: Result<int, string>
      Choice: Choice<int, string, Color>
      Pair: int * string
      StructPair: struct (int * string)
      Anonymous: {| A: int; B: string |}
      Numbers: int list
      Texts: Set<string>
      Prices: Map<string, decimal>
      Nested: int list option list
      Any: obj
      Nobody: unit }

type Marked =
    { [<Wire.WireName "given">]
      Name: string
      [<Wire.IgnoreMember>]
      Left: string
      Kept: int }

type Renaming =
    | [<Wire.WireName "Old">] Newer of string
    | Other

exception OutOfStock of article: string * missing: int

/// Two versions of one union.
type OldState =
    | Draft
    | Sent of number: int
    | Gone of reason: string

type NewState =
    | Received of by: string
    | Sent of number: int64 * note: string
    | Draft

/// What one program makes, and another only reads.
type Parcel<'T> =
    | Sealed of 'T
    | Lost of place: string * content: 'T
    | Empty

type ReadParcel<'T> =
    | Empty
    | Lost of place: string * content: 'T
    | Sealed of 'T

[<Struct>]
type OldSize =
    | Small of size: int
    | Large of size: int * unit: string

[<Struct>]
type NewSize =
    | Vast
    | Large of unit: string * size: int * more: float
    | Small of size: int
