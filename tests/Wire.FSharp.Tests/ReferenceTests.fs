module Wire.FSharp.Tests.ReferenceTests

open System
open Wire
open Wire.FSharp.Tests.Model
open Xunit

let private tracking = [ for dynamicCode in Check.both -> Serializer(Check.options true true dynamicCode) ]

type Link =
    | End
    | Link of Cell<Link> * int

[<Fact>]
let ``Shared values come back shared`` () =
    for serializer in tracking do
        let shared = Value "shared"
        let list = [ 1; 2 ]
        let some = Some "some"
        let tree = Branch(shared, Branch(shared, Leaf))

        match serializer.Clone tree with
        | Branch(first, Branch(second, Leaf)) -> Assert.Same(first, second)
        | other -> Assert.Fail $"%A{other}"

        let lists = serializer.Clone [| list; list; [ 1; 2 ] |]
        Assert.Same(lists[0], lists[1])
        Assert.NotSame(lists[0], lists[2])
        let options = serializer.Clone [| some; some; Some "some" |]
        Assert.Same(options[0], options[1])
        Assert.NotSame(options[0], options[2])
        let map = Map [ 1, "one" ]
        let maps = serializer.Clone [| map; map |]
        Assert.Same(maps[0], maps[1])

[<Fact>]
let ``Copies come back as copies without references`` () =
    let shared = Value "shared"

    match Check.plain.Clone(Branch(shared, shared)) with
    | Branch(first, second) ->
        Assert.NotSame(first, second)
        Check.same first second
    | other -> Assert.Fail $"%A{other}"

[<Fact>]
let ``A cycle that begins at an object with members comes back`` () =
    for serializer in tracking do
        let cell = { Content = End }
        cell.Content <- Link(cell, 1)
        let back = serializer.Clone cell

        match back.Content with
        | Link(inner, 1) -> Assert.Same(back, inner)
        | other -> Assert.Fail "not a link"

[<Fact>]
let ``A cycle that begins at a union is refused, because a union exists only when it is complete`` () =
    for serializer in tracking do
        let cell = { Content = End }
        let link = Link(cell, 1)
        cell.Content <- link
        let payload = serializer.Serialize link
        let e = Assert.ThrowsAny<WireFormatException>(fun () -> serializer.Deserialize<Link> payload |> ignore)
        Assert.Equal(WireFormatError.Reference, e.Error)
        Assert.Contains("is created after its parts", e.Message)

[<Fact>]
let ``A cycle without references is an error of the graph`` () =
    let cell = { Content = End }
    cell.Content <- Link(cell, 1)
    Assert.Throws<ObjectGraphException>(fun () -> Check.plain.Serialize cell |> ignore) |> ignore
