module Wire.FSharp.Tests.NullTests

open Wire
open Wire.FSharp.Tests.Model
open Xunit

type Nulls =
    { Unit: unit
      Option: int option
      Maybe: Maybe<string>
      Units: unit list
      Options: string option[]
      Text: string }

[<Fact>]
let ``A case that is null comes back`` () =
    Assert.True(isNull (box (Nope: Maybe<int>)))
    Check.values [ Nope; Just 1 ]
    Check.values [ Just(Just "a"); Just Nope; Nope ]
    Check.values [ Just None; Just(Some 1) ]

[<Fact>]
let ``None and unit are plain null among objects`` () =
    for serializer in Check.all do
        let objects = [| box None; box (); box (Nope: Maybe<int>); box (Some 1); box (Just 2) |]
        let back = serializer.Deserialize<obj[]>(serializer.Serialize objects)
        Assert.Equal<obj[]>(objects, back)
        Assert.Null back[0]
        Assert.Null back[1]
        Assert.Null back[2]
        Assert.Equal(Some 1, unbox<int option> back[3])
        Assert.Equal(Just 2, unbox<Maybe<int>> back[4])

[<Fact>]
let ``Nulls in records come back`` () =
    Check.value
        { Unit = ()
          Option = None
          Maybe = Nope
          Units = [ (); () ]
          Options = [| None; Some null; Some "x" |]
          Text = null }

    Check.value (Some())
    Check.value (Value())
    Check.value [ () ]

[<Fact>]
let ``A root that is null comes back`` () =
    for serializer in Check.all do
        Assert.Equal<byte[]>(serializer.Serialize(box null), serializer.Serialize(None: int option))
        Assert.Equal(None, serializer.Deserialize<int option>(serializer.Serialize(None: int option)))
        Assert.Equal((), serializer.Deserialize<unit>(serializer.Serialize(())))

[<Fact>]
let ``Unit comes back as a root of every kind`` () = Check.value ()
