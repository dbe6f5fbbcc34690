/// Types of every form that F# has.
module Wire.FSharp.Tests.Model

open System

[<Measure>]
type metre

type Colour =
    | Red
    | Green
    | Blue
    | Other of string

type Shape =
    | Circle of radius: float
    | Box of width: float * height: float
    | Named of string * Shape
    | Nothing

/// One case: no class of its own for it.
type Identifier = Identifier of Guid

[<Struct>]
type Struct =
    | Empty
    | Number of number: int
    | Text of text: string * count: byte

[<Struct>]
type StructIdentifier = StructIdentifier of int64

/// Ten cases, generic and recursive.
type Tree<'T> =
    | Leaf
    | Value of 'T
    | Two of 'T * 'T
    | Wide of int64 * float * bool * 'T
    | Branch of Tree<'T> * Tree<'T>
    | Labelled of label: string * inner: Tree<'T>
    | Coloured of Colour * Tree<'T>
    | Flag of bool
    | Point of struct (int * int)
    | Stop

[<RequireQualifiedAccess>]
type Private =
    private
    | Hidden
    | Secret of int

    static member Of n =
        if n = 0 then Private.Hidden else Private.Secret n

[<CompilationRepresentation(CompilationRepresentationFlags.UseNullAsTrueValue)>]
type Maybe<'T> =
    | Nope
    | Just of 'T

type Person =
    { Name: string
      Age: int
      Length: float<metre>
      Friends: Person list }

[<Struct>]
type StructRecord =
    { X: int
      Y: string
      Z: StructRecord list }

type Hidden =
    private
        { Secret: int
          Inner: Private }

    static member Of n = { Secret = n; Inner = Private.Of n }

type Many =
    { Colours: Map<string, Colour>
      Ids: Set<Identifier>
      Maybe: int option
      MaybeText: string option
      Value: int voption
      Outcome: Result<int, string>
      Choice: Choice<int, string, Colour>
      Pair: int * string
      StructPair: struct (int * string)
      Anonymous: {| A: int; B: string |}
      Nested: int option option
      Lists: int list list
      Unit: unit
      Any: obj
      Tree: Tree<int>
      Struct: Struct }

type Cell<'T> = { mutable Content: 'T }

let person =
    { Name = "Ann"
      Age = 40
      Length = 1.7<metre>
      Friends = [ { Name = "Bob"; Age = 41; Length = 1.8<metre>; Friends = [] } ] }

let many =
    { Colours = Map [ "r", Red; "o", Other "pink" ]
      Ids = Set [ Identifier Guid.Empty; Identifier(Guid "00112233-4455-6677-8899-aabbccddeeff") ]
      Maybe = Some 3
      MaybeText = Some null
      Value = ValueSome 4
      Outcome = Error "no"
      Choice = Choice3Of3 Blue
      Pair = (1, "one")
      StructPair = struct (2, "two")
      Anonymous = {| A = 1; B = "b" |}
      Nested = Some None
      Lists = [ []; [ 1; 2 ] ]
      Unit = ()
      Any = box (Other "any")
      Tree = Branch(Value 1, Labelled("l", Coloured(Green, Two(2, 3))))
      Struct = Text("t", 1uy) }

let trees: Tree<int> list =
    [ Leaf
      Value 1
      Two(2, 3)
      Wide(4L, 5.0, true, 6)
      Branch(Leaf, Branch(Value 7, Stop))
      Labelled("eight", Labelled(null, Leaf))
      Coloured(Other "nine", Coloured(Red, Leaf))
      Flag true
      Point(struct (10, 11))
      Stop ]
